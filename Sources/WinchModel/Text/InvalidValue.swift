/// Why a value that the user gave is invalid; the message shows a valid one.
package struct InvalidValue: Error, Hashable, Sendable, CustomStringConvertible {
    package let message: String

    package var description: String { message }

    package init(_ message: String) { self.message = message }
}

extension CaseIterable where Self: RawRepresentable<String> {
    /// The words that name its values: `rename, overwrite, skip or fail`.
    package static var words: String {
        let words = allCases.map(\.rawValue)
        return words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
    }
}

extension StringProtocol {
    /// The first 40 characters in single quotes, for a message.
    var quoted: String { "'\(prefix(40))'" }

    /// Why the text is not what was wanted.
    ///
    /// - Parameters:
    ///   - wanted: the end of the sentence, such as `a rate; use 500K`.
    ///   - isRight: whether another text is; `2,5M` is explained where `2.5M` is.
    fileprivate func fault(_ wanted: String, _ isRight: (String) -> Bool) -> InvalidValue {
        let parts = split(separator: ",", omittingEmptySubsequences: false)
        let meant = parts.joined(separator: ".")
        guard parts.count == 2, parts.allSatisfy({ $0.utf8.first?.isDigit ?? false }), isRight(meant) else {
            return InvalidValue("\(quoted) is not \(wanted)")
        }
        return InvalidValue("\(quoted) has a decimal comma; write \(meant)")
    }
}

extension ByteRate {
    /// Reads a rate limit. Every place that takes one uses this function: `--limit-rate` and similar options, the batch, the
    /// settings file, `:limit`, and the prompt of `x` in the dashboard.
    ///
    /// - Parameter text: `500K`, `2.5M`, `5.0 MiB/s`, `5MB`; `none`, `off`, `unlimited` or `0` removes the limit.
    /// - Returns: `nil`: no limit.
    package static func limit(reading text: some StringProtocol) throws(InvalidValue) -> ByteRate? {
        let text = String(Substring(text).trimmingBlanks())
        if ["none", "off", "unlimited"].contains(text.lowercased()) { return nil }
        if let rate = ByteRate(parsing: text) {
            if rate > .zero { return rate }
            guard text.contains(where: { ("1"..."9").contains($0) }) else { return nil }
            throw InvalidValue("\(text.quoted) is less than a byte a second; use 500K or 2M, or none")
        }
        throw text.fault("a rate; use 500K or 2M (bytes a second), or none") { ByteRate(parsing: $0) != nil }
    }
}

extension ByteCount {
    /// Reads a size above 0.
    ///
    /// - Parameter text: `500K`, `2.5 GiB`, `5MB`.
    package static func size(reading text: some StringProtocol) throws(InvalidValue) -> ByteCount {
        if let size = ByteCount(parsing: text) {
            if size > .zero { return size }
            throw InvalidValue("a size must be above 0")
        }
        throw text.fault("a size; use 500K or 2G (bytes)") { ByteCount(parsing: $0) != nil }
    }
}

extension Duration {
    /// Reads a duration.
    ///
    /// - Parameter text: `30` (seconds), `0.5`, `10s`, `1m 30s`.
    package static func span(reading text: some StringProtocol) throws(InvalidValue) -> Duration {
        if let span = Duration(parsingSeconds: text) { return span }
        throw text.fault("a time; use 30 (seconds), 0.5 or 1m 30s") { Duration(parsingSeconds: $0) != nil }
    }
}

extension Checksum {
    /// Reads a checksum: `sha-256=HEX`, or the digits alone, whose number determines the algorithm.
    package static func reading(_ text: some StringProtocol) throws(InvalidValue) -> Checksum {
        if let checksum = Checksum(text) { return checksum }
        let digits =
            text.utf8.firstIndex(of: UInt8(ascii: "=")).map { text[text.utf8.index(after: $0)...] } ?? text[...]
        if !digits.isEmpty, digits.utf8.allSatisfy(\.isHexDigit) {
            let lengths = Checksum.Algorithm.allCases.map { "\($0.rawValue) has \($0.length * 2)" }
            throw InvalidValue(
                "\(digits.utf8.count) digits fit no known type, or not the one that is named: "
                    + lengths.joined(separator: ", "))
        }
        throw InvalidValue("\(text.quoted) is not a checksum; use TYPE=HEX with md5, sha-1, sha-256 or sha-512")
    }
}

