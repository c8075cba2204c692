import Foundation
import Resources
import TestSupport
import Testing
import WinchBatch

@testable import WinchModel
@testable import WinchScreen

@Suite struct `The built-in themes` {
    @Test func `include the five documented ones and have no problems`() {
        expectAtLeast(Theme.builtIn.count, 5)
        for name in ["dark", "light", "high-contrast", "mono", "rainbow"] { expect(Theme.named(name) != nil) }
        expectEqual(Theme.named("standard"), Theme.standard)
        expectNil(Theme.named("none such"))
        for (name, text) in Resources.themes {
            expect(Theme.parsing(text, name: name).problems.isEmpty, "\(name)")
        }
        expectEqual(Theme.named("mono"), Theme.mono)
    }

    @Test func `have a style for every role in the base theme`() {
        let text = String(decoding: Resources.themes.first { $0.name == "mono" }?.text ?? [], as: UTF8.self)
        for role in Theme.roles { expect(text.contains("\n\(role.name)="), "\(role.name)") }
    }

    @Test func `draw the same characters, so that no state is shown by colour alone`() {
        let pictures = Theme.builtIn.map { theme in
            Sitting(Scenes.busy, columns: 120, lines: 30, look: Appearance(theme: theme, isAnimated: false)).canvas.text
        }
        expectEqual(Set(pictures).count, 1)
    }

    @Test func `are selected in turn by t`() {
        var sitting = Sitting(Scenes.busy)
        var seen: [String] = []
        for _ in Theme.builtIn {
            sitting.press("t")
            seen.append(sitting.dashboard.look.theme.name)
        }
        expectEqual(Set(seen).count, Theme.builtIn.count)
        expectEqual(seen.last, "dark")
        expect(sitting.message.contains("Theme dark"))
    }

    @Test func `and the user's own report their problems when they are selected`() {
        var sea = Theme.parsing("waves=high\nmoving=redd\n".utf8, name: "own")
        sea.theme.problems = sea.problems.map { "sea.theme:\($0.line): \($0.message)" }
        var sitting = Sitting(Scenes.busy)
        sitting.dashboard.use(sea.theme, now: sitting.now)
        expect(sitting.message.contains("Theme own; sea.theme:1: unknown name: waves (and 1 more in the log)"))
        let journal = sitting.dashboard.journal
        expectEqual(
            (journal.first..<journal.end).compactMap { journal[$0]?.message }.suffix(2), sea.theme.problems[...])
    }

    @Test func `are replaced by mono where there is no colour`() {
        var sitting = Sitting(Scenes.busy, look: Appearance(colors: .mono))
        sitting.press("t")
        expectEqual(sitting.dashboard.look.theme.name, "mono")
        expect(sitting.message.contains("This terminal has no colours"))
    }
}

/// Contrast by WCAG 2.1, for styles of which both colours are given, or of themes for a dark background.
@Suite struct `The contrast of the built-in themes` {
    private func luminance(_ color: Color) -> Double? {
        guard case .rgb(let red, let green, let blue) = color else { return nil }
        func linear(_ value: UInt8) -> Double {
            let part = Double(value) / 255
            return part > 0.040_45 ? pow((part + 0.055) / 1.055, 2.4) : part / 12.92
        }
        return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }

    private func contrast(_ one: Color, _ other: Color) -> Double? {
        guard let one = luminance(one), let other = luminance(other) else { return nil }
        return (max(one, other) + 0.05) / (min(one, other) + 0.05)
    }

    @Test(arguments: Theme.builtIn)
    func `is sufficient on the backgrounds of rows and tabs`(theme: Theme) {
        for style in [theme.selected, theme.selectedRow, theme.taggedRow, theme.tab] {
            if let contrast = contrast(style.foreground, style.background) { expectAtLeast(contrast, 4.5, "\(style)") }
        }
        for role in [theme.moving, theme.warning, theme.failure, theme.done, theme.paused, theme.tagged] {
            for shade in [theme.selectedRow, theme.taggedRow] {
                if let contrast = contrast(role.foreground, shade.background) {
                    expectAtLeast(contrast, 4.5, "\(role) on \(shade)")
                }
            }
        }
    }

