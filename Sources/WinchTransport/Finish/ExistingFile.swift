import Glibc
import WinchModel

/// A file that has the wished name already. When there is a checksum to hold, it tells whether this is the file that is
/// wanted, before anything is asked of a server.
struct ExistingFile: Sendable {
    /// It is opened unless the file is right.
    let connection: ConnectionID
    /// Below the target folder.
    let path: String
    let size: Int64
    private let file: Descriptor
    private let demands: [ExpectedDigest]
    private let claim = FinishClaim()

    /// - Returns: `nil` when there is nothing to check, or nothing to check it by.
    init?(_ request: ConnectionRequest, in folders: FolderCache) {
        let settings = request.settings.value
        let demands = ExpectedDigest.own(settings, listed: request.listedChecksum, from: request.listedOrigin)
        guard !demands.isEmpty, settings.onConflict != .skip, request.resume == nil,
            let folder = try? folders.folder(request.folder, parts: request.name?.folders ?? [])
        else { return nil }
        let name = folder.fitting(request.preferredName)
        guard let status = folder.status(of: name), status.st_mode & S_IFMT == S_IFREG else { return nil }
        let number = openat(folder.descriptor.number, name.cBytes, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard number >= 0 else { return nil }
        (connection, path, size) = (request.connection, folder.below + name, Int64(status.st_size))
        (file, self.demands) = (Descriptor(number), demands)
    }

    /// The result is not wanted any more.
    func giveUp() { claim.interrupt() }

    /// Reads all of it: not for the loop's thread.
    ///
    /// - Parameter progress: bytes read so far, after every few megabytes.
    func isRight(progress: (Int64) -> Void) -> Bool {
        let digest = PartHasher(demands, file: file, path: path)
        return (try? digest.complete(size: size, isWanted: { !claim.isInterrupted }, progress: progress)) ?? false
    }
}
