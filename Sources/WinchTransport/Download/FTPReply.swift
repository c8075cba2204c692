/// A line of an FTP server's replies whose meaning libcurl's result codes do not show.
enum FTPReply {
    /// The reply of a server that serves no further client at present; `nil` for any other line.
    ///
    /// Most say 421 in place of the greeting, some 530 after the user's name, which a wrong password has as well. A 421
    /// that ends an idle session is no such reply.
    ///
    /// - Source: RFC 959, section 4.2.2; vsftpd (421), Pure-FTPd (421), ProFTPD (530), wu-ftpd (530).
    static func busy(in line: UnsafeRawBufferPointer) -> String? {
        let code = line.prefix(4)
        let isUnavailable = code.elementsEqual("421 ".utf8)
        guard isUnavailable || code.elementsEqual("530 ".utf8) || code.elementsEqual("530-".utf8) else { return nil }
        let reply = String(decoding: line.prefix(longest), as: UTF8.self).filter { !$0.isNewline }
        let words = reply.lowercased()
        let signs = isUnavailable ? idleSigns : fullSigns
        if !isUnavailable, loginSigns.contains(where: words.contains) { return nil }
        return signs.contains(where: words.contains) != isUnavailable ? reply : nil
    }

    /// Of a longer reply the start is shown.
    private static let longest = 200
    private static let idleSigns = ["timeout", "timed out", "idle"]
    /// "Too many" of these is about the password.
    private static let loginSigns = ["login", "password", "authentication", "attempt", "failure"]
    private static let fullSigns = ["too many", "maximum number", "maximum of", "connection limit"]
}
