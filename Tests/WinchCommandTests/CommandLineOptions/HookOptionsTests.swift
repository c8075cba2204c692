import ArgumentParser
import Testing

@testable import WinchModel
@testable import winch

@Suite struct `The options of hooks` {
    @Test func `set the commands of a transfer, and the time they may take`() throws {
        var settings = TransferSettings()
        let options = try HookOptions.parse(["--on-done", "a 'b c'", "--on-fail", "d", "--max-command-time", "5"])
        options.apply(to: &settings)
        #expect(settings.onDone == HookCommand("a", "b c"))
        #expect(settings.onFail == HookCommand("d"))
        #expect(options.timeLimit == .seconds(5))
        #expect(options.onSettled == nil)
    }

    @Test func `take a command back with an empty value`() throws {
        var settings = TransferSettings()
        settings.onDone = HookCommand("a")
        try HookOptions.parse(["--on-done", ""]).apply(to: &settings)
        #expect(settings.onDone == nil)
    }

    @Test func `have no limit of time with 0`() throws {
        #expect(try HookOptions.parse(["--max-command-time", "0"]).timeLimit == nil)
        #expect(try HookOptions.parse([]).timeLimit == HookProcess.usualLimit)
    }
}
