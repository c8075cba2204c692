import ArgumentParser
import Testing

@testable import WinchScreen
@testable import WinchTerminal
@testable import winch

@Suite struct `The options of the display` {
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
