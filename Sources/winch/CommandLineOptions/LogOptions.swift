import ArgumentParser
import WinchModel

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
