import ArgumentParser
import WinchModel

/// A group of options with a title in `--help`. Each is declared in one file of this folder, with its help, its default and
/// its place in the settings of a run.
///
/// Parsing, `--help` and the completion scripts use the declaration itself. The settings file, the environment, `winch info`
/// and the list of settings in the dashboard use `OptionTable`, which is derived from it. Where a list has to be kept by hand
/// (the man page, the options of a batch entry, the settings that can be changed in the dashboard, secrets on the command
/// line), `OptionTableTests` names the file that lacks the option.
protocol OptionSection: ParsableArguments {
    /// The long names, without dashes, of the options with a trait.
    static var traits: [OptionTrait: [String]] { get }
}

extension OptionSection {
    static var traits: [OptionTrait: [String]] { [:] }
}

/// A property of an option that ArgumentParser cannot express.
enum OptionTrait: Hashable {
    /// Accepted on the command line only, because it belongs to one run.
    case ofOneRun
    /// The value is a login or may contain one, so it is never shown.
    case secret
    /// The ledger stores the value, so that `winch` without arguments resumes the run with it.
    case storedWithRun
    /// A wrong value ends the program, also in the settings file and the environment: without the option the program would
    /// do harm that the option prevents, such as sending a password unencrypted, or something else than was asked for.
    case decisive
}

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
