import WinchModel

/// A value that was requested from the engine and is not confirmed yet. The next key press counts on from it.
struct PendingValue<Value: Hashable & Sendable>: Hashable, Sendable {
    private var value: Value?
    private var at: Moment?

    /// The requested value while the request is recent, else `actual`.
    func or(_ actual: Value, at now: Moment) -> Value {
        guard let value, let at, now - at < Self.timeout else { return actual }
        return value
    }

    mutating func ask(_ value: Value, at now: Moment) {
        self.value = value
        at = now
    }

    /// 1 s: the engine reports ten times a second, so an older request was refused.
    private static var timeout: Duration { .seconds(1) }
}
