import ArgumentParser
import Testing

@testable import winch

@Suite struct `The completion values of an option` {
    @Test(arguments: [
        ("--theme", OptionCompletionValues.themes), ("--sort", OptionCompletionValues.sorts),
        ("--columns", OptionCompletionValues.columns),
    ])
    func `are taken by the option and offered by every shell`(option: String, values: [String]) throws {
        #expect(values.count > 5)
        for value in values {
            _ = try WinchCommand.parse(["http://h/", option, value])
            for shell in ShellCompletionsCommand.Shell.allCases {
                #expect(ShellCompletionsCommand.script(for: shell).contains(value), "\(shell): \(value)")
            }
        }
    }
}
