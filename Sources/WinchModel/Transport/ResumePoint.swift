/// What is needed to resume a part file.
package struct ResumePoint: Hashable, Sendable {
    /// The path of the part file below the target folder.
    package var partPath: String
    /// The path that the complete file will get, below the target folder.
    package var targetPath: String
    /// Bytes on disk, by their positions in the file. A single connection goes on at the first gap.
    package var onDisk: ByteRanges
    /// The size of the whole file; `nil` when the server did not declare it.
    package var total: ByteCount?
    package var validator: Validator?
    /// An ETag that is no validator, but differs when the file has changed. Not stored in the ledger: the part's attributes
    /// have it.
    package var weakTag: String?
    /// Bytes that were synced and survive a power loss.
    package var durable = ByteRanges()
    /// The machine was restarted after the part was written, so bytes beyond `durable` must not be used. Otherwise all bytes
    /// of the file can be used, which may be more than `onDisk`, unless that has gaps.
    package var isAfterReboot = false
    /// The part file as this process left it; `nil` after an earlier run, until its last bytes have been
    /// compared. Not stored in the ledger.
    package var mark: FileIdentity?
    /// Disk space is reserved for the bytes that are missing, until the part is closed. Not stored in the ledger.
    package var isReserved = false
    /// Of an upload, which has no part file: what is at the server. `onDisk` are the bytes that the server has.
    @HeapOptional package var upload: UploadPlace? = nil

    /// Bytes on disk.
    package var have: ByteCount { onDisk.byteCount }

    /// - Parameter have: bytes from the start of the file, without a gap.
    package init(
        partPath: String, targetPath: String, have: ByteCount = .zero, total: ByteCount? = nil,
        validator: Validator? = nil
    ) {
        self.partPath = partPath
        self.targetPath = targetPath
        onDisk = ByteRanges(prefix: have)
        self.total = total
        self.validator = validator
    }
}

/// Identifies a version of a file at the server. Weak ETags do not qualify, nor does a Last-Modified date that is not older
/// than the Date of the response.
///
/// - Source: RFC 9110, sections 8.8.2.2 and 13.1.5.
package enum Validator: Hashable, Sendable, Codable {
    /// With its quotes.
    case strongETag(String)
    /// The date as the server sent it.
    case lastModified(String)

    /// The value for an If-Range header.
    package var headerValue: String {
        switch self {
        case .strongETag(let tag): tag
        case .lastModified(let date): date
        }
    }
}

/// Where an upload is kept at its server until it is complete.
package struct UploadPlace: Hashable, Sendable, Codable {
    /// The URL that a tus server gave the upload, or the name of the temporary file on an FTP or SFTP server. Empty: what is
    /// sent is sent whole.
    package var name: String
    /// The version of the source that is sent; `nil` for what is no file.
    package var source: FileIdentity?
    /// All of it was sent, and the connection was lost while it got its own name. `nil`: it was not.
    package var isRenaming: Bool?
    /// A request that must not be made twice is under way: unless the server refuses it, it may have been received. `nil`: none
    /// is.
    package var isUnanswered: Bool?

    package init(name: String, source: FileIdentity?) { (self.name, self.source) = (name, source) }
}

extension ResumePoint {
    /// What an upload has at its server.
    ///
    /// - Parameters:
    ///   - have: bytes that the server has, as far as is known.
    ///   - total: the size of the body; `nil`: it is not known.
    ///   - name: of the row.
    package init(upload: UploadPlace, have: ByteCount, total: ByteCount?, name: String) {
        self.init(partPath: "", targetPath: name, have: have, total: total)
        self.upload = upload
    }

    /// Why an upload that was interrupted is not sent again; `nil`: it may be.
    package var unanswered: TransferFailure? { upload?.isUnanswered == true ? .unanswered("interrupted") : nil }
}

/// The identity and state of a local file at one instant. As long as a path has the same mark, it names the same file and
/// no process has written to it.
package struct FileIdentity: Hashable, Sendable, Codable {
    package var device: UInt64
    /// The inode number.
    package var node: UInt64
    /// In bytes.
    package var length: Int64
    /// The time of the last write in nanoseconds since 1970.
    package var modified: Int64
    /// The time of the last change of the file or its attributes in nanoseconds since 1970, which no program can set: a file that
    /// was written to with its old time restored is another version. `nil`: not compared, as for partial files, whose attributes
    /// Winch itself changes.
    package var changed: Int64?

    package init(device: UInt64, node: UInt64, length: Int64, modified: Int64, changed: Int64? = nil) {
        (self.device, self.node, self.length) = (device, node, length)
        (self.modified, self.changed) = (modified, changed)
    }

    /// Where only one of them has `changed`, as one that an earlier version has stored, that is not compared.
    package static func == (left: FileIdentity, right: FileIdentity) -> Bool {
        (left.device, left.node, left.length, left.modified) == (right.device, right.node, right.length, right.modified)
            && (left.changed == nil || right.changed == nil || left.changed == right.changed)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(node)
        hasher.combine(modified)
    }
}
