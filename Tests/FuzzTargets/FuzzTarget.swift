/// A parser of untrusted input, with the invariants that its results must satisfy for every input.
public enum FuzzTarget: String, CaseIterable, Sendable {
    case batch, settings, sums, disposition, contentRange, digest, url, path, head, resume, values, ssh, metalink, link

    /// Parses the input and checks the invariants.
    ///
    /// - Returns: the violated invariant; `nil`: none.
    public func fault(_ bytes: [UInt8]) -> String? {
        switch self {
        case .batch: BatchPromises.fault(bytes)
        case .settings: SettingPromises.fault(bytes)
        case .sums: DigestPromises.fault(list: bytes)
        case .digest: DigestPromises.fault(field: bytes)
        case .disposition: NamePromises.fault(disposition: bytes)
        case .contentRange: HeadPromises.fault(contentRange: bytes)
        case .url: NamePromises.fault(url: bytes)
        case .path: NamePromises.fault(path: bytes)
        case .head: HeadPromises.fault(head: bytes)
        case .resume: ResumePromises.fault(bytes)
        case .values: ValuePromises.fault(bytes)
        case .ssh: SSHPromises.fault(bytes)
        case .metalink: MetalinkPromises.fault(bytes)
        case .link: LinkPromises.fault(bytes)
        }
    }

    /// Words of the grammar, so that inputs reach more than the parser's first character.
    public var words: [String] {
        switch self {
        case .batch:
            [
                "http://h/a", "https://h:8/b?c#d", "ftp://u:p@h/", "\n", "\r\n", "\t", " out=", " dir=", " header=A: b",
                "#", " checksum=md5=00000000000000000000000000000000", " limit-rate=5M", " max-tries=0", " pause=true",
                "\u{FEFF}", " timeout=.5", " split=4", "..", "/", "=", " ", "\0", "\u{301}",
            ]
        case .settings:
            ["jobs", "=", " ", "\t", "\n", "\r\n", "#", "\u{FEFF}", "yes", "\u{301}", "\0", "limit-rate=5M"]
        case .sums:
            [
                String(repeating: "0", count: 32), String(repeating: "a", count: 40), String(repeating: "F", count: 64),
                String(repeating: "1", count: 128), "  ", " *", "a", "./b/c", "\n", "\r\n", "#", "\\", "\\n",
                "SHA256 (", ") = ", "MD5 (", "-----BEGIN PGP SIGNED MESSAGE-----\n", "-----BEGIN PGP SIGNATURE-----\n",
                "- ", "\u{301}",
            ]
        case .digest:
            [
                "sha-256", "sha-512", "SHA-256", "md5", "sha", "unixsum", "=:", ":", "=", ",", ", ", ";q=1", "\"", "?1",
                String(repeating: "A", count: 43) + "=", String(repeating: "B", count: 86) + "==", "AAAA", "%", " ",
                "\t", String(repeating: "C", count: 22) + "==", String(repeating: "D", count: 27) + "=",
            ]
        case .disposition:
            [
                "attachment", ";", " ", "filename", "=", "\"", "*=", "UTF-8''", "iso-8859-1'en'", "%", "%2F", "%00",
                "\\", "../", "/", "..", ".", "-", "~", "\u{202E}", "\u{301}", "\u{FF}", "\u{1B}", ".tar.gz", "\0",
                String(repeating: "n", count: 240),
            ]
        case .contentRange:
            [
                "bytes ", "bytes", "=", "0", "-", "/", "*", "499", "1234", "9223372036854775807", "9223372036854775808",
                " ", "\t",
            ]
        case .url:
            [
                "http", "https", "ftp", "sftp", "://", ":", "/", "//", "@", "user:pw@", "[", "::1", "]", ":80", ":0",
                ":65536", "?", "#", "%2F", "%00", "%2e", "..", "host", "\u{301}", "%", "a/b",
                String(repeating: "u", count: 250),
            ]
        case .path: ["/", "..", ".", "a", "\u{301}", "\u{85}", "\0", "\u{7F}", String(repeating: "p", count: 244), " "]
        case .head:
            [
                "HTTP/1.1 ", "HTTP/1.0 ", "HTTP/2 ", "200", "206", "416", "103", "301", "204", " OK", "\r\n", "\n",
                "Content-Length: ", "Content-Range: bytes ", "Transfer-Encoding: chunked", "ETag: \"a\"",
                "ETag: W/\"a\"", "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT", "Location: /", "Retry-After: ", "0-",
                "/", "*", "64", "-1", "9223372036854775807", ",", "Content-Type: multipart/byteranges",
            ]
        case .resume:
            [
                "HTTP/1.1 ", "200", "206", "416", "304", " OK", "\n", "Content-Length: ", "4000", "8096", "9000",
                "5000", "Content-Range: bytes ", "5000-8999/9000", "904-8999/9000", "0-8999/9000", "5001-8999/9000",
                "*/5000", "-", "/", "*", "9001", "9223372036854775807", "Transfer-Encoding: chunked", "ETag: \"a\"",
                "ETag: \"b\"", "ETag: W/\"a\"", "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT",
                "Last-Modified: Sun, 06 Nov 1994 08:49:38 GMT", "Content-Encoding: gzip",
                "Content-Type: multipart/byteranges",
            ]
        case .ssh:
            [
                "host ", "[host]:22 ", "*", "?", "!", ",", "|1|", "|", "AAAA", "=", "ssh-ed25519 ", " AQID",
                "@revoked ", "@cert-authority ", "#", "\n", "\r\n", "Host ", "Match ", "all", "Include x",
                "HostName %h", "Port 22", "\"", "\t", "-----BEGIN OPENSSH PRIVATE KEY-----\n",
                "-----BEGIN RSA PRIVATE KEY-----\n", "-----END ", "b3BlbnNzaC1rZXktdjEA", "Proc-Type: 4,ENCRYPTED",
                "\0", "\u{301}",
            ]
        case .link:
            [
                "<http://m/a>", "<", ">", "a", ";", ",", " ", "\t", "rel", "=", "duplicate", "\"", "\\", "describedby",
                "type", "application/metalink4+xml", "pri", "1", "anchor", "; rel=duplicate", "; rel=\"a b\"",
                "\u{301}", "\0",
            ]
        case .metalink:
            [
                "<metalink xmlns=\"urn:ietf:params:xml:ns:metalink\">",
                "<metalink xmlns=\"http://www.metalinker.org/\">", "</metalink>", "<files>", "</files>",
                "<file name=\"a\">", "</file>", "<size>", "1", "</size>", "<hash type=\"md5\">", "<hash piece=\"0\">",
                String(repeating: "0", count: 32), "</hash>", "<pieces length=\"1\" type=\"md5\">", "</pieces>",
                "<url priority=\"1\">", "http://h/a", "</url>", "<resources>", "</resources>", "<!--", "-->",
                "<![CDATA[", "]]>", "&amp;", "&#x", ";", "<!DOCTYPE a>", "<?xml version=\"1.0\"?>", "\n", "\r", "../",
                "\u{202E}", "\u{301}", "\u{FEFF}", "\0", "|",
            ]
        case .values:
            [
                "0", "1", ".", "5", "K", "M", "G", "T", "e", "-", "+", "nan", "inf", "0x", "md5", "sha-1", "sha-256",
                "=", String(repeating: "0", count: 32), String(repeating: "a", count: 64), ": ", "Name",
                "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
                "99999999999999999999",
            ]
        }
    }
}
