/// A value that can be told from its absence: `HeapDefault` stores nothing for an empty one.
protocol Emptiable {
    /// An empty value.
    init()
    var isEmpty: Bool { get }
}

/// A large value that is mostly empty, stored on the heap: an empty one takes eight bytes. Has value semantics by copy on
/// write.
///
/// In the module of its users, because a generic type of another module is not specialised unless it is public: each access
/// would look up its types at run time.
@propertyWrapper struct HeapDefault<Value: Emptiable & Sendable>: Sendable {
    /// `@unchecked Sendable`: `value` is written only after `unique()`, so its writer holds the only reference and no other
    /// thread can access it.
    final class Box: @unchecked Sendable {
        var value: Value

        init(_ value: Value) {
            self.value = value
        }
    }

    var box: Box?

    init(wrappedValue: Value) {
        box = wrappedValue.isEmpty ? nil : Box(wrappedValue)
    }

    var wrappedValue: Value {
        @inline(__always) _read {
            if let box { yield box.value } else { yield Value() }
        }
        _modify {
            let mine = unique()
            defer { if mine.value.isEmpty { box = nil } }
            yield &mine.value
        }
    }

    /// Whether nothing is stored; copies nothing.
    var isNil: Bool { box == nil }

    /// Returns a box that no other copy of this value refers to.
    mutating func unique() -> Box {
        if isKnownUniquelyReferenced(&box), let box { return box }
        let new = Box(box?.value ?? Value())
        box = new
        return new
    }
}

/// An optional large value that is rarely present: `@HeapDefault` stores nothing for `nil`.
extension Optional: Emptiable {
    init() { self = nil }
    var isEmpty: Bool { self == nil }
}
