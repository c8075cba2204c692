/// Formats numbers as short text for the user. Values are rounded down, so that the text
/// never shows more bytes or time than were reached.
package enum NumberFormat {
    /// `999 B`, `1.0 KiB`, `12.3 MiB`, `123 GiB`; at most 8 characters, one more when negative.
    package static func bytes(_ count: ByteCount) -> String {
        let unit = Unit.fitting(count.bytes.magnitude)
        return (count.bytes < 0 ? "-" : "") + unit.number(count.bytes.magnitude) + " " + unit.name
    }

    /// `1,000`, `12,345`: digits in threes.
    package static func count(_ number: Int) -> String {
        let digits = Array(String(number.magnitude))
        let groups = digits.indices.reduce(into: "") { text, index in
            if index > 0, (digits.count - index).isMultiple(of: 3) { text.append(",") }
            text.append(digits[index])
        }
        return (number < 0 ? "-" : "") + groups
    }

    /// `12.3 MiB/s`; at most 10 characters.
    package static func rate(_ rate: ByteRate) -> String {
        let perSecond = rate.perSecond.isNaN ? 0 : max(-largestRate, min(rate.perSecond, largestRate))
        return bytes(ByteCount(bytes: Int64(perSecond.rounded()))) + "/s"
    }

    /// Completed and total: `1.2/2.8 GiB` when both have the same unit, else `3.0 MiB/2.8 GiB`; `3.0 MiB/?` while the size
    /// is unknown. At most 17 characters.
    package static func progress(_ have: ByteCount, of size: ByteCount?) -> String {
        guard let size else { return bytes(have) + "/?" }
        let whole = Unit.fitting(size.bytes.magnitude)
        if have.bytes == 0 { return "0/" + bytes(size) }
        if have.bytes > 0, Unit.fitting(have.bytes.magnitude) == whole {
            return whole.number(have.bytes.magnitude) + "/" + bytes(size)
        }
        return bytes(have) + "/" + bytes(size)
    }

    /// 2^62: a `Double` below it converts to `Int64` without a trap.
    private static let largestRate = 4_611_686_018_427_387_904.0
}

/// A power of 1024 with its name.
private struct Unit: Equatable {
    let name: String
    let shift: UInt64

    static func fitting(_ count: UInt64) -> Unit {
        units.last { count >> $0.shift > 0 } ?? units[0]
    }

    /// One digit after the decimal point below 100, none from 100 on and for bytes. `rest * 10` cannot overflow, because
    /// `rest` is below 2^60.
    func number(_ count: UInt64) -> String {
        let whole = count >> shift
        guard shift > 0, whole < 100 else { return "\(whole)" }
        let rest = count & ((1 << shift) - 1)
        return "\(whole).\((rest * 10) >> shift)"
    }

    private static let units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"].enumerated()
        .map { Unit(name: $1, shift: UInt64($0) * 10) }
}
