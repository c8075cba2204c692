/// The path for which the fault server answers with exactly these bytes.
func raw(_ pieces: String...) -> String {
    "/raw?" + pieces.map { "bytes=" + percentEncoded($0) }.joined(separator: "&")
}

/// Everything but letters and digits as `%XX`.
func percentEncoded(_ text: String) -> String {
    text.utf8.map { byte in
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"):
            return String(UnicodeScalar(byte))
        default:
            let digits = String(byte, radix: 16, uppercase: true)
            return digits.utf8.count < 2 ? "%0" + digits : "%" + digits
        }
    }.joined()
}

/// A file of the server that gives this Content-Disposition.
func disposed(_ value: String, size: String = "9") -> String {
    "/f/plain?size=\(size)&disposition=" + percentEncoded(value)
}

/// A header line as an option of the fault server.
func header(_ line: String) -> String { "header=" + percentEncoded(line) }
