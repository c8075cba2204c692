import ArgumentParser
import TestSupport
import Testing

@testable import WinchScreen
@testable import WinchTerminal
@testable import winch

@Suite struct `The completion script of a shell` {
    @Test(arguments: ShellCompletionsCommand.Shell.allCases)
    func `has every option and every command`(shell: ShellCompletionsCommand.Shell) {
        let script = ShellCompletionsCommand.script(for: shell)
        for option in OptionTable.ofWinch.options { expect(script.contains(option.name), "\(option.name)") }
        for command in Main.commandNames { expect(script.contains(command), "\(command)") }
    }

    @Test func `exists for three shells`() throws {
        expectEqual(ShellCompletionsCommand.Shell.allCases.map(\.rawValue), ["bash", "zsh", "fish"])
        #expect(throws: (any Error).self) { try ShellCompletionsCommand.parse(["csh"]) }
    }

    @Test(
        arguments: [
            ("--theme", Theme.builtIn.map { $0.name }), ("--sort", SettingText.sorts),
            ("--columns", ["auto"] + ColumnChoice.all),
        ] as [(String, [String])])
    func `offers the values of an option, which it takes`(option: String, values: [String]) throws {
        expectMore(values.count, than: 5)
        for value in values {
            _ = try WinchCommand.parse(["http://h/", option, value])
            for shell in ShellCompletionsCommand.Shell.allCases {
                expect(ShellCompletionsCommand.script(for: shell).contains(value), "\(shell): \(value)")
            }
        }
    }
}
