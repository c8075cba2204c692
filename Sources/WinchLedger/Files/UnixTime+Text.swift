import Glibc
package import WinchModel

extension UnixTime {
    /// The calendar time as `strftime` writes it; empty when the calendar has no such time, or for more than 63 bytes.
    ///
    /// - Parameter isLocal: in the user's time zone, else in UTC.
    package func text(_ format: String, isLocal: Bool = false) -> String {
        var seconds = time_t(milliseconds / 1000)
        var parts = tm()
        guard (isLocal ? localtime_r(&seconds, &parts) : gmtime_r(&seconds, &parts)) != nil else { return "" }
        return String(unsafeUninitializedCapacity: 64) { buffer in
            buffer.withMemoryRebound(to: CChar.self) { strftime($0.baseAddress, $0.count, format, &parts) }
        }
    }
}
