import FoundationEssentials
import Glibc
public import WinchModel

extension NetworkQueue {
    /// Downloads a small body into memory, in the queue's order and within its limits.
    ///
    /// - Parameters:
    ///   - url: `http`, `https`, `ftp`, `ftps` or `sftp`.
    ///   - limit: a larger body fails with ``TransferFailure/tooLarge(limit:size:)``.
    ///   - options: as for ``add(_:mirrors:name:folder:options:startsPaused:)``; its `maxSize` is replaced by the limit.
    /// - Returns: the bytes.
    /// - Throws: ``NetworkQueueFailure``, ``TransferFailure``; `CancellationError` when the queue was closed, or the transfer
    ///   was cancelled.
    public func data(
        from url: String, atMost limit: ByteCount = ByteCount(bytes: 1 << 20), options: TransferSettings? = nil
    ) async throws -> [UInt8] {
        // The engine writes files: this one is in a folder of its own, which is removed.
        let folder = FileManager.default.temporaryDirectory.path + "/winch-data-" + UUID().uuidString
        guard mkdir(folder, 0o700) == 0 else {
            throw TransferFailure.folder(folder, reason: String(cString: strerror(errno)))
        }
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var options = options ?? settings.options
        options.maxSize = limit
        let transfer = try add(url, name: "data", folder: folder, options: options)
        let result = await transfer.result()
        switch result.ending {
        case .finished: return Array(try Data(contentsOf: URL(fileURLWithPath: folder + "/data")))
        case .failed(let failure): throw failure
        case .cancelled: throw CancellationError()
        case .unfinished:
            transfer.cancel()
            throw CancellationError()
        }
    }
}
