import TestSupport
import Testing

@testable import WinchModel
@testable import WinchScreen

/// Whole screens with their styles. `Golden` describes how to record them again.
@Suite struct `The screens of all panels` {
    enum Panel: String, CaseIterable {
        case table, details, log, settings, help, command, question, columns
        /// Details of a file that comes over several connections.
        case connections
        /// Rows grouped by folder.
        case folders
    }

    struct Appearance: CustomTestStringConvertible {
        let panel: Panel
        let columns: Int
        let rows: Int
        let isASCII: Bool

        var name: String { "\(panel.rawValue)-\(columns)x\(rows)-\(isASCII ? "ascii" : "utf8")" }
        var testDescription: String { name }

        static let all = Panel.allCases.flatMap { panel in
            [(200, 60), (120, 36), (80, 24), (40, 10)].flatMap { columns, rows in
                [false, true].map { Appearance(panel: panel, columns: columns, rows: rows, isASCII: $0) }
            }
        }
    }

    private static let settings = SettingsList([
        .init(name: "dir", value: "/home/me/haul", origin: .file(line: 2), description: "The folder for the files."),
        .init(name: "jobs", value: "4", origin: .standard, description: "Simultaneous downloads."),
        .init(name: "limit-rate", value: "none", origin: .environment, description: "Bytes a second over all."),
        .init(name: "theme", value: "dark", origin: .flag, description: "Colours."),
        .init(name: "user-agent", value: "東京/1.0", origin: .flag, description: "What Winch calls itself."),
    ])

    private func canvas(_ look: Appearance) -> Canvas {
        var sitting = Sitting(columns: look.columns, lines: look.rows)
        sitting.dashboard = Dashboard(
            title: "urls.txt", look: WinchScreen.Appearance(isASCII: look.isASCII), columns: look.columns,
            rows: look.rows,
            settings: Self.settings)
        let update: Update =
            switch look.panel {
            case .connections: SplitScene.update
            case .folders: .all(Scenes.folders)
            default: .lively
            }
        sitting.update(update)
        sitting.wait(0.6)
        sitting.handle(.tick)
        sitting.press("j", "j")
        switch look.panel {
        case .table: break
        case .folders: sitting.press("f", "g", "j", "j", "j", .left, "j", .right)
        case .details, .connections: sitting.press(.enter)
        case .log: sitting.press("l", "d")
        case .settings: sitting.press("S", "j")
        case .help: sitting.press("?")
        case .command: for key in [":", "t", "h", .tab, .tab] as [Key] { sitting.press(key) }
        case .question: sitting.press("c")
        case .columns: sitting.press("C", "j")
        }
        return sitting.canvas
    }

    @Test(arguments: Appearance.all)
    func `match their recordings`(look: Appearance) throws {
        let canvas = canvas(look)
        let text = canvas.text
        if look.isASCII { expect(text.allSatisfy { $0.isASCII }) }
        expect(text.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control })
        expect(!text.unicodeScalars.contains { $0.properties.isBidiControl })
        try Golden.expect(canvas.golden, is: look.name)
    }
}

extension Canvas {
    /// The screen, then for each line the letters of its styles, then the style of each letter.
    fileprivate var golden: String {
        var styles: [Style] = [.plain]
        var looks: [String] = []
        for row in 0..<rows {
            var letters = ""
            for cell in line(row) {
                if cell.text == nil { continue }
                let place = styles.firstIndex(of: cell.style) ?? styles.count
                if place == styles.count { styles.append(cell.style) }
                letters += place == 0 ? "." : String(Unicode.Scalar(UInt8(96 + min(place, 26))))
            }
            while letters.last == "." { letters.removeLast() }
            looks.append(letters)
        }
        let legend = styles.enumerated().dropFirst().map { place, style in
            "\(String(Unicode.Scalar(UInt8(96 + min(place, 26))))) \(style.words)"
        }
        return (lines + ["---"] + looks + ["---"] + legend).joined(separator: "\n") + "\n"
    }
}

extension Style {
    fileprivate var words: String {
        var words: [String] = []
        if foreground != .standard { words.append("\(foreground)") }
        if background != .standard { words.append("on \(background)") }
        if isBold { words.append("bold") }
        if isDim { words.append("dim") }
        if isReverse { words.append("reverse") }
        if isUnderlined { words.append("underlined") }
        return words.joined(separator: " ")
    }
}
