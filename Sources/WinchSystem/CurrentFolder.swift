import Glibc
import WinchModel

/// The folder against which the process resolves relative paths.
package enum CurrentFolder {
    /// Absolute; `nil` when the folder has been removed.
    package static var path: String? {
        guard let path = getcwd(nil, 0) else { return nil }
        defer { free(path) }
        return String(systemC: path)
    }
}
