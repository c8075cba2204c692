/// Whether an FTP server is asked to encrypt, by AUTH TLS. `ftps` URLs are always encrypted.
public enum FTPEncryption: String, Hashable, Sendable, Codable, CaseIterable {
    /// If the server can.
    case `try`
    /// The transfer fails if the server cannot.
    case require
    /// It is not asked.
    case off
}
