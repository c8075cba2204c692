/// The style of a selected or tagged row, over its whole width.
///
/// With 256 colours, text keeps its colours on a background shade. Otherwise a selected row is drawn in one style
/// from end to end, since one colour of the user's palette on another may be unreadable.
struct RowHighlight: Hashable, Sendable {
    private enum Kind: Hashable {
        case none
        case uniform(Style)
        case behind(Style)
    }

    private let kind: Kind
    private let quiet: Style

    init(isSelected: Bool, isTagged: Bool, look: Appearance) {
        let theme = look.theme
        quiet = theme.quiet
        func shade(_ style: Style) -> Style? {
            look.colors >= .many && style.background != .standard ? style : nil
        }
        if isSelected {
            kind = shade(theme.selectedRow).map(Kind.behind) ?? .uniform(theme.selected)
        } else {
            kind = isTagged ? shade(theme.taggedRow).map(Kind.behind) ?? .none : .none
        }
    }

    var isPlain: Bool { kind == .none }

    func callAsFunction(_ style: Style) -> Style {
        switch kind {
        case .none: return style
        case .uniform(let shade):
            var shade = shade
            shade.isUnderlined = shade.isUnderlined || style.isUnderlined
            return shade
        case .behind(let shade):
            var style = style
            style.background = shade.background
            // Dim text, and text in the terminal's default colour, might be unreadable on the shade.
            if style.foreground == .standard || style.isDim || style.foreground == quiet.foreground {
                style.foreground = shade.foreground
            }
            style.isDim = false
            style.isBold = style.isBold || shade.isBold
            return style
        }
    }
}