    @Test(arguments: ["ember", "ocean"])
    func `is sufficient on a dark background, for dimmed text too`(name: String) throws {
        let theme = try require(Theme.named(name))
        for ground in [Color.rgb(red: 0, green: 0, blue: 0), .rgb(red: 30, green: 34, blue: 42)] {
            for style in [theme.text, theme.moving, theme.done, theme.warning, theme.failure, theme.paused, theme.key] {
                try expectAtLeast(require(contrast(style.foreground, ground)), 4.5, "\(style)")
            }
            for style in [theme.quiet, theme.cancelled, theme.debug, theme.heading] {
                try expectAtLeast(require(contrast(style.foreground, ground)), 3, "\(style)")
            }
        }
    }
}

@Suite struct `The rainbow of a bar` {
    @Test func `has one cycle over the bar and moves to the right`() {
        expectEqual(Hue.rainbow(x: 0, width: 36, time: .zero), Hue.color(degrees: 0))
        expectEqual(Hue.rainbow(x: 18, width: 36, time: .zero), Hue.color(degrees: 180))
        expectEqual(Hue.rainbow(x: 36, width: 36, time: .zero), Hue.color(degrees: 0))
        // 62.5 degrees a second: after 2.88 s the colours have moved by half a bar.
        expectEqual(Hue.rainbow(x: 18, width: 36, time: .seconds(2.88)), Hue.color(degrees: 0))
        expectEqual(Hue.rainbow(x: 0, width: 36, time: .seconds(5.76)), Hue.color(degrees: 0))
    }
}

@Suite struct `A theme` {
    private func parse(_ text: String) -> (theme: Theme, problems: [BatchProblem]) {
        Theme.parsing(text.utf8, name: "own")
    }

    @Test func `consists of lines with names and values`() {
        let (theme, problems) = parse(
            """
            # mine
            moving=cyan
            done=bright-green bold
            selected=black on #ff8800 underline
            quiet = dim
            bar-moving=default
            rainbow=yes

            """)
        expect(problems.isEmpty)
        expectEqual(theme.name, "own")
        expectEqual(theme.moving, Style(foreground: .ansi(6)))
        expectEqual(theme.done, Style(foreground: .ansi(10), isBold: true))
        expectEqual(
            theme.selected,
            Style(foreground: .ansi(0), background: .rgb(red: 255, green: 136, blue: 0), isUnderlined: true))
        expectEqual(theme.quiet, Style(isDim: true))
        expect(theme.isRainbow)
        expectEqual(theme.heading, Theme.mono.heading, "what is not named is as in mono")
    }

    @Test func `may be based on another theme`() {
        let (theme, problems) = parse("base=dark\nfailure=magenta\n")
        expect(problems.isEmpty)
        expectEqual(theme.name, "own")
        expectEqual(theme.moving, Theme.standard.moving)
        expectEqual(theme.failure, Style(foreground: .ansi(5)))
    }

    @Test(
        arguments: [
            ("nonsense", "name=value"), ("colour=red", "unknown name: colour"), ("moving=redd", "no colour"),
            ("moving=red on", "a colour is missing after on"),
            ("headnig=red", "unknown name: headnig; did you mean heading?"),
            ("base=nowhere", "there is no theme nowhere"),
            ("rainbow=perhaps", "rainbow is yes or no"), ("moving=#12345", "no colour"),
            ("moving=#gggggg", "no colour"),
        ])
    func `reports an invalid line by its number and keeps the others`(line: String, message: String) throws {
        let (theme, problems) = parse("# first\ndone=green\n\(line)\npaused=blue")
        let problem = try require(problems.first)
        expectEqual(problems.count, 1)
        expectEqual(problem.line, 3)
        expect(problem.message.contains(message))
        expectEqual(theme.done, Style(foreground: .ansi(2)))
        expectEqual(theme.paused, Style(foreground: .ansi(4)))
    }

    @Test func `does not trap on any input`() {
        var random = SplitMix64(seed: 7)
        for _ in 0..<400 {
            let bytes = (0..<Int.random(in: 0..<60, using: &random)).map { _ in
                "abon=#-\n\r \t0f\u{FE}".utf8.randomElement(using: &random) ?? 0
            }
            _ = Theme.parsing(bytes, name: "x")
        }
    }
}
