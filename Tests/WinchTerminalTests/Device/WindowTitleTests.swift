import TestSupport
import Testing
import WinchScreen

@testable import WinchModel
@testable import WinchTerminal

@Suite struct `The window's title` {
    private static func totals(_ body: (inout QueueTotals) -> Void) -> QueueTotals {
        var totals = QueueTotals()
        (totals.count, totals.active, totals.finished) = (12, 2, 3)
        (totals.completed, totals.total) = (450, 1000)
        body(&totals)
        return totals
    }

    private static func windowsTerminal() -> TerminalFeatures {
        var traits = TerminalEnvironment(term: "xterm-256color")
        traits.isWindowsTerminal = true
        return TerminalFeatures(traits: traits)
    }

    private static func text(_ bytes: [UInt8]) -> String {
        String(decoding: bytes, as: UTF8.self).replacing("\u{1B}", with: "E").replacing("E\\", with: "|")
    }

    @Test func `shows the progress of the queue, also in the taskbar`() {
        var title = WindowTitle(extras: Self.windowsTerminal())
        expectEqual(Self.text(title.update(Self.totals { _ in })), "E]0;winch: 45% 3/12|E]9;4;1;45|")
        expectEqual(Self.text(title.update(Self.totals { $0.failed = 1 })), "E]0;winch: 45% 4/12|E]9;4;2;45|")
        expectEqual(Self.text(title.update(Self.totals { $0.isIndeterminate = true })), "E]0;winch: 3/12|E]9;4;3;0|")
        expectEqual(
            Self.text(title.update(Self.totals { ($0.active, $0.paused) = (0, 9) })), "E]0;winch: 45% 3/12|E]9;4;4;45|")
        expectEqual(Self.text(title.update(Self.totals { $0.finished = 12 })), "E]0;winch: done 12/12|E]9;4;0;0|")
        expectEqual(
            Self.text(title.update(Self.totals { ($0.finished, $0.failed, $0.cancelled) = (10, 1, 1) })),
            "E]0;winch: done 10/12, 1 failed|")
    }

    @Test func `is written only when it changes`() {
        var title = WindowTitle(extras: Self.windowsTerminal())
        _ = title.update(Self.totals { _ in })
        expectEqual(title.update(Self.totals { $0.completed = 451 }), [])
    }

    @Test func `is restored at the end, and sent again after a stop`() {
        var title = WindowTitle(extras: Self.windowsTerminal())
        expectEqual(Self.text(title.taking), "E[22;0t")
        expectEqual(Self.text(title.exitBytes), "E[23;0tE]9;4;0;0|")
        let first = title.update(Self.totals { _ in })
        title.forget()
        expectEqual(title.update(Self.totals { _ in }), first)
    }

    @Test(arguments: [
        ("linux", false, false, false), ("vt100", false, false, false), ("dumb", false, false, false),
        ("xterm-256color", true, false, true), ("tmux-256color", true, false, true), ("foot", true, false, true),
        ("xterm-ghostty", true, false, true),
    ])
    func `is sent only to terminals that have one`(term: String, hasTitle: Bool, hasTaskbar: Bool, hasModes: Bool) {
        let extras = TerminalFeatures(traits: TerminalEnvironment(term: term))
        expectEqual(extras.hasTitle, hasTitle)
        expectEqual(extras.hasTaskbar, hasTaskbar)
        expectEqual(extras.hasModes, hasModes)
        var title = WindowTitle(extras: extras)
        expectEqual(title.update(Self.totals { _ in }).isEmpty, !hasTitle)
    }

    @Test func `is the only indicator sent to a terminal inside tmux`() {
        var traits = TerminalEnvironment(term: "tmux-256color", isInTmux: true)
        traits.isWindowsTerminal = true
        traits.program = "WezTerm"
        let extras = TerminalFeatures(traits: traits)
        expect(!extras.hasTaskbar)
        expectNil(extras.notification)
        expect(extras.hasTitle)
    }
}
