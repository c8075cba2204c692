import ArgumentParser

/// A group of options with a title in `--help`. Each is declared in one file of this folder, with its help, its default and
/// its place in the settings of a run.
///
/// Parsing, `--help` and the completion scripts use the declaration itself. The settings file, the environment, `winch info`
/// and the list of settings in the dashboard use `OptionTable`, which is derived from it. Where a list has to be kept by hand
/// (the man page, the options of a batch entry, the settings that can be changed in the dashboard, secrets on the command
/// line), `OptionTableTests` names the file that lacks the option.
protocol OptionSection: ParsableArguments {
    /// The long names, without dashes, of the options with a trait. None has two.
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
    /// A wrong value ends the program, also in the settings file and the environment: without the option it would do something
    /// else than was asked for.
    case decisive
}
