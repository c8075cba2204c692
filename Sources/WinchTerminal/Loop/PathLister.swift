import Foundation
import Glibc
import Synchronization
public import WinchCore
public import WinchScreen

/// Lists what a path being typed may become. Folders are read on threads of their own: a file system that does not answer
/// must not take the keys away.
public final class PathLister: Sendable {
    /// The path that a text stands for, such as that of `~/x`.
    private let resolve: @Sendable (String) throws(ValueFault) -> String
    private let wake: @Sendable () -> Void
    private let state = Mutex(State())

    private struct State {
        var news: [ScreenEvent] = []
        /// What threads are looking for now.
        var reading: Set<String> = []
    }

    /// File servers that hang must not collect threads without end; one of them must not hold up the others.
    private static let mostThreads = 4

    /// - Parameter wake: tells the main thread to come for the news.
    public init(
        resolve: @escaping @Sendable (String) throws(ValueFault) -> String, wake: @escaping @Sendable () -> Void
    ) {
        (self.resolve, self.wake) = (resolve, wake)
    }

    /// Returns at once; the answer comes as news.
    public func list(_ typed: String) {
        let isNew = state.withLock { state in
            state.reading.count < Self.mostThreads && state.reading.insert(typed).inserted
        }
        guard isNew else { return }
        Thread.detachNewThread {
            let listing = self.listing(of: typed)
            self.state.withLock { state in
                state.reading.remove(typed)
                state.news.append(.paths(listing))
            }
            self.wake()
        }
    }

    /// What has been read since the last call.
    public func takeNews() -> [ScreenEvent] {
        state.withLock { state in
            defer { state.news = [] }
            return state.news
        }
    }

    /// Reads the folder; may take its time.
    func listing(of typed: String) -> PathListing {
        // A folder is shown with its `/` before what is in it.
        if typed == "~" { return PathListing(typed: typed, names: ["~/"], common: "~/") }
        let shown = PathListing.folder(of: typed)
        let beginning = String(typed.dropFirst(shown.count))
        let folder: String
        do throws(ValueFault) {
            folder = shown.isEmpty ? "." : try resolve(shown)
        } catch {
            return PathListing(typed: typed, fault: error.message)
        }
        guard let stream = opendir(folder) ?? opendir(EscapedName.unescaping(folder)) else {
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
                String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            // What is no UTF-8 cannot be typed either.
            guard let name, name != ".", name != "..", !name.hasPrefix(".") || beginning.hasPrefix(".") else {
                continue
            }
            var shown = EscapedName.escaping(name)
            guard shown.hasPrefix(beginning) else { continue }
            if isFolder(entry, name, in: stream) { shown += "/" }
            common = common?.commonPrefix(with: shown) ?? shown
            names.append(shown)
            // The memory stays bounded, however many files there are.
            if names.count > 8 * PathListing.most { names = first(of: names) }
        }
        return PathListing(typed: typed, names: first(of: names), common: common ?? "")
    }

    private static func first(of names: [String]) -> [String] { Array(names.sorted().prefix(PathListing.most)) }

    /// A link to a folder is one too.
    private static func isFolder(_ entry: UnsafePointer<dirent>, _ name: String, in stream: OpaquePointer) -> Bool {
        switch Int(entry.pointee.d_type) {
        case Int(DT_DIR): return true
        case Int(DT_LNK), Int(DT_UNKNOWN):
            var status = stat()
            return fstatat(dirfd(stream), name, &status, 0) == 0 && status.st_mode & S_IFMT == S_IFDIR
        default: return false
        }
    }
}

extension String {
    fileprivate func commonPrefix(with other: String) -> String {
        String(zip(self, other).prefix { $0 == $1 }.map(\.0))
    }
}
