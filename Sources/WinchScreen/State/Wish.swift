import WinchCore

/// A number that was asked of the engine and is not confirmed yet: the next press counts on from it.
struct Wish<Value: Hashable & Sendable>: Hashable, Sendable {
    private var value: Value?
    private var at: Moment?

    /// The wish while it is young, else what is.
    func or(_ actual: Value, at now: Moment) -> Value {
        guard let value, let at, now - at < Self.patience else { return actual }
        return value
    }

    mutating func ask(_ value: Value, at now: Moment) {
        self.value = value
        at = now
    }

    /// 1 s: the engine answers ten times a second; an older wish was refused.
    private static var patience: Duration { .seconds(1) }
}
