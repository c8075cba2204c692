extension Duration {
    /// A duration of so many seconds, clamped to 10^15 (30 million years); zero for NaN. Use it for numbers from a file:
    /// `Duration.seconds` traps on those that are too large.
    static func saturating(_ seconds: Double) -> Duration {
        guard !seconds.isNaN else { return .zero }
        return .seconds(max(-1e15, min(seconds, 1e15)))
    }
}
