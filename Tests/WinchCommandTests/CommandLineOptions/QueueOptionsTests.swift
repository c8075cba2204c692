import ArgumentParser
import Testing
import WinchModel
import WinchQueue

@testable import winch

@Suite struct `The options of the queue` {
    private func settings(_ arguments: String..., isWatched: Bool = false) throws -> QueueSettings {
        var settings = QueueSettings()
        try WinchCommand.parse(["http://h/"] + arguments).queue.apply(to: &settings, isWatched: isWatched)
        return settings
    }

    @Test func `become its settings`() throws {
        let settings = try settings(
            "-j7", "--per-host", "3", "--progress", "simple", "--hold", "--fail-fast", "--limit-rate", "2M",
            "--limit-upload", "1K")
        #expect(settings.slots == 7)
        #expect(settings.perHost == 3)
        #expect(settings.mode == .simple)
        #expect(settings.isHeld && settings.failsFast)
        #expect(settings.rateLimit?.perSecond == 2_097_152)
        #expect(settings.uploadLimit?.perSecond == 1024)
    }

    @Test func `have the queue's own values when they are not given`() throws {
        let (settings, standard) = (try settings(), QueueSettings())
        #expect(settings.slots == standard.slots)
        #expect(settings.perHost == standard.perHost)
        #expect(settings.mode == standard.mode)
        #expect(settings.rateLimit == nil)
    }

    @Test func `wait half a minute for disk space, and without a limit where a user can free some`() throws {
        #expect(try settings().spaceWait == .seconds(30))
        #expect(try settings(isWatched: true).spaceWait == nil)
        #expect(try settings("--space-wait", "5", isWatched: true).spaceWait == .seconds(5))
    }

    @Test(arguments: [["-j", "0"], ["--per-host", "0"], ["--limit-rate", "fast"], ["--progress", "some"]])
    func `refuse what has no meaning`(arguments: [String]) {
        #expect(throws: (any Error).self) { try WinchCommand.parse(["http://h/"] + arguments) }
    }
}
