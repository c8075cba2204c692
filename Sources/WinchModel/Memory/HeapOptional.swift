/// An optional large value that is rarely present, stored on the heap: `nil` takes eight bytes. Has value semantics by copy
/// on write.
///
/// Inlinable, so that other modules access it without looking up its type at run time.
@propertyWrapper package struct HeapOptional<Value: Sendable>: Sendable {
    /// `@unchecked Sendable`: `value` is written only after `unique()`, so its writer holds the only reference and no other
    /// thread can access it.
    @usableFromInline final class Box: @unchecked Sendable {
        @usableFromInline var value: Value?

        @inlinable init(_ value: Value?) {
            self.value = value
        }
    }

    @usableFromInline var box: Box?

    @inlinable package init(wrappedValue: Value?) {
        box = wrappedValue.map { Box($0) }
    }

    /// The value; `nil` when there is none.
    @inlinable package var wrappedValue: Value? {
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

    /// Whether there is no value; copies none.
    @inlinable package var isNil: Bool { box == nil }

    /// Returns a box that no other copy of this value refers to.
    @inlinable mutating func unique() -> Box {
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
