/// Where host and port are. Read for each transfer several times, so it goes over bytes in memory, not over a collection.
extension TransferURL {
    /// Host and port as offsets into the bytes of the text.
    ///
    /// Split into bytes, not characters, as libcurl does: a slash with a combining accent still ends the host.
    struct Authority {
        /// The part from `://` on.
        var start = 0
        /// Empty when the text is malformed.
        var host = 0..<0
        /// `nil`: none, or nothing behind the colon.
        var port: Range<Int>?
        /// The slash, `?` or `#` behind it, or the end of the text.
        var end = 0

        init(_ bytes: UnsafeBufferPointer<UInt8>) {
            let colon = bytes.firstIndex(of: UInt8(ascii: ":"))
            start = colon.map { min($0 + 3, bytes.count) } ?? 0
            end = bytes[start...].firstIndex { !$0.isAuthorityByte } ?? bytes.count
            var first = start
            if let at = bytes[start..<end].lastIndex(of: UInt8(ascii: "@")) { first = at + 1 }
            guard first < end, bytes[first] == UInt8(ascii: "[") else {
                let colon = bytes[first..<end].lastIndex(of: UInt8(ascii: ":"))
                host = first..<(colon ?? end)
                port = colon.flatMap { $0 + 1 < end ? $0 + 1..<end : nil }
                return
            }
            guard let bracket = bytes[first..<end].firstIndex(of: UInt8(ascii: "]")) else { return }
            let after = bracket + 1
            guard after == end || bytes[after] == UInt8(ascii: ":") else { return }
            host = first..<after
            port = after + 1 < end ? after + 1..<end : nil
        }

        /// Host and port are written as in `hostKey`.
        func isNormal(_ bytes: UnsafeBufferPointer<UInt8>, _ scheme: Scheme) -> Bool {
            guard bytes[host].allSatisfy({ $0 < 0x80 && !$0.isUpperCase }) else { return false }
            guard let port else { return host.upperBound == end }
            return bytes[port.lowerBound] != UInt8(ascii: "0")
                && number(bytes).map(Int.init) ?? scheme.defaultPort
                    != scheme.defaultPort
        }

        /// The port in 1...65535; `nil` for anything but digits.
        func number(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt16? {
            guard let port else { return nil }
            var number = 0
            for byte in bytes[port] {
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte), number <= UInt16.max else { return nil }
                number = 10 * number + Int(byte - UInt8(ascii: "0"))
            }
            return UInt16(exactly: number).flatMap { $0 > 0 ? $0 : nil }
        }
    }

    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        text.utf8.withContiguousStorageIfAvailable(body) ?? Array(text.utf8).withUnsafeBufferPointer(body)
    }

    /// Host and port as written.
    var authority: (host: Substring, port: Substring?) {
        let authority = withBytes { Authority($0) }
        return (part(authority.host), authority.port.map(part))
    }

    private func part(_ range: Range<Int>) -> Substring {
        let bytes = text.utf8
        let start = bytes.index(bytes.startIndex, offsetBy: range.lowerBound)
        return text[start..<bytes.index(start, offsetBy: range.count)]
    }

    /// The scheme, which `init` has checked.
    public var scheme: Scheme {
        withBytes { bytes in
            switch (bytes.firstIndex(of: UInt8(ascii: ":")), bytes.first) {
            case (3, _): .ftp
            case (5, _): .https
            case (4, UInt8(ascii: "s")): .sftp
            case (4, UInt8(ascii: "f")): .ftps
            default: .http
            }
        }
    }

    /// `host`, or `host:port` when the port is not the scheme's default; lower case. The key for everything that is counted
    /// for each host, such as connections.
    public var hostKey: String {
        let scheme = scheme
        return withBytes { bytes in
            let authority = Authority(bytes)
            if authority.isNormal(bytes, scheme) {
                let end = authority.port?.upperBound ?? authority.host.upperBound
                return String(decoding: bytes[authority.host.lowerBound..<end], as: UTF8.self)
            }
            let host = String(decoding: bytes[authority.host], as: UTF8.self).lowercased()
            guard let port = authority.number(bytes), Int(port) != scheme.defaultPort else { return host }
            return "\(host):\(port)"
        }
    }

    /// The last part of the path, still percent-encoded; empty when the path ends in a slash.
    public var lastPathComponent: Substring {
        part(
            withBytes { bytes in
                let authority = Authority(bytes)
                let end = bytes[authority.start...].firstIndex(of: UInt8(ascii: "?")) ?? bytes.count
                let slash = bytes[authority.start..<end].lastIndex(of: UInt8(ascii: "/"))
                return slash.map { $0 + 1..<end } ?? end..<end
            })
    }

    /// `normal` would be the text itself.
    var isNormal: Bool {
        let scheme = scheme
        return withBytes { bytes in
            let authority = Authority(bytes)
            let end = authority.end
            guard end < bytes.count, bytes[end] == UInt8(ascii: "/"), authority.isNormal(bytes, scheme) else {
                return false
            }
            var wasSlash = false
            for byte in bytes[end...] {
                if byte == UInt8(ascii: "?") { break }
                // A segment of the path that begins with a dot may be `.` or `..`.
                if wasSlash, byte == UInt8(ascii: ".") { return false }
                wasSlash = byte == UInt8(ascii: "/")
            }
            return true
        }
    }
}

extension UInt8 {
    fileprivate var isUpperCase: Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) }
}
