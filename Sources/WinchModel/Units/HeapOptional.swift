/// An optional large value that is rarely present, stored on the heap: `nil` takes eight bytes. Has value semantics by copy
/// on write.
@propertyWrapper package struct HeapOptional<Value: Sendable>: Sendable {
    /// `@unchecked Sendable`: `value` is written only after `unique()`, so its writer holds the only reference and no other
    /// thread can access it.
    private final class Box: @unchecked Sendable {
        var value: Value?

        init(_ value: Value?) {
            self.value = value
        }
    }

    private var box: Box?

    package init(wrappedValue: Value?) {
        box = wrappedValue.map { Box($0) }
    }

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
    private mutating func unique() -> Box {
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

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }
}
