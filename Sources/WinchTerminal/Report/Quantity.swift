import WinchCore

/// Numbers as a person reads them in a line.
enum Quantity {
    /// `512 B`, `1.4 MiB`, `220 GiB`.
    static func bytes(_ count: Int64) -> String {
        guard count >= 1024 else { return "\(count) B" }
        var value = Double(count)
        var unit = "B"
        // 1023.5 would be rounded to 1024 of its unit.
        for larger in ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"] where value >= 1023.5 || unit == "B" {
            value /= 1024
            unit = larger
        }
        return value < 9.95 ? "\(tenths(value)) \(unit)" : "\(Int64(value.rounded())) \(unit)"
    }

    static func rate(_ rate: ByteRate) -> String {
        // No rate comes near: 2^62 bytes a second.
        bytes(Int64(min(rate.perSecond, 4.6e18))) + "/s"
    }

    /// `0.4 s`, `34 s`, `2 m 10 s`, `5 h 3 m`, `2 d 4 h`.
    static func span(_ span: Duration) -> String {
        let seconds = max(0, span.seconds)
        if seconds < 9.95 { return "\(tenths(seconds)) s" }
        let whole = Int64(seconds.rounded())
        if whole < 60 { return "\(whole) s" }
        if whole < 3600 { return "\(whole / 60) m \(whole % 60) s" }
        if whole < 86_400 { return "\(whole / 3600) h \(whole / 60 % 60) m" }
        return "\(whole / 86_400) d \(whole / 3600 % 24) h"
    }

    private static func tenths(_ value: Double) -> String {
        let tenths = Int64((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
