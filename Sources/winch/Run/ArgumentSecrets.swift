import WinchModel

/// A secret in the command line. It is overwritten in memory, because every user of the machine can list the processes with
/// their arguments.
struct ArgumentSecrets: Equatable {
    /// The index of the argument, from 0, not counting the program's name.
    var argument: Int
    /// Positions in the bytes of the argument.
    var bytes: Range<Int>

    /// The part of an option's value that is secret.
    private enum Part {
        case value, afterColon, field, login
    }

    /// Options whose values are secret or contain a secret.
    private static let holders: [Substring: Part] = [
        "--password": .value, "--http-passwd": .value, "--http-password": .value, "--ftp-passwd": .value,
        "--ftp-password": .value, "--proxy-password": .value, "--proxy-user": .value, "-u": .value,
        "--header": .afterColon, "-H": .afterColon, "--proxy": .login, "--all-proxy": .login, "--http-proxy": .login,
        "--https-proxy": .login, "--ftp-proxy": .login, "--form": .field, "-F": .field,
    ]

    /// Options of one letter whose value may be in the same argument.
    private static let letters: [Substring] = ["-H", "-u", "-F"]

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
            if mayBeOption, !argument.hasPrefix("--"), let letter = letters.first(where: argument.hasPrefix) {
                guard argument != letter else {
                    option = letter
                    continue
                }
                name = letter
                start = 2
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
            // The name of a file is none: `NAME=@FILE`.
            guard let equals = bytes[start...].firstIndex(of: UInt8(ascii: "=")), equals + 1 < bytes.count,
                bytes[equals + 1] != UInt8(ascii: "@")
            else { return [] }
            return [equals + 1..<bytes.count]
        case .login: return login(bytes, from: start, needsScheme: false).map { [$0] } ?? []
        case nil:
            guard bytes.firstRange(of: "://".utf8) != nil else { return [] }
            let login = login(bytes, from: start, needsScheme: true).map { [$0] } ?? []
            return login + TransferURL.placesOfSecrets(in: bytes).filter { !$0.isEmpty }
        }
    }

    /// The position of `me:secret` in `http://me:secret@host/`.
    private static func login(_ bytes: [UInt8], from start: Int, needsScheme: Bool) -> Range<Int>? {
        let scheme = Array("://".utf8)
        let end = bytes.indices.dropFirst(start).first { bytes[$0...].starts(with: scheme) }
        guard end != nil || !needsScheme else { return nil }
        let first = end.map { $0 + scheme.count } ?? start
        let authority = bytes[first...].prefix { !"/?#".utf8.contains($0) }
        return authority.lastIndex(of: UInt8(ascii: "@")).map { first..<$0 }
    }
}
