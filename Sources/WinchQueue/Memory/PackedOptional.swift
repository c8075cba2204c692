import WinchModel

/// An optional that takes the eight bytes of its value: `Int64.min` stands for `nil`.
@propertyWrapper struct PackedOptional<Value: Int64Representable>: Sendable {
    private var number: Int64

    init(wrappedValue: Value?) {
        number = wrappedValue?.number ?? .min
    }

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

    init(_ number: Int64) {
        self.init(milliseconds: number)
    }
}
