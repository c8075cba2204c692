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

    @Test(arguments: [
        (ShellCompletionsCommand.Shell.bash, "case \"${given[0]}\" in\n        put|serve|"),
        (.fish, "__winch_parse_subcommand $urls 'i/input-file"),
    ])
    func `tells a command from a URL`(shell: ShellCompletionsCommand.Shell, words: String) {
        expectEqual(ShellCompletionsCommand.script(for: shell).ranges(of: words).count, 1)
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
