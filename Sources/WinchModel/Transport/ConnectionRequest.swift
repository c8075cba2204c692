/// Everything the transport needs for one connection.
package struct ConnectionRequest: Hashable, Sendable {
    package var connection: ConnectionID
    /// It helps to fill a part that an earlier connection of the same attempt has opened, and brings the ranges that the
    /// transport finds for it. False: the first connection of an attempt.
    package var isFurther = false
    /// Connections that the file may have before long: ranges are made so that as many would end together.
    package var expected = 1
    package var url: TransferURL
    package var folder: String
    /// From `out=` or `-o`; `nil`: the server or the URL determines the name.
    package var name: TargetPath?
    package var settings: Shared<TransferSettings>
    /// As in `TransferSpec`.
    package var listedChecksum: Checksum?
    /// As in `TransferSpec`.
    package var listedOrigin: ChecksumOrigin = .list
    /// As in `TransferSpec`.
    package var pieces: PieceHashes?
    /// The size that a Metalink names, of a file without hashes; `nil`: hashes tell whether the file is right, or nothing does.
    package var listedSize: ByteCount?
    /// The connection lists this folder; `nil`: it brings or sends one file.
    package var folderOrder: FolderOrder?
    /// What a listing says of the file.
    package var listedVersion: ListedVersion?
    /// As in `TransferSpec`.
    package var namedParts = 0
    /// As in `TransferSpec`; of the first URL alone.
    package var finishedFile: FinishedFile?
    /// What is sent; `nil`: the connection downloads.
    package var upload: UploadOrder?
    /// The part file of an earlier attempt; `nil`: none.
    package var resume: ResumePoint?
    package var rateLimit: ByteRate?
    /// The bytes on disk were downloaded from another URL, which the user has replaced.
    package var isNewAddress = false
    /// The attempt before was answered with a status of failure, or its connection was lost before it brought a byte.
    package var followsRefusal = false
    /// The other URLs of the same file: a part file whose attributes name one of them belongs to this transfer.
    package var mirrors: [TransferURL] = []

    package var transfer: TransferID { connection.transfer }

    package init(
        connection: ConnectionID, url: TransferURL, folder: String, name: TargetPath?,
        settings: Shared<TransferSettings>, resume: ResumePoint? = nil, rateLimit: ByteRate? = nil
    ) {
        (self.connection, self.url, self.folder, self.name) = (connection, url, folder, name)
        (self.settings, self.resume, self.rateLimit) = (settings, resume, rateLimit)
    }
}

/// A request for the size of a file, without its body.
package struct ProbeRequest: Hashable, Sendable {
    package var id: TransferID
    package var url: TransferURL
    package var settings: Shared<TransferSettings>

    package init(id: TransferID, url: TransferURL, settings: Shared<TransferSettings>) {
        (self.id, self.url, self.settings) = (id, url, settings)
    }
}

/// Identifies a connection of this run. Reports about a connection that the queue no longer knows are late and ignored.
package struct ConnectionID: Hashable, Comparable, Sendable {
    package var transfer: TransferID
    /// Counts the cancels of the transfer.
    package var epoch: Int
    /// Counts the connections of the transfer from 1. 0: the request for its size, or none yet.
    package var number: Int

    package init(transfer: TransferID, epoch: Int = 0, number: Int = 0) {
        (self.transfer, self.epoch, self.number) = (transfer, epoch, number)
    }

    package static func < (left: ConnectionID, right: ConnectionID) -> Bool {
        (left.transfer, left.epoch, left.number) < (right.transfer, right.epoch, right.number)
    }
}
