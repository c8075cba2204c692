import Dispatch
import Glibc
import Synchronization
package import WinchModel
import WinchScreen

/// Lists the files that complete a path being typed. Folders are read on separate threads: a file system that does
/// not answer must not block the keyboard.
package final class PathLister: Sendable {
    private let resolve: PathResolver
    private let mailbox: LoopMailbox
    /// The typed paths that threads are reading now.
    private let reading = Mutex<Set<String>>([])

    /// 4 threads: file servers that hang must not collect threads without limit, and one that hangs must not block
    /// the others.
    private static let mostThreads = 4

    /// - Parameters:
    ///   - resolve: resolves a typed path, such as `~/x`, to a path of the file system; called on any thread.
    ///   - mailbox: gets the results.
    package init(_ mailbox: LoopMailbox, resolve: @escaping PathResolver) {
        (self.mailbox, self.resolve) = (mailbox, resolve)
    }

    /// Starts to list a path and returns at once; the result comes to the mailbox. Does nothing if the path is being
    /// read already or all threads are in use.
    package func list(_ typed: String) {
        let isNew = reading.withLock { $0.count < Self.mostThreads && $0.insert(typed).inserted }
        guard isNew else { return }
        DispatchQueue(label: "winch.paths").async {
            let listing = self.listing(of: typed)
            self.reading.withLock { _ = $0.remove(typed) }
            self.mailbox.show([.paths(listing)])
        }
    }

    /// Reads the folder; may block for long.
    func listing(of typed: String) -> PathListing {
        // A folder is completed with its `/` before its files are listed.
        if typed == "~" { return PathListing(typed: typed, names: ["~/"], common: "~/") }
        let shown = PathListing.folder(of: typed)
        let beginning = String(typed.dropFirst(shown.count))
        let folder: String
        do throws(InvalidValue) {
            folder = shown.isEmpty ? "." : try resolve(shown)
        } catch {
            return PathListing(typed: typed, fault: error.message)
        }
        guard let stream = opendir(folder.cBytes) ?? opendir(EscapedName.unescaping(folder).cBytes) else {
            return PathListing(typed: typed, fault: "\(shown): \(String(cString: strerror(errno)))")
        }
        defer { closedir(stream) }
        return Self.read(stream, typed: typed, beginning: beginning)
    }

    private static func read(_ stream: OpaquePointer, typed: String, beginning: String) -> PathListing {
        var names: [String] = []
        var common: String?
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(system: bytes.prefix { $0 != 0 })
            }
            guard name != ".", name != "..", !name.hasPrefix(".") || beginning.hasPrefix(".") else {
                continue
            }
            var shown = EscapedName.escaping(name)
            guard shown.hasPrefix(beginning) else { continue }
            if isFolder(entry, name, in: stream) { shown += "/" }
            common = common?.commonPrefix(with: shown) ?? shown
            names.append(shown)
            // The memory stays bounded, no matter how many files there are.
            if names.count > 8 * PathListing.most { names = first(of: names) }
        }
        return PathListing(typed: typed, names: first(of: names), common: common ?? "")
    }

    private static func first(of names: [String]) -> [String] { Array(names.sorted().prefix(PathListing.most)) }

    /// The entry is a folder or a symbolic link to one.
    private static func isFolder(_ entry: UnsafePointer<dirent>, _ name: String, in stream: OpaquePointer) -> Bool {
        switch Int(entry.pointee.d_type) {
        case Int(DT_DIR): return true
        case Int(DT_LNK), Int(DT_UNKNOWN):
            var status = stat()
            return fstatat(dirfd(stream), name.cBytes, &status, 0) == 0 && status.st_mode & S_IFMT == S_IFDIR
        default: return false
        }
    }
}

extension String {
    fileprivate func commonPrefix(with other: String) -> String {
        String(zip(self, other).prefix { $0 == $1 }.map(\.0))
    }
}
