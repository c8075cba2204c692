/// An optional large value that is rarely present, stored on the heap: `nil` takes eight bytes. Has value semantics by copy
/// on write.
///
/// For this module only: a generic type is not specialised in another one unless it is public, and each access would look up
/// its types at run time.
@propertyWrapper package struct HeapOptional<Value: Sendable>: Sendable {
    /// `@unchecked Sendable`: `value` is written only after `unique()`, so its writer holds the only reference and no other
    /// thread can access it.
    final class Box: @unchecked Sendable {
        var value: Value?

        init(_ value: Value?) { self.value = value }
    }

    var box: Box?

    package init(wrappedValue: Value?) { box = wrappedValue.map { Box($0) } }

    /// The value; `nil` when there is none.
    package var wrappedValue: Value? {
        get { box?.value }
        set {
            if newValue == nil { box = nil } else { unique().value = newValue }
        }
        _modify {
            let mine = unique()
            defer { if mine.value == nil { box = nil } }
            yield &mine.value
        }
    }

    /// Returns a box that no other copy of this value refers to.
    mutating func unique() -> Box {
        if isKnownUniquelyReferenced(&box), let box { return box }
        let new = Box(box?.value)
        box = new
        return new
    }
}

extension HeapOptional: Equatable where Value: Equatable {
    package static func == (left: HeapOptional, right: HeapOptional) -> Bool {
        left.box === right.box || left.wrappedValue == right.wrappedValue
    }
}

extension HeapOptional: Hashable where Value: Hashable {
    package func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}

extension HeapOptional: Codable where Value: Codable {
    package init(from decoder: any Decoder) throws {
        self.init(wrappedValue: try decoder.singleValueContainer().decode(Value?.self))
    }

    package func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
}

/// An immutable value on the heap, so that a hundred thousand transfers with the same settings share one copy.
public final class Shared<Value: Hashable & Sendable & Codable>: Hashable, Sendable, Codable {
    public let value: Value

    public init(_ value: Value) { self.value = value }

    /// Whether the values are equal; the same object is not compared.
    public static func == (left: Shared, right: Shared) -> Bool { left === right || left.value == right.value }

    public func hash(into hasher: inout Hasher) { value.hash(into: &hasher) }

    /// Decodes a value of its own.
    public init(from decoder: any Decoder) throws { value = try Value(from: decoder) }

    public func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}
