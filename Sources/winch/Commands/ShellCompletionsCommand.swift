import ArgumentParser

/// `winch completions SHELL`: a script that completes winch's options and commands.
struct ShellCompletionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "completions", "Prints the completion script of a shell; make install installs all three.")

    enum Shell: String, ExpressibleByArgument, CaseIterable {
        case bash, zsh, fish
    }

    @Argument(help: "bash, zsh or fish.")
    var shell: Shell

    func run() { print(Self.script(for: shell)) }

    static func script(for shell: Shell) -> String {
        let script = CommandTree.completionScript(for: CompletionShell(rawValue: shell.rawValue) ?? .bash)
        return selectingCommand(script, of: shell)
    }

    /// The scripts of bash and fish take the name of a command for one of the URLs of `winch`, of which there may be any number,
    /// so they would never complete the command's own options.
    private static func selectingCommand(_ script: String, of shell: Shell) -> String {
        let names = Main.commandNames + ["help"]
        let call: String
        let replacement: String
        switch shell {
        case .bash:
            call = "\n    __winch_offer_flags_options -1\n"
            replacement = """

                    # Only the first word can be a command.
                    local -a given=("${unparsed_words[@]}")
                    local command_name=
                    if [[ "${#given[@]}" -gt 1 ]]; then
                        case "${given[0]}" in
                        \(names.joined(separator: "|")))
                            command_name="${given[0]}"
                            ;;
                        esac
                    fi
                    case "${command_name}" in
                    ''|\(Main.namesWithOptions.joined(separator: "|")))
                        __winch_offer_flags_options -1
                        ;;
                    esac
                    if [[ -n "${command_name}" ]]; then
                        unparsed_words=("${given[@]}")
                    fi

                """
        case .fish:
            // fish offers the options of one command only: with those that take the options of winch, these.
            let others = names.filter { !Main.namesWithOptions.contains($0) }
            call = "\n        __winch_parse_subcommand -r 1 "
            replacement = """

                        set -l urls -r 1
                        contains -- "$unparsed_tokens[2]" \(others.joined(separator: " ")); and set urls 0
                        __winch_parse_subcommand $urls\u{20}
                """
        case .zsh: return script
        }
        // The first call is that of winch itself.
        return script.replacing(call, with: replacement, maxReplacements: 1)
    }
}

/// All commands and options as one tree, for the completion scripts only. `Main` selects the command itself, because a
/// parser of this tree would read a URL or file argument `info` as the command.
private struct CommandTree: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "winch", version: WinchCommand.configuration.version, subcommands: Main.commandList)

    @OptionGroup var options: WinchCommand
}
