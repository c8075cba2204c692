/// An immutable value on the heap, so that a hundred thousand transfers with the same settings share one copy.
public final class Shared<Value: Hashable & Sendable & Codable>: Hashable, Sendable, Codable {
    /// The shared value.
    public let value: Value

    /// Puts the value on the heap.
    public init(_ value: Value) {
        self.value = value
    }

    /// Whether the values are equal; the same object is not compared.
    public static func == (left: Shared, right: Shared) -> Bool { left === right || left.value == right.value }

    /// Hashes the value.
    public func hash(into hasher: inout Hasher) { value.hash(into: &hasher) }

    /// Decodes a value of its own.
    public init(from decoder: any Decoder) throws {
        value = try Value(from: decoder)
    }

    /// Encodes the value.
    public func encode(to encoder: any Encoder) throws {
        try value.encode(to: encoder)
    }
}
