import WinchHTTP

/// Reads the lines around one body: the head of the answer and those before it, the trailers, an FTP server's replies.
struct HeadReader {
    enum Line: Equatable {
        case other
        /// A new answer begins.
        ///
        /// - Parameter redirect: the status of the one before, when it named another address.
        case status(redirect: Int?)
        /// The head is complete.
        case end
        /// More than any correct server sends; libcurl itself would read heads without end.
        case tooMuch
    }

    /// Of the last answer.
    private(set) var head = ResponseHead()
    /// The blank line behind the head has come.
    private(set) var isWhole = false
    /// The request goes out: of FTP, the login is over.
    var isRequested = false
    private(set) var busyReply: String?
    /// An FTP server has answered SIZE with something else than a number, of which libcurl takes the last digits for the size.
    private(set) var namesNoSize = false
    /// The last refusal of an FTP server, with its code.
    private(set) var refusal: String?
    /// Blocks of its file system that an SFTP server may still fill for this user; `nil`: it was not asked, or does not tell.
    private(set) var freeBlocks: UInt64?
    private var bytes = 0
    private var lines = 0

    private static let longest = 256 << 10
    /// Over all redirects, as is their length.
    private static let mostLines = 4000

    mutating func read(_ line: UnsafeRawBufferPointer) -> Line {
        guard count(line) else { return .tooMuch }
        // The head itself is large, and this is called for each line.
        let redirect = (300...399).contains(head.status) && head.location != nil ? head.status : nil
        switch head.read(line) {
        case .field: return .other
        case .status:
            isWhole = false
            return .status(redirect: redirect)
        case .end:
            isWhole = true
            return .end
        }
    }

    mutating func read(trailer line: UnsafeRawBufferPointer) -> Line {
        guard count(line) else { return .tooMuch }
        head.read(trailer: line)
        return .other
    }

    /// - Parameter hide: takes secrets out of the server's words.
    mutating func read(reply line: UnsafeRawBufferPointer, hiding hide: (String) -> String) -> Line {
        guard count(line) else { return .tooMuch }
        if busyReply == nil {
            busyReply = FTPReply.busy(in: line, isLoggedIn: isRequested).map { FTPReply.shown($0, hiding: hide) }
        }
        refusal = FTPReply.refusal(in: line).map { FTPReply.shown($0, hiding: hide) } ?? refusal
        namesNoSize = namesNoSize || FTPReply.namesNoSize(in: line)
        if freeBlocks == nil { freeBlocks = Self.freeBlocks(in: line) }
        return .other
    }

    /// libcurl passes the answer to its command `statvfs` on as lines of names and numbers.
    private static func freeBlocks(in text: UnsafeRawBufferPointer) -> UInt64? {
        let name = "f_bavail: ".utf8
        let line = text.split(separator: UInt8(ascii: "\n")).first { $0.starts(with: name) }
        return line.flatMap { UInt64(String(decoding: $0.dropFirst(name.count), as: UTF8.self)) }
    }

    private mutating func count(_ line: UnsafeRawBufferPointer) -> Bool {
        bytes += line.count
        lines += 1
        return bytes <= Self.longest && lines <= Self.mostLines
    }
}

/// A line of an FTP server's replies whose meaning libcurl's result codes do not show.
enum FTPReply {
    /// The reply of a server that serves no further client at present; `nil` for any other line.
    ///
    /// Most say 421 in place of the greeting, some 530 after the user's name, which a wrong password has as well. A 421
    /// that ends an idle session is no such reply. 120: it serves in some minutes. A client that is logged in was let in:
    /// there only words tell a server that is full from one that cannot give this file.
    ///
    /// - Source: RFC 959, section 4.2.2; vsftpd (421), Pure-FTPd (421), ProFTPD (530), wu-ftpd (530).
    static func busy(in line: UnsafeRawBufferPointer, isLoggedIn: Bool) -> String? {
        let code = line.prefix(4)
        let isUnavailable = code.elementsEqual("421 ".utf8) || code.elementsEqual("120 ".utf8)
        guard isUnavailable || code.elementsEqual("530 ".utf8) || code.elementsEqual("530-".utf8) else { return nil }
        let reply = text(line)
        let words = reply.lowercased()
        if isUnavailable, !isLoggedIn { return idleSigns.contains(where: words.contains) ? nil : reply }
        if !isUnavailable, loginSigns.contains(where: words.contains) { return nil }
        return fullSigns.contains(where: words.contains) ? reply : nil
    }

    /// The reply of a server that does not do what it was told, the code first; `nil` for any other line.
    static func refusal(in line: UnsafeRawBufferPointer) -> String? {
        guard line.count > 3, line[0] == UInt8(ascii: "4") || line[0] == UInt8(ascii: "5"),
            line[1...2].allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            line[3] == UInt8(ascii: " ")
        else { return nil }
        return text(line)
    }

    /// `213 -1`. The time of a file, which MDTM asks for, may have a dot: `213 20240105123456.789`.
    static func namesNoSize(in line: UnsafeRawBufferPointer) -> Bool {
        guard line.starts(with: "213 ".utf8) else { return false }
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        let text = line.dropFirst(4).filter { $0 > 0x20 }
        return digits.contains(text.last ?? 0) && !text.allSatisfy { digits.contains($0) || $0 == UInt8(ascii: ".") }
    }

    private static func text(_ line: UnsafeRawBufferPointer) -> String {
        String(decoding: line, as: UTF8.self).filter { !$0.isNewline }
    }

    /// A reply for people. Its code stays, of which a short password may be a part.
    static func shown(_ reply: String, hiding hide: (String) -> String) -> String {
        let whole = String(reply.prefix(4)) + hide(String(reply.dropFirst(4)))
        return String(decoding: whole.utf8.prefix(longest), as: UTF8.self)
    }

    /// Of a longer reply the start is shown. It is cut when its secrets are hidden: a part of one would not be found.
    private static let longest = 200
    private static let idleSigns = ["timeout", "timed out", "idle"]
    /// "Too many" of these is about the password.
    private static let loginSigns = ["login", "password", "authentication", "attempt", "failure"]
    private static let fullSigns = ["too many", "maximum number", "maximum of", "connection limit"]
}