extension ByteCount {
    /// Reads `500`, `500K`, `1.5M`, `2G`, `1T`, and the forms that Winch prints: `1.5 MiB`, `500 B`. K, KB and KiB are 1024.
    ///
    /// - Returns: `nil` for anything else, for negative numbers and for more than 8 EiB.
    package init?(parsing text: some StringProtocol) {
        var digits = Substring(text).trimmingBlanks()
        var unit = 1.0
        var hasUnit = digits.dropEnd("b")
        let isBinary = hasUnit && digits.dropEnd("i")
        if let last = digits.last, let power = ["k", "m", "g", "t", "p", "e"].firstIndex(of: last.lowercased()) {
            for _ in 0...power { unit *= 1024 }
            digits = digits.dropLast()
            hasUnit = true
        } else if isBinary {
            return nil
        }
        if hasUnit { digits = digits.trimmingBlanks() }
        guard let number = Double(plain: digits), number * unit < 9e18 else { return nil }
        self.init(bytes: Int64(number * unit))
    }
}

extension ByteRate {
    /// Reads a number of bytes a second in the forms of `ByteCount`, with or without `/s`: `500K`, `5.0 MiB/s`.
    package init?(parsing text: some StringProtocol) {
        var count = Substring(text).trimmingBlanks()
        if count.dropEnd("s"), !count.dropEnd("/") { return nil }
        guard let count = ByteCount(parsing: count) else { return nil }
        self.init(perSecond: Double(count.bytes))
    }
}

extension Duration {
    /// Reads seconds, `30` or `0.5`, or numbers with units in descending order: `10s`, `1m 30s`, `2 h`, `3 d 4 h`.
    ///
    /// - Returns: `nil` for anything else, for negative numbers and for more than 100 years.
    package init?(parsingSeconds text: some StringProtocol) {
        guard let seconds = Self.seconds(Substring(text).trimmingBlanks()), seconds <= 3.2e9 else { return nil }
        self = .seconds(seconds)
    }

    private static let units: [(name: Substring, seconds: Double)] = [
        ("d", 86_400), ("h", 3600), ("min", 60), ("m", 60), ("sec", 1), ("s", 1),
    ]

    private static func seconds(_ text: Substring) -> Double? {
        if let seconds = Double(plain: text) { return seconds }
        var rest = text.lowercased()[...]
        var sum = 0.0
        var smallest = Double.infinity
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isNumber || $0 == "." }
            rest = rest.dropFirst(digits.count).trimmingBlanks()
            let name = rest.prefix(while: \.isLetter)
            guard let number = Double(plain: digits), let unit = units.first(where: { $0.name == name }),
                unit.seconds < smallest
            else { return nil }
            (sum, smallest) = (sum + number * unit.seconds, unit.seconds)
            rest = rest.dropFirst(name.count).trimmingBlanks()
        }
        return smallest < .infinity ? sum : nil
    }
}

extension Substring {
    /// Removes a letter from the end, in upper or lower case.
    ///
    /// - Returns: whether it was removed.
    fileprivate mutating func dropEnd(_ letter: String) -> Bool {
        guard last?.lowercased() == letter else { return false }
        self = dropLast()
        return true
    }
}

extension Double {
    /// Reads digits with at most one decimal point; no sign, exponent, hexadecimal or `nan`.
    fileprivate init?(plain text: some StringProtocol) {
        let isPlain = text.utf8.allSatisfy { $0.isDigit || $0 == UInt8(ascii: ".") }
        guard isPlain, let value = Double(String(text)) else { return nil }
        self = value
    }
}

extension FixedWidthInteger {
    /// Reads ASCII digits alone: no sign and no blanks. `nil` for any other text, and for a number that is too large.
    package init?(digits text: some StringProtocol) {
        guard text.utf8.allSatisfy(\.isDigit) else { return nil }
        self.init(text, radix: 10)
    }
}

extension UInt8 {
    /// An ASCII decimal digit.
    package var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    /// An ASCII letter or digit.
    package var isAlphanumeric: Bool { isDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }

    package var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
}

extension Substring {
    /// Without the blanks (space, TAB) at both ends. Works on bytes, so that a blank with a combining mark counts as a blank.
    package func trimmingBlanks() -> Substring {
        var rest = utf8.drop(while: \.isBlank)
        while let last = rest.last, last.isBlank { rest.removeLast() }
        return Substring(rest)
    }
}
