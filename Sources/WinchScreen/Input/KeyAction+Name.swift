extension KeyAction {
    /// The name that is typed after `:` and in the settings' key lines: `pause`, `retry-failed`.
    var name: String {
        var name = ""
        for letter in rawValue {
            if letter.isUppercase { name += "-" }
            name += letter.lowercased()
        }
        return name
    }

    init?(name: some StringProtocol) {
        guard let found = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = found
    }
}
