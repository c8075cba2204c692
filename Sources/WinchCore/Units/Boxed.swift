/// A large value that is seldom there, kept on the heap: where there is none it takes eight bytes. As good as the value
/// itself: a copy that is written to becomes one of its own.
@propertyWrapper public struct Boxed<Value: Sendable>: Sendable {
    /// Written to only by `unique()`'s callers, who hold the only reference; so no two threads can meet in it.
    private final class Box: @unchecked Sendable {
        var value: Value?

        init(_ value: Value?) {
            self.value = value
        }
    }

    private var box: Box?

    public init(wrappedValue: Value?) {
        box = wrappedValue.map { Box($0) }
    }

    /// `nil`: not there.
    public var wrappedValue: Value? {
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

    private mutating func unique() -> Box {
        if isKnownUniquelyReferenced(&box), let box { return box }
        let new = Box(box?.value)
        box = new
        return new
    }
}

extension Boxed: Equatable where Value: Equatable {
    public static func == (left: Boxed, right: Boxed) -> Bool {
        left.box === right.box || left.wrappedValue == right.wrappedValue
    }
}

extension Boxed: Hashable where Value: Hashable {
    public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}

extension Boxed: Codable where Value: Codable {
    public init(from decoder: any Decoder) throws {
        self.init(wrappedValue: try decoder.singleValueContainer().decode(Value?.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }
}
