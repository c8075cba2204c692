import ArgumentParser
import Glibc
import WinchBatch
import WinchModel

/// Error messages for unknown words on the command line, with a suggestion.
enum CommandLineErrors {
    /// The beginning of ArgumentParser's message about an unknown option; the option and a closing quote follow.
    private static let unknown = "Unknown option '"
    private static let invalid = "The value '"
    private static let missing = "Missing value for '"

    /// Rewrites ArgumentParser's errors: an unknown option with a suggestion, an invalid value with the name of its option.
    /// Any other error is returned unchanged.
    ///
    /// ArgumentParser's own suggestions compare whole names only: for `--limt` it suggests nothing, or `--log`.
    static func explained(_ error: any Error, of command: any ParsableCommand.Type) -> any Error {
        let message = command.message(for: error)
        if message.hasPrefix(unknown) {
            let option = message.dropFirst(unknown.count).prefix { $0 != "'" }
            let names = OptionTable(of: command).names
            return ValidationError(
                "there is no option \(option)"
                    + NearestName.question(for: option.drop { $0 == "-" }, among: names, prefix: "--"))
        }
        if message.hasPrefix(missing) {
            // The name of the value follows: `--jobs <N>`.
            let option = message.dropFirst(missing.count).prefix { $0 != "'" && $0 != " " }
            return ValidationError("\(option) needs a value")
        }
        return explainedValue(message).map { ValidationError($0) } ?? error
    }

    /// - Parameter message: `The value 'x' is invalid for '-j, --jobs <N>': words`, the words from `OptionValueParsing`, or `... for
    ///   '--output <FACE>'. Please provide one of 'auto', 'tui'.`.
    private static func explainedValue(_ message: String) -> String? {
        guard message.hasPrefix(invalid), let end = message.firstRange(of: "' is invalid for '") else { return nil }
        let value = message[message.index(message.startIndex, offsetBy: invalid.count)..<end.lowerBound]
        let rest = message[end.upperBound...]
        let name = rest.prefix { $0 != "'" }
        let long = name.split(separator: " ").last { $0.hasPrefix("-") }
        // An argument without an option is `<RATE>`.
        let option = String((long ?? name).filter { !",<>".contains($0) })
        let after = rest.drop { $0 != "'" }.dropFirst()
        if after.hasPrefix(": ") { return "\(option): \(after.dropFirst(2))" }
        let choices = after.split(separator: "'").filter { $0.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" } }
            .map(String.init)
        guard !choices.isEmpty else { return nil }
        let hint =
            option == "--output" && value.contains(where: { $0 == "." || $0 == "/" })
            ? "; a file's name is given by -o" : NearestName.question(for: value, among: choices)
        return "\(option): '\(value)' is not one of \(choices.joined(separator: ", "))\(hint)"
    }

    static func words(for fault: TransferURL.Fault, of word: String) -> String {
        guard case .noScheme(let shown) = fault else { return fault.message }
        let host = word.prefix { $0 != "/" }
        if FileStatus.kind(of: word) == S_IFREG {
            return "\(word) is a file, not a URL; a batch file is given by -i \(word)"
        }
        let commands = Main.commandNames + ["help"]
        if commands.contains(word) {
            return "\(shown) is a command, which comes before the options: winch \(shown) ..."
        }
        if host == word, let name = NearestName.of(word, among: commands) {
            return "\(shown) is neither a URL nor a command; did you mean winch \(name)?"
        }
        if host != word, host.contains("."), host.first != "." {
            // The login is left out of the message.
            let address =
                host.lastIndex(of: "@").map { String(word[word.index(after: $0)...]) }
                ?? TransferURL.withoutLogins(word)
            let scheme = address.hasPrefix("www.") ? "http" : "https"
            return "\(address.prefix(80)) is not a URL; did you mean \(scheme)://\(address.prefix(80))?"
        }
        return fault.message
    }
}
