extension Duration {
    /// A span of so many seconds; beyond 30 million years, so many. `Duration.seconds` traps there, and the number may
    /// come from a file.
    static func saturating(_ seconds: Double) -> Duration {
        guard !seconds.isNaN else { return .zero }
        return .seconds(max(-1e15, min(seconds, 1e15)))
    }
}
