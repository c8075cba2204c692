package struct Appearance: Hashable, Sendable {
    package private(set) var theme: Theme
    /// Only ASCII characters are drawn, and `letters` in text from outside.
    package var isASCII: Bool
    /// Letters beyond ASCII that text from outside may contain even if `isASCII`: those of a single-byte encoding such as
    /// Latin-1.
    package let letters: Set<Unicode.Scalar>
    /// Bars move smoothly; otherwise they jump to their values.
    package var isAnimated: Bool
    /// 1...20: more cannot be distinguished, and is expensive on a slow line.
    package private(set) var framesPerSecond: Int
    /// The colours of the terminal; `mono` if the user wants none.
    package let colors: ColorRange

    package init(
        theme: Theme = .standard, isASCII: Bool = false, isAnimated: Bool = true, framesPerSecond: Int = 20,
        colors: ColorRange = .palette, letters: Set<Unicode.Scalar> = []
    ) {
        self.theme = colors == .mono ? .mono : theme
        self.isASCII = isASCII
        self.isAnimated = isAnimated
        self.framesPerSecond = min(max(framesPerSecond, 1), 20)
        self.colors = colors
        self.letters = letters
    }

    /// Changes the theme.
    ///
    /// - Returns: `false` on a terminal without colours, where the theme stays mono.
    mutating func use(_ theme: Theme) -> Bool {
        guard colors != .mono else { return false }
        self.theme = theme
        return true
    }

    mutating func setFrames(_ perSecond: Int) { framesPerSecond = min(max(perSecond, 1), 20) }

    /// The gradient of bars and graphs; `nil` if the terminal has no true colour or the theme has no gradient.
    var gradient: Gradient? {
        colors == .full ? Gradient(from: theme.barStart.foreground, to: theme.barTip.foreground) : nil
    }

    var symbols: UnicodeAndASCIISymbols { UnicodeAndASCIISymbols(isASCII: isASCII) }
    /// Time between two frames.
    var frame: Duration { .nanoseconds(1_000_000_000 / framesPerSecond) }

    func text(_ text: some StringProtocol) -> SafeText { SafeText(text, isASCII: isASCII, letters: letters) }
}

/// The colours of the terminal, in classes for which the screen is drawn differently.
package enum ColorRange: Int, Hashable, Sendable, Comparable {
    /// No colour: bold, dim, underline and reverse only.
    case mono
    /// 8 or 16 colours of the user's own palette: no particular shade can be relied on.
    case palette
    /// 256 colours: a row can have a background shade.
    case many
    /// True colour: gradients.
    case full

    package static func < (left: ColorRange, right: ColorRange) -> Bool { left.rawValue < right.rawValue }
}

/// The symbols that the screen itself draws, each with an ASCII replacement; all from Unicode blocks that common
/// fonts cover.
struct UnicodeAndASCIISymbols: Hashable, Sendable {
    let isASCII: Bool

    var replacement: Character { isASCII ? "?" : "\u{FFFD}" }
    var ellipsis: Character { isASCII ? "~" : "…" }
    var selection: Character { isASCII ? ">" : "▸" }
    /// Before the name of a folder whose rows are shown below it, or are not.
    var open: Character { isASCII ? "-" : "▿" }
    var closed: Character { isASCII ? "+" : "▹" }
    /// In the heading of the column that rows are sorted by.
    var ascending: Character { isASCII ? "^" : "▲" }
    var descending: Character { isASCII ? "v" : "▼" }
    /// Between parts of a line.
    var dot: Character { isASCII ? "|" : "·" }
    /// Drawn for each character of a secret.
    var mask: Character { isASCII ? "*" : "•" }
    var newline: Character { isASCII ? "|" : "⏎" }

    func state(_ symbol: StateSymbol) -> Character { symbol.character(isASCII: isASCII) }

    var full: Character { isASCII ? "#" : "█" }
    /// Cells of bytes that are written but not synced: they might not survive a power loss.
    var written: Character { isASCII ? "+" : "▓" }
    var track: Character { isASCII ? "-" : "─" }
    /// Cells of a bar whose extent is only estimated.
    var hatch: Character { isASCII ? ":" : "░" }
    /// Cells of the bars in rows, which are lines, so that bars of adjacent rows stay separate: full, filled in the
    /// left half, empty in the left half, and of estimated extent.
    var line: (full: Character, half: Character, gap: Character, hatch: Character) {
        isASCII ? ("#", ">", "-", ":") : ("━", "╸", "╶", "╌")
    }
    /// A cell of a row's bar that is full in the right half.
    var rightHalf: Character { isASCII ? "-" : "╺" }
    /// The marquee of a row's bar, tail to head, left to right.
    var lineComet: [Character] { isASCII ? ["-", "#", "#", ">"] : ["╺", "━", "━", "╸"] }
    /// At the left edge of a tagged row.
    var tagBar: Character { isASCII ? "*" : "▌" }
    var tabEnds: (left: Character, right: Character) { isASCII ? ("[", "]") : ("▐", "▌") }
    /// Marks a value above the upper edge of a graph.
    var cut: Character { isASCII ? "^" : "▲" }

    /// Cells of failed and cancelled transfers in the queue's bar, so that the kinds differ without colour.
    var fullFailed: Character { isASCII ? "x" : "▓" }
    var fullCancelled: Character { isASCII ? "=" : "▒" }

    /// The cell that is `eighths` of 8 full, 1...7.
    func partial(_ eighths: Int) -> Character { isASCII ? ">" : Self.blocks[min(max(eighths, 1), 7) - 1] }

    /// Height `level` of 8 in a curve, 1...8.
    func level(_ level: Int) -> Character { (isASCII ? Self.asciiLevels : Self.levels)[min(max(level, 1), 8) - 1] }

    /// The tail and head of the marquee, left to right.
    var comet: [Character] { isASCII ? ["-", "#", "#", ">"] : ["░", "▒", "▓", "█"] }

    /// Corners, then horizontal and vertical lines of a box.
    var box: (topLeft: Character, topRight: Character, bottomLeft: Character, bottomRight: Character) {
        isASCII ? ("+", "+", "+", "+") : ("╭", "╮", "╰", "╯")
    }
    var horizontal: Character { isASCII ? "-" : "─" }
    /// Below the scale of a graph, at the start of its axis.
    var axisCorner: Character { isASCII ? "+" : "└" }
    var vertical: Character { isASCII ? "|" : "│" }

    private static let levels: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
    private static let asciiLevels: [Character] = ["_", ".", ":", "-", "=", "+", "*", "#"]
    private static let blocks: [Character] = ["▏", "▎", "▍", "▌", "▋", "▊", "▉"]
}
