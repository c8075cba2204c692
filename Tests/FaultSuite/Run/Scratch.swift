import FaultServer
import Foundation

/// A folder for one case: `got` is the target; `home`, `state` and `config` are the user's. Removed with its last
/// reference.
final class Scratch: Sendable {
    let path: String

    init() throws(SuiteFailure) {
        let place = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
        var template = Array("\(place)/winch-faults-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw .cannotPrepare("a folder in \(place)") }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        for folder in ["got", "home", "state", "config"] {
            guard mkdir(self[folder], 0o755) == 0 else { throw .cannotPrepare(folder) }
        }
    }

    deinit {
        // Folders made read-only by a case must be emptied as well.
        chmod(self["got"], 0o755)
        chmod(self["state"], 0o755)
        try? FileManager.default.removeItem(atPath: path)
    }

    subscript(_ name: String) -> String { path + "/" + name }

    func write(_ text: String, to name: String) throws(SuiteFailure) {
        do {
            try Data(text.utf8).write(to: URL(fileURLWithPath: self[name]))
            // A netrc file must not be readable by others.
            chmod(self[name], 0o600)
        } catch {
            throw .cannotPrepare(name)
        }
    }

    func text(_ name: String) -> String {
        (FileManager.default.contents(atPath: self[name])).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    func create(_ fixture: Fixture, _ fill: (String) -> String) throws(SuiteFailure) {
        switch fixture {
        case .file(let name, let text): try write(fill(text), to: name)
        case .folder(let name):
            guard mkdir(self[name], 0o755) == 0 else { throw .cannotPrepare(name) }
        case .link(let name, let target):
            guard symlink(target, self[name]) == 0 else { throw .cannotPrepare(name) }
        }
    }

    /// Paths of everything below a folder except non-empty folders.
    func files(below folder: String) -> Set<String> {
        var found: Set<String> = []
        func look(_ path: String) {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: self[folder] + "/" + path)) ?? []
            for name in names {
                let inner = path.isEmpty ? name : path + "/" + name
                var status = stat()
                guard lstat(self[folder] + "/" + inner, &status) == 0 else { continue }
                if status.st_mode & S_IFMT != S_IFDIR {
                    found.insert(inner)
                } else {
                    let before = found.count
                    look(inner)
                    if found.count == before { found.insert(inner) }
                }
            }
        }
        look("")
        return found
    }

    /// Bytes of all files in the target folder.
    var bytesOnDisk: Int64 {
        files(below: "got").reduce(0) { sum, name in
            var status = stat()
            return lstat(self["got/" + name], &status) == 0 && status.st_mode & S_IFMT == S_IFREG
                ? sum + Int64(status.st_size) : sum
        }
    }

    /// - Returns: what is wrong with the file at `path`, or `nil`.
    func fault(of path: String, wanting content: Content) -> String? {
        var status = stat()
        guard lstat(path, &status) == 0 else { return "is missing" }
        let kind = status.st_mode & S_IFMT
        switch content {
        case .folder: return kind == S_IFDIR ? nil : "is no folder"
        case .link(let target):
            return (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) == target
                ? nil : "is no such link"
        case .text(let text):
            guard kind == S_IFREG else { return "is no file" }
            return FileManager.default.contents(atPath: path) == Data(text.utf8) ? nil : "holds something else"
        case .gzipped(let name, let size):
            let coded = StoredGzip.encoded(SeededContent(name: name).bytes(in: 0..<size))
            return FileManager.default.contents(atPath: path) == Data(coded) ? nil : "is not what was sent"
        case .served(let name, let size, let version):
            return Self.fault(path, SeededContent(name: name, version: version), size, isFile: kind == S_IFREG)
        case .seeded(let seed, let size):
            return Self.fault(path, SeededContent(seed: seed, version: 0), size, isFile: kind == S_IFREG)
        }
    }

    private static func fault(_ path: String, _ content: SeededContent, _ size: Int64, isFile: Bool) -> String? {
        guard isFile else { return "is no file" }
        guard let file = FileHandle(forReadingAtPath: path) else { return "cannot be read" }
        defer { try? file.close() }
        var offset: Int64 = 0
        // 64 KiB: another file is recognized before much of the content has been made.
        while let block = try? file.read(upToCount: 64 << 10), !block.isEmpty {
            let wanted = content.bytes(in: offset..<offset + Int64(block.count))
            // As `Data`, whose comparison is quick in debug builds as well.
            if block != Data(wanted) {
                let place = zip(block, wanted).enumerated().first { $0.element.0 != $0.element.1 }?.offset ?? 0
                return offset + Int64(place) < size ? "is wrong from byte \(offset + Int64(place)) on" : "is too long"
            }
            offset += Int64(block.count)
        }
        return offset == size ? nil : "has \(offset) of \(size) bytes"
    }
}
