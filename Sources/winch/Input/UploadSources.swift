import Glibc
import WinchBatch
import WinchModel
import WinchTransport

/// The local files of an upload, before anything is sent.
enum UploadSources {
    /// What is wrong with the files, in the order of a form's fields.
    static func problems(of order: UploadOrder) -> [(severity: BatchProblem.Severity, message: String)] {
        switch order.content {
        case .file(let path): problem(of: path, mayBeStream: order.httpProtocol == .plain).map { [$0] } ?? []
        case .form(let fields): fields.compactMap(\.file).compactMap { problem(of: $0, mayBeStream: false) }
        case .folder, .standardInput, .open: []
        }
    }

    private static func problem(
        of path: String, mayBeStream: Bool
    ) -> (severity: BatchProblem.Severity, message: String)? {
        guard let status = FileStatus.of(path) else { return (.error, "\(path): \(String(cString: strerror(errno)))") }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: return (.error, "\(path) is a folder; winch put -r sends folders")
        case S_IFIFO where mayBeStream: return nil
        default: return (.error, "\(path) is neither a file nor a FIFO")
        }
        guard access(path.cBytes, R_OK) == 0 else { return (.error, "\(path): \(String(cString: strerror(errno)))") }
        return status.st_size == 0 && !UnsizedFile.hasOtherSize(path, status) ? (.warning, "\(path) is empty") : nil
    }
}
