/// Why a value that the user gave is invalid; the message shows a valid one.
package struct InvalidValue: Error, Hashable, Sendable {
    package let message: String

    package init(_ message: String) {
        self.message = message
    }
}

extension StringProtocol {
    /// The first 40 characters in single quotes, for a message.
    var quoted: String { "'\(prefix(40))'" }

    /// `2.5M` for `2,5M`; `nil` when the text has no decimal comma.
    fileprivate var withPoint: String? {
        let parts = split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.utf8.first?.isDigit ?? false }) else { return nil }
        return parts.joined(separator: ".")
    }
}

extension ByteRate {
    /// Reads a rate limit. Every place that takes one uses this function: `--limit-rate` and similar options, the batch, the
    /// settings file, `:limit`, and the prompt of `x` in the dashboard.
    ///
    /// - Parameter text: `500K`, `2.5M`, `5.0 MiB/s`, `5MB`; `none`, `off`, `unlimited`, `0` or an empty text removes the limit.
    /// - Returns: `nil`: no limit.
    package static func limit(reading text: some StringProtocol) throws(InvalidValue) -> ByteRate? {
        let text = String(Substring(text).trimmingBlanks())
        if ["", "none", "off", "unlimited"].contains(text.lowercased()) { return nil }
        if let rate = ByteRate(parsing: text) { return rate > .zero ? rate : nil }
        if let meant = text.withPoint, ByteRate(parsing: meant) != nil {
            throw InvalidValue("\(text.quoted) has a decimal comma; write \(meant)")
        }
        throw InvalidValue("\(text.quoted) is not a rate; use 500K or 2M (bytes a second), or none")
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
        if let meant = text.withPoint, ByteCount(parsing: meant) != nil {
            throw InvalidValue("\(text.quoted) has a decimal comma; write \(meant)")
        }
        throw InvalidValue("\(text.quoted) is not a size; use 500K or 2G (bytes)")
    }
}

extension Duration {
    /// Reads a duration.
    ///
    /// - Parameter text: `30` (seconds), `0.5`, `10s`, `1m 30s`.
    package static func span(reading text: some StringProtocol) throws(InvalidValue) -> Duration {
        if let span = Duration(parsingSeconds: text) { return span }
        if let meant = text.withPoint, Duration(parsingSeconds: meant) != nil {
            throw InvalidValue("\(text.quoted) has a decimal comma; write \(meant)")
        }
        throw InvalidValue("\(text.quoted) is not a time; use 30 (seconds), 0.5 or 1m 30s")
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
