/// Identifies a transfer within one run. Numbers are given in the order of adding, from 1, and never reused.
public struct TransferID: Hashable, Comparable, Sendable {
    public let number: Int

    public init(_ number: Int) {
        self.number = number
    }

    public static func < (left: TransferID, right: TransferID) -> Bool { left.number < right.number }
}

extension TransferID: Codable {
    public init(from decoder: any Decoder) throws {
        number = try decoder.singleValueContainer().decode(Int.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(number)
    }
}
