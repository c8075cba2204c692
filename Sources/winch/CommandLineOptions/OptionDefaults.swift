import ArgumentParser
import WinchModel

/// The default values, used for the options and shown in their help.
enum OptionDefaults {
    static let queue = QueueSettings()
    static let transfer = TransferSettings()
}

extension CommandConfiguration {
    init(_ name: String, _ abstract: String, usage: String? = nil, discussion: String = "") {
        self.init(
            commandName: name, _superCommandName: "winch", abstract: abstract, usage: usage, discussion: discussion)
    }
}

extension ArgumentHelp {
    static func helpText(_ words: String, _ valueName: String) -> ArgumentHelp {
        ArgumentHelp(words, valueName: valueName)
    }

    /// Help with the default at its end. ArgumentParser shows the default only of options that have no `transform`.
    static func helpText(_ words: String, _ valueName: String, default value: some CustomStringConvertible)
        -> ArgumentHelp
    {
        ArgumentHelp("\(words) (default: \(value))", valueName: valueName)
    }

    /// - Parameter value: shown in seconds, the unit in which the options are given: `30`, `0.5`.
    static func helpText(_ words: String, _ valueName: String, default value: Duration) -> ArgumentHelp {
        let seconds = value.seconds
        return helpText(words, valueName, default: seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)")
    }
}

extension NameSpecification {
    /// A short name whose value may follow without a blank (`-j16`), the long name, and names of other programs.
    static func joined(_ short: Character, _ alias: String...) -> NameSpecification {
        NameSpecification([.customShort(short, allowingJoined: true), .long] + alias.map { .customLong($0) })
    }
}
