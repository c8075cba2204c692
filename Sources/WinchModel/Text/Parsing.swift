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

extension UInt8 {
    /// An ASCII decimal digit.
    package var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
