import ArgumentParser
import Testing

@testable import WinchScreen
@testable import WinchTerminal
@testable import winch

@Suite struct `The options of the display` {
    @Test func `choose the front end and its appearance`() throws {
        let options = try DisplayOptions.parse([
            "--output", "json", "--theme", "ocean", "--sort", "rate,reverse", "--no-animation", "--no-mouse", "--ascii",
            "--screen-reader", "--fps", "5", "--notify", "bell", "--exit",
        ])
        #expect(options.output == .json)
        #expect(options.theme == "ocean")
        #expect(options.sort == "rate,reverse")
        #expect(!options.animation && !options.mouse && options.ascii && options.screenReader && options.exit)
        #expect(options.fps == 5)
        #expect(options.notify == .bell)
    }

    @Test func `choose by the terminal, with 20 frames a second, when they are not given`() throws {
        let options = try DisplayOptions.parse([])
        #expect(options.output == .auto)
        #expect(options.fps == 20)
        #expect(options.animation && options.mouse && !options.ascii && !options.exit)
    }

    @Test(arguments: [
        "--output=html", "--fps=0", "--fps=21", "--sort=colour", "--columns=name,colour", "--notify=mail",
    ])
    func `refuse what has no meaning`(option: String) {
        #expect(throws: (any Error).self) { try DisplayOptions.parse([option]) }
    }

    @Test(
        arguments: [
            ("--theme", Theme.builtIn.map { $0.name }), ("--sort", SettingText.sorts),
            ("--columns", ["auto"] + ColumnChoice.all),
        ] as [(String, [String])])
    func `are offered their values by every shell, and take them`(option: String, values: [String]) throws {
        #expect(values.count > 5)
        for value in values {
            _ = try WinchCommand.parse(["http://h/", option, value])
            for shell in ShellCompletionsCommand.Shell.allCases {
                #expect(ShellCompletionsCommand.script(for: shell).contains(value), "\(shell): \(value)")
            }
        }
    }
}
