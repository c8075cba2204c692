extension Int {
    /// The number with its noun: `1 download`, `2 downloads`.
    func counted(_ noun: String) -> String { self == 1 ? "1 \(noun)" : "\(self) \(noun)s" }
}
