/// A large value that most of its owners never change: until they do it takes eight bytes, and reads as a fresh one.
@propertyWrapper struct OnDemand<Value: Sendable & Fresh>: Sendable {
    @Boxed private var kept: Value? = nil

    init() {}

    var wrappedValue: Value {
        get { kept ?? Value() }
        _modify {
            if kept == nil { kept = Value() }
            yield &kept!
        }
    }

    /// It is fresh again, and takes eight bytes.
    mutating func reset() { kept = nil }
}

/// Has a state to begin in.
protocol Fresh {
    init()
}
