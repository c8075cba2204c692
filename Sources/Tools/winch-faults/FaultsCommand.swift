import ArgumentParser
import Glibc

@main
struct FaultsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "winch-faults", abstract: "What hostile servers, full disks and kill -9 do to downloads.",
        subcommands: [TableCommand.self, TortureCommand.self, MonkeyCommand.self], defaultSubcommand: TableCommand.self)
}

/// Makes a path absolute, since the tools run in other working folders.
func absolute(_ path: String) -> String {
    guard let found = realpath(path, nil) else { return path }
    defer { free(found) }
    return String(cString: found)
}
