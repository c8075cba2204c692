extension ByteCount {
    /// Reads `500`, `500K`, `1.5M`, `2G`, `1T`; K is 1024.
    ///
    /// - Returns: `nil` for anything else, for negative numbers and for more than 8 EiB.
    public init?(parsing text: some StringProtocol) {
        var digits = text[...]
        var unit = 1.0
        if let last = digits.last, let power = ["k", "m", "g", "t"].firstIndex(of: last.lowercased()) {
            for _ in 0...power { unit *= 1024 }
            digits = digits.dropLast()
        }
        guard let number = Double(plain: digits), number * unit < 9e18 else { return nil }
        self.init(bytes: Int64(number * unit))
    }
}

extension ByteRate {
    /// Reads a number of bytes a second as `ByteCount` does.
    public init?(parsing text: some StringProtocol) {
        guard let count = ByteCount(parsing: text) else { return nil }
        self.init(perSecond: Double(count.bytes))
    }
}

extension Duration {
    /// Reads seconds, `30` or `0.5`; not negative, at most 100 years.
    public init?(parsingSeconds text: some StringProtocol) {
        guard let seconds = Double(plain: text), seconds <= 3.2e9 else { return nil }
        self = .seconds(seconds)
    }
}

extension Double {
    /// Digits with at most one point: no sign, exponent, hexadecimal or `nan`.
    fileprivate init?(plain text: some StringProtocol) {
        let isPlain = text.utf8.allSatisfy {
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: ".")
        }
        guard isPlain, let value = Double(String(text)) else { return nil }
        self = value
    }
}
