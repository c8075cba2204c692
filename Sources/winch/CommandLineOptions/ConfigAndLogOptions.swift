import ArgumentParser
import WinchModel

/// The options "Settings": which settings file is read.
struct ConfigFileOptions: OptionSection {
    @Option(
        help: .helpText(
            "The settings file: name=value lines, names as here (default: $XDG_CONFIG_HOME/winch/winch.conf).", "FILE"),
        completion: .file(), transform: OptionValueParsing.file)
    var config: String?

    @Flag(help: "Read no settings file.")
    var noConfig = false

    /// What makes another process in this working folder read the same file.
    var arguments: [String] { (config.map { ["--config", $0] } ?? []) + (noConfig ? ["--no-config"] : []) }

    static let traits: [OptionTrait: [String]] = [.ofOneRun: ["config", "no-config"]]
}

struct LogOptions: OptionSection {
    @Option(
        name: .customLong("log"), help: .helpText("Append events to a file, in addition to the display.", "FILE"),
        completion: .file(), transform: OptionValueParsing.file)
    var file: String?

    @Option(name: .customLong("log-level"), help: .helpText("The lowest level that is logged.", "LEVEL"))
    var level = LogLevel.info

    /// What makes another process in this working folder log to the same file.
    var arguments: [String] { file.map { ["--log", $0, "--log-level", level.rawValue] } ?? [] }
}

extension LogLevel: ExpressibleByArgument {}
