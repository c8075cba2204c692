import Glibc

/// `Sun, 06 Nov 1994 08:49:37 GMT`, the one form that RFC 9110 (section 5.6.7) allows a server to send.
enum DateField {
    /// - Parameter seconds: since 1970, within the years 0 to 9999 or so.
    static func text(_ seconds: Int64) -> String {
        var seconds = time_t(seconds)
        var parts = tm()
        guard gmtime_r(&seconds, &parts) != nil else { return "" }
        return String(unsafeUninitializedCapacity: 64) { buffer in
            buffer.withMemoryRebound(to: CChar.self) {
                strftime($0.baseAddress, $0.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
            }
        }
    }
}
