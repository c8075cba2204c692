import ArgumentParser
import Glibc
import WinchCore
import WinchTerminal

/// Says what was probably meant by a word of the command line that means nothing.
enum Misspelling {
    /// What the parser says of an option that there is not begins so; the option follows, in the same quotes.
    private static let unknown = "Unknown option '"

    /// An unknown option's error with the option that was probably meant; any other as it is.
    ///
    /// The parser has suggestions of its own, by whole names only: it takes `--limt` for nothing, or for `--log`.
    static func explained(_ error: any Error, of command: any ParsableCommand.Type) -> any Error {
        let message = command.message(for: error)
        guard message.hasPrefix(unknown) else { return error }
        let option = message.dropFirst(unknown.count).prefix { $0 != "'" }
        let names = OptionTable(of: command).names
        return ValidationError(
            "there is no option \(option)"
                + NearestName.question(for: option.drop { $0 == "-" }, among: names, prefix: "--"))
    }

    /// What is wrong with a word in the place of a URL.
    static func words(for fault: TransferURL.Fault, of word: String) -> String {
        guard case .noScheme(let shown) = fault else { return fault.message }
        let host = word.prefix { $0 != "/" }
        if isFile(word) { return "\(shown) is a file, not a URL; a batch file is given by -i \(shown)" }
        if host == word, let name = NearestName.of(word, among: Main.commandNames + ["help"]) {
            return "\(shown) is neither a URL nor a command; did you mean winch \(name)?"
        }
        if host != word, host.contains("."), host.first != "." {
            // A login is nothing to be repeated.
            let address = host.lastIndex(of: "@").map { word[word.index(after: $0)...] } ?? word[...]
            return "\(address.prefix(80)) is not a URL; did you mean https://\(address.prefix(80))?"
        }
        return fault.message
    }

    private static func isFile(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }
}
