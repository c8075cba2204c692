/// Identifies a transfer within one run. Numbers are given in the order of adding, from 1, and never reused.
public struct TransferID: Hashable, Comparable, Sendable {
    /// From 1, in the order of adding.
    public let number: Int

    /// Wraps a number that a queue has given.
    public init(_ number: Int) {
        self.number = number
    }

    /// Whether `left` was added before `right`.
    public static func < (left: TransferID, right: TransferID) -> Bool { left.number < right.number }
}

extension TransferID: Codable {
    /// Decodes a number.
    public init(from decoder: any Decoder) throws {
        number = try decoder.singleValueContainer().decode(Int.self)
    }

    /// Encodes the number.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(number)
    }
}
