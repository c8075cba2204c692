/// An optional that takes the eight bytes of its value: `Int64.min` stands for `nil`.
@propertyWrapper package struct Compact<Value: Numbered>: Sendable {
    private var number: Int64

    package init(wrappedValue: Value?) {
        number = wrappedValue?.number ?? .min
    }

    package var wrappedValue: Value? {
        get { number == .min ? nil : Value(number) }
        set { number = newValue?.number ?? .min }
    }
}

/// A value that is stored as one number, for `Compact`.
package protocol Numbered: Sendable {
    var number: Int64 { get }
    init(_ number: Int64)
}

extension LedgerKey: Numbered {}

extension UnixTime: Numbered {
    package var number: Int64 { milliseconds }

    package init(_ number: Int64) {
        self.init(milliseconds: number)
    }
}
