/// Where an upload is kept at its server until it is complete.
package struct UploadPlace: Hashable, Sendable, Codable {
    /// The URL that a tus server gave the upload, or the name of the temporary file on an FTP or SFTP server. Empty: what is
    /// sent is sent whole.
    package var name: String
    /// The version of the source that is sent; `nil` for what is no file.
    package var source: FileIdentity?
    /// All of it was sent, and the connection was lost while it got its own name. `nil`: it was not.
    package var isRenaming: Bool?

    package init(name: String, source: FileIdentity?) {
        self.name = name
        self.source = source
    }
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
}
