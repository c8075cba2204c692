import WinchModel

/// A secret in the command line. It is overwritten in memory, because every user of the machine can list the processes with
/// their arguments.
struct ArgumentSecrets: Equatable {
    /// The index of the argument, from 0, not counting the program's name.
    var argument: Int
    var bytes: Range<Int>

    private enum Part {
        case value, afterColon, field, login
    }

    private static let holders: [Substring: Part] = [
        "--password": .value, "--http-passwd": .value, "--http-password": .value, "--ftp-passwd": .value,
        "--ftp-password": .value, "--proxy-password": .value, "--proxy-user": .value, "-u": .value,
        "--user": .afterColon, "--http-user": .afterColon, "--ftp-user": .afterColon, "--header": .afterColon,
        "-H": .afterColon, "--proxy": .login, "--all-proxy": .login, "--http-proxy": .login, "--https-proxy": .login,
        "--ftp-proxy": .login, "--form": .field, "-F": .field,
    ]

    /// An option of one letter that holds a secret, also behind flags of curl as in `-fsSLH`.
    ///
    /// - Returns: its name, and where a value in the same argument begins.
    private static func letter(_ argument: String) -> (name: Substring, start: Int)? {
        guard argument.hasPrefix("-") else { return nil }
        let flags = argument.dropFirst().prefix(while: ForeignOptions.isFlag)
        guard let letter = argument.dropFirst(1 + flags.count).first, holders["-\(letter)"] != nil else { return nil }
        return ("-\(letter)", 2 + flags.count)
    }

    /// Finds passwords, the values of headers and form fields, and logins, tokens and signatures in URLs.
    static func all(in arguments: [String]) -> [ArgumentSecrets] {
        var spans: [ArgumentSecrets] = []
        var option: Substring?
        for (index, argument) in arguments.enumerated() {
            let bytes = argument.systemBytes
            var start = 0
            var name = option
            option = nil
            // If the previous option was a flag, this argument is not its value but may be the next option.
            let mayBeOption = name.map { holders[$0] == nil } ?? true
            if mayBeOption, let letter = letter(argument) {
                guard letter.start < bytes.count else {
                    option = letter.name
                    continue
                }
                name = letter.name
                start = letter.start
            } else if mayBeOption, argument.hasPrefix("--") {
                guard let equals = bytes.firstIndex(of: UInt8(ascii: "=")) else {
                    option = argument[...]
                    continue
                }
                name = argument.prefix { $0 != "=" }
                start = equals + 1
            }
            spans += secrets(of: name, bytes, from: start).map { ArgumentSecrets(argument: index, bytes: $0) }
        }
        return spans
    }

    private static func secrets(of option: Substring?, _ bytes: [UInt8], from start: Int) -> [Range<Int>] {
        guard start < bytes.count else { return [] }
        switch option.flatMap({ holders[$0] }) {
        case .value: return [start..<bytes.count]
        case .afterColon:
            return bytes[start...].firstIndex(of: UInt8(ascii: ":")).map { [$0 + 1..<bytes.count] } ?? []
        case .field:
            guard let equals = bytes[start...].firstIndex(of: UInt8(ascii: "=")) else { return [start..<bytes.count] }
            // The name of a file is none: `NAME=@FILE`.
            guard equals + 1 < bytes.count, bytes[equals + 1] != UInt8(ascii: "@") else { return [] }
            return [equals + 1..<bytes.count]
        case .login:
            // A proxy has no path: what is before the last at sign is its login, also with a slash in the password.
            let value = bytes[start...]
            let first = value.firstRange(of: "://".utf8)?.upperBound ?? start
            return value[first...].lastIndex(of: UInt8(ascii: "@")).map { [first..<$0] } ?? []
        case nil: return TransferURL.placesToCover(in: bytes)
        }
    }
}
