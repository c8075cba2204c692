/// A value that can be told from its absence: `HeapDefault` stores nothing for an empty one.
package protocol Emptiable: Sendable {
    /// An empty value.
    init()
    var isEmpty: Bool { get }
}

/// A large value that is mostly empty, stored on the heap: an empty one takes eight bytes. Has value semantics by copy on
/// write.
@propertyWrapper package struct HeapDefault<Value: Emptiable>: Sendable {
    /// `@unchecked Sendable`: `value` is written only after `unique()`, so its writer holds the only reference and no other
    /// thread can access it.
    @usableFromInline final class Box: @unchecked Sendable {
        @usableFromInline var value: Value

        @inlinable init(_ value: Value) {
            self.value = value
        }
    }

    @usableFromInline var box: Box?

    @inlinable package init(wrappedValue: Value) {
        box = wrappedValue.isEmpty ? nil : Box(wrappedValue)
    }

    @inlinable package var wrappedValue: Value {
        _read {
            if let box { yield box.value } else { yield Value() }
        }
        _modify {
            let mine = unique()
            defer { if mine.value.isEmpty { box = nil } }
            yield &mine.value
        }
    }

    /// Whether nothing is stored; copies nothing.
    @inlinable package var isNil: Bool { box == nil }

    /// Returns a box that no other copy of this value refers to.
    @inlinable mutating func unique() -> Box {
        if isKnownUniquelyReferenced(&box), let box { return box }
        let new = Box(box?.value ?? Value())
        box = new
        return new
    }
}
