import Glibc
import WinchHTTP
import WinchModel

/// Decides whether a part belongs to a transfer, before anything is written to it. The name proves nothing: a finished
/// file may be called `x.part` as well.
struct PartClaim {
    /// Where the bytes may come from, without logins.
    let addresses: [String]
    /// The resume point of an earlier attempt or run; `nil`: only the name is known.
    let lastKnown: ResumePoint?
    /// A part with a strong ETag may also be of one of the addresses with another query, as a URL has that was signed anew.
    let acceptsOtherQuery: Bool
    /// A hash of the whole file is demanded, which proves also bytes of unknown origin.
    let hasHashes: Bool

    init(
        _ urls: [TransferURL], lastKnown: ResumePoint? = nil, acceptsOtherQuery: Bool = false, hasHashes: Bool = false
    ) {
        addresses = urls.map(\.redacted)
        self.lastKnown = lastKnown
        self.acceptsOtherQuery = acceptsOtherQuery
        self.hasHashes = hasHashes
    }

    enum Ownership {
        /// Device, inode, length and time of the last write are as this process left them.
        case unchanged
        /// Its attributes name one of the addresses.
        case named
        /// It is the transfer's, and its bytes are of no use: they are marked as wrong, or nothing proves them.
        case rejected
        /// A resume point names it, and its attributes name no other address: its bytes must be compared before it is written
        /// to. Or they name an address with another query: the server's ETag must be the same.
        case presumed
        case foreign
    }

    func ownership(of file: Descriptor, _ status: stat) -> Ownership {
        if Attribute.rejected.get(from: file).map(belongsToTransfer) ?? false { return .rejected }
        let isUnproved = !hasHashes && Attribute.adopted.get(from: file) != nil
        if let mark = lastKnown?.mark, mark == FileIdentity(status) { return isUnproved ? .rejected : .unchanged }
        if let url = Attribute.url.get(from: file) {
            if belongsToTransfer(url) { return isUnproved ? .rejected : .named }
            if acceptsOtherQuery, !isUnproved, isOfOtherQuery(url, file) { return .presumed }
        } else if Attribute.origin.get(from: file) != nil {
            // A finished file.
            return .foreign
        }
        return lastKnown == nil || isUnproved ? .foreign : .presumed
    }

    private func isOfOtherQuery(_ url: String, _ file: Descriptor) -> Bool {
        guard PartAttributes.read(from: file)?.version.validator?.isStrongETag ?? false,
            Attribute.rejected.get(from: file) == nil
        else { return false }
        let path = url.utf8.prefix { $0 != UInt8(ascii: "?") }
        return addresses.contains { $0.utf8.prefix { $0 != UInt8(ascii: "?") }.elementsEqual(path) }
    }

    /// Another spelling of the same address is the same.
    private func belongsToTransfer(_ address: String) -> Bool {
        if addresses.contains(address) { return true }
        return (try? TransferURL(address)).map { addresses.contains($0.redacted) } ?? false
    }
}

extension PartClaim {
    /// Opens a file of the user's own that has one name only and is not being written by another process. Changes nothing.
    static func open(_ name: String, in folder: TargetFolder) -> (file: Descriptor, status: stat)? {
        guard let file = Descriptor.open(name, in: folder.descriptor, O_RDWR | O_NOFOLLOW | O_NONBLOCK),
            let status = file.status, status.isFile, status.st_nlink == 1, status.st_uid == geteuid()
        else { return nil }
        // File systems without locks answer otherwise than EWOULDBLOCK; there it is used unlocked.
        guard flock(file.number, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else { return nil }
        return (file, status)
    }

    /// Removes what attempts have left of a file that is here: nothing will go on with it.
    ///
    /// - Returns: as `remove`.
    @discardableResult func removeParts(of target: String, in folder: TargetFolder) -> [Descriptor] {
        folder.partNames(of: target).compactMap { remove($0, in: folder) }
    }

    /// Removes the part if it belongs to the transfer.
    ///
    /// - Returns: the file, which may take long to close; `nil`: nothing was removed.
    func remove(_ name: String, in folder: TargetFolder) -> Descriptor? {
        guard let (file, status) = Self.open(name, in: folder) else { return nil }
        switch ownership(of: file, status) {
        case .unchanged, .named, .rejected: break
        case .presumed:
            // Where files have no attributes, the resume point and a length that fits must suffice.
            guard let lastKnown, !Attribute.exist(on: file), status.st_size >= lastKnown.onDisk.end,
                status.st_size <= lastKnown.total?.bytes ?? .max
            else { return nil }
        case .foreign: return nil
        }
        folder.unlink(name)
        return file
    }
}
