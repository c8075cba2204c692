/// The selected setting and the scroll position of the settings panel.
struct SettingsView: Hashable, Sendable {
    var index = 0
    var top = 0
    /// The selected setting's value, while it is edited.
    var typing: CommandPrompt?

    /// Selects another setting and scrolls it into view.
    mutating func move(to target: Int, count: Int, height: Int) {
        index = min(max(0, target), max(0, count - 1))
        top = min(top, index)
        top = max(top, index - height + 1, 0)
        top = min(top, max(0, count - height))
    }
}
