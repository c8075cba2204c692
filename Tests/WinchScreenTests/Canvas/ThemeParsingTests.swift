import Foundation
import Resources
import TestSupport
import Testing
import WinchBatch

@testable import WinchModel
@testable import WinchScreen

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
