/// Names one transfer for the length of a run. Given in the order of adding, from 1; never used twice.
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
