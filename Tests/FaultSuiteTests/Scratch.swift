import FaultServer
import Foundation
import TestSupport

/// A folder for one run: `got` is the target; `home`, `state` and `config` are the user's. Removed with its last
/// reference.
final class Scratch: Sendable {
    let path: String

    init() throws(SuiteFailure) {
        let place = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
        var template = Array("\(place)/winch-faults-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw .cannotPrepare("a folder in \(place)") }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        for folder in ["got", "home", "state", "config"] { try create(.folder, at: folder) }
    }

    deinit {
        // A folder made read-only by a case must be emptied as well.
        chmod(self["got"], 0o755)
        try? FileManager.default.removeItem(atPath: path)
    }

    subscript(_ name: String) -> String { path + "/" + name }

    /// Starts a program in the folder, on a terminal or with both its outputs appended to the file `output`.
    ///
    /// - Parameter environment: beside the usual one, which has nothing of the user who runs the tests.
    func run(
        _ program: String, _ arguments: [String], environment: [String: String] = [:], output: String = "output",
        on terminal: String? = nil
    ) throws(SuiteFailure) -> Child {
        let usual = [
            "PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "LANG": "C.UTF-8", "HOME": self["home"],
            "XDG_STATE_HOME": self["state"], "XDG_CONFIG_HOME": self["config"],
        ]
        return try Child(
            program, arguments, in: path, environment: usual.merging(environment) { $1 },
            streams: terminal.map { .terminal($0) } ?? .together(self[output]))
    }

    func write(_ text: String, to name: String) throws(SuiteFailure) { try create(.text(text), at: name) }

    func text(_ name: String) -> String {
        (FileManager.default.contents(atPath: self[name])).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    func create(_ content: Content, at name: String) throws(SuiteFailure) {
        let isDone =
            switch content {
            case .folder: mkdir(self[name], 0o755) == 0
            case .link(let target): symlink(target, self[name]) == 0
            case .text, .served, .seeded:
                // A netrc file must not be readable by others.
                FileManager.default.createFile(
                    atPath: self[name], contents: content.bytes, attributes: [.posixPermissions: 0o600])
            }
        guard isDone else { throw .cannotPrepare(name) }
    }

    /// What is directly in the folder.
    var names: Set<String> { Set((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []) }

    /// Paths of everything below a folder except non-empty folders.
    func files(below folder: String) -> Set<String> {
        let all = FileManager.default.subpaths(atPath: self[folder]) ?? []
        let parents = all.map { $0.split(separator: "/").dropLast().joined(separator: "/") }
        return Set(all).subtracting(parents)
    }

    /// `nil` if there is no regular file.
    func size(_ name: String) -> Int64? {
        var status = stat()
        return lstat(self[name], &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? Int64(status.st_size) : nil
    }

    /// Bytes of all files in the target folder.
    var bytesOnDisk: Int64 { files(below: "got").reduce(0) { $0 + (size("got/" + $1) ?? 0) } }

    /// - Returns: what is wrong with the file of that name, or `nil`.
    func fault(of name: String, wanting content: Content) -> String? {
        var status = stat()
        guard lstat(self[name], &status) == 0 else { return "is missing" }
        switch content {
        case .folder: return status.st_mode & S_IFMT == S_IFDIR ? nil : "is no folder"
        case .link(let target):
            let found = try? FileManager.default.destinationOfSymbolicLink(atPath: self[name])
            return found == target ? nil : "is no such link"
        case .text, .served, .seeded:
            guard size(name) != nil, let found = FileManager.default.contents(atPath: self[name]) else {
                return "is no file"
            }
            // As `Data`, whose comparison is quick in debug builds as well.
            let wanted = content.bytes
            if found == wanted { return nil }
            let same = zip(found, wanted).prefix { $0 == $1 }.count
            return "has \(found.count) bytes, not \(wanted.count), and is right up to \(same)"
        }
    }
}

/// What has a name in a folder.
enum Content: Sendable {
    /// As `/f/NAME` serves it.
    case served(String, size: Int64 = 64 << 10, version: Int = 0)
    /// With `seed=`.
    case seeded(UInt64, size: Int64)
    case text(String)
    case link(to: String)
    case folder

    /// Of a file; empty for others.
    var bytes: Data {
        switch self {
        case .served(let name, let size, let version):
            Data(SeededContent(name: name, version: version).bytes(in: 0..<size))
        case .seeded(let seed, let size): Data(SeededContent(seed: seed, version: 0).bytes(in: 0..<size))
        case .text(let text): Data(text.utf8)
        case .link, .folder: Data()
        }
    }
}
