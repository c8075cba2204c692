import ArgumentParser

/// `winch completions SHELL`: a script that completes winch's options and commands.
struct ShellCompletionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "completions", _superCommandName: "winch",
        abstract: "Prints the completion script of a shell; make install installs all three.")

    /// The shells for which there is a script.
    enum Shell: String, ExpressibleByArgument, CaseIterable {
        case bash, zsh, fish
    }

    @Argument(help: "bash, zsh or fish.")
    var shell: Shell

    func run() {
        print(Self.script(for: shell))
    }

    static func script(for shell: Shell) -> String {
        CommandTree.completionScript(for: CompletionShell(rawValue: shell.rawValue) ?? .bash)
    }
}

/// All commands and options as one tree, for the completion scripts only. `Main` selects the command itself, because a
/// parser of this tree would read a URL or file argument `info` as the command.
private struct CommandTree: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "winch", version: WinchCommand.configuration.version, subcommands: Main.commandList)

    @OptionGroup var options: WinchCommand
}
