/// The keys of a panel, for the box that `?` opens over it.
enum PanelKeys: Hashable, Sendable {
    case log, settings, columns

    var title: String {
        switch self {
        case .log: "Keys of the log"
        case .settings: "Keys of the settings"
        case .columns: "Keys of the columns"
        }
    }

    /// Keys and what they do.
    func lines(isASCII: Bool) -> [(keys: String, words: String)] {
        let (up, down) = (Key.up.name(isASCII: isASCII), Key.down.name(isASCII: isASCII))
        let (left, right) = (Key.left.name(isASCII: isASCII), Key.right.name(isASCII: isASCII))
        return switch self {
        case .log:
            [
                ("\(up) \(down) PgUp PgDn", "scroll"), ("g", "to the first line"), ("G", "to the last, and follow"),
                ("e w i d", "errors, warnings, info, debug and above"), ("/", "filter by words"),
                ("Esc", "clear the filter, then back"),
            ]
        case .columns:
            [
                ("\(up) \(down)", "choose a column"), ("Space", "show or hide it"),
                ("[ ]  K J", "move it to the left or right"), ("a", "the default columns"),
                ("W", "save look and settings to winch.conf"), ("Esc", "back"),
            ]
        case .settings:
            [
                ("\(up) \(down) PgUp PgDn", "choose a setting"), ("\(left) \(right) Space", "change its value"),
                ("Enter", "edit its value; Tab completes"), ("W", "save look and settings to winch.conf"),
                ("Esc", "back"),
            ]
        }
    }
}
