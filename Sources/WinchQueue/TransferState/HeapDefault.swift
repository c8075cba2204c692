import WinchModel

/// A value that can be told from its absence: `HeapDefault` stores nothing for an empty one.
protocol Emptiable: Sendable {
    /// An empty value.
    init()
    var isEmpty: Bool { get }
    /// Holds an empty value, and is never changed.
    static var emptyBox: HeapBox<Self> { get }
}

/// A value on the heap.
///
/// `@unchecked Sendable`: `value` is written only after `HeapDefault.unique()`, so its writer holds the only reference and no
/// other thread can access it.
final class HeapBox<Value: Sendable>: @unchecked Sendable {
    /// Not checked for overlapping accesses at run time: the struct with the box is, and only through it is this changed.
    @exclusivity(unchecked) var value: Value

    init(_ value: Value) { self.value = value }
}

/// A large value that is mostly empty, stored on the heap: an empty one takes eight bytes. Has value semantics by copy on
/// write.
///
/// In the module of its users, because a generic type of another module is not specialised unless it is public: each access
/// would look up its types at run time.
@propertyWrapper struct HeapDefault<Value: Emptiable>: Sendable {
    var box: HeapBox<Value>?

    init(wrappedValue: Value) { box = wrappedValue.isEmpty ? nil : HeapBox(wrappedValue) }

    var wrappedValue: Value {
        // With one `yield`, since one with several is not inlined, and the value would be copied.
        @inline(__always) _read {
            let box = readBox
            yield box.value
        }
        _modify {
            let mine = unique()
            defer { if mine.value.isEmpty { box = nil } }
            yield &mine.value
        }
    }

    /// The stored value, or an empty one. Only for reading.
    var readBox: HeapBox<Value> { @inline(__always) get { box ?? Value.emptyBox } }

    /// Whether nothing is stored; copies nothing.
    var isNil: Bool { box == nil }

    /// Returns a box that no other copy of this value refers to.
    mutating func unique() -> HeapBox<Value> {
        if isKnownUniquelyReferenced(&box), let box { return box }
        let new = HeapBox(box?.value ?? Value())
        box = new
        return new
    }
}

/// An optional large value that is rarely present: `@HeapDefault` stores nothing for `nil`.
extension Optional: Emptiable where Wrapped: RarelyPresent {
    init() { self = nil }
    var isEmpty: Bool { self == nil }
    static var emptyBox: HeapBox<Self> { Wrapped.noneBox }
}

/// A value whose optional can be stored by `HeapDefault`.
protocol RarelyPresent: Sendable {
    /// Holds `nil`, and is never changed. Each type has its own: a generic one cannot store it.
    static var noneBox: HeapBox<Self?> { get }
}

/// An optional that takes the eight bytes of its value: `Int64.min` stands for `nil`.
@propertyWrapper struct PackedOptional<Value: Int64Representable>: Sendable {
    private var number: Int64

    init(wrappedValue: Value?) { number = wrappedValue?.number ?? .min }

    var wrappedValue: Value? {
        get { number == .min ? nil : Value(number) }
        set { number = newValue?.number ?? .min }
    }
}

/// A value that is stored as one number, for `PackedOptional`.
protocol Int64Representable: Sendable {
    var number: Int64 { get }
    init(_ number: Int64)
}

extension LedgerKey: Int64Representable {}

extension UnixTime: Int64Representable {
    var number: Int64 { milliseconds }

    init(_ number: Int64) { self.init(milliseconds: number) }
}
