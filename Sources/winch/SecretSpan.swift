/// A part of the command line that nobody else on the machine is to read: anybody can list everybody's processes.
struct SecretSpan: Equatable {
    /// From 0, the program's name left out.
    var argument: Int
    /// Positions in the argument's UTF-8.
    var bytes: Range<Int>

    /// Options whose values are secret, or have a secret in them.
    private static let holders: Set<Substring> = [
        "--password", "--http-passwd", "--http-password", "--ftp-passwd", "--ftp-password", "--proxy-password",
        "--proxy-user", "--header", "-H", "-u", "--proxy", "--all-proxy",
    ]

    /// Of curl; the value may stand in the same word.
    private static let letters: [Substring] = ["-H", "-u"]

    /// Passwords, the values of headers, and logins in addresses.
    static func all(in arguments: [String]) -> [SecretSpan] {
        var spans: [SecretSpan] = []
        var option: Substring?
        for (index, argument) in arguments.enumerated() {
            let bytes = Array(argument.utf8)
            var start = 0
            var name = option
            option = nil
            // A flag takes no value: what follows it may be the next option.
            if name == nil, !argument.hasPrefix("--"), let letter = letters.first(where: argument.hasPrefix) {
                guard argument != letter else {
                    option = letter
                    continue
                }
                name = letter
                start = 2
            } else if argument.hasPrefix("--"), name.map({ !holders.contains($0) }) ?? true {
                guard let equals = bytes.firstIndex(of: UInt8(ascii: "=")) else {
                    option = argument[...]
                    continue
                }
                name = argument.prefix { $0 != "=" }
                start = equals + 1
            }
            if let secret = secret(of: name, bytes, from: start) {
                spans.append(SecretSpan(argument: index, bytes: secret))
            }
        }
        return spans
    }

    private static func secret(of option: Substring?, _ bytes: [UInt8], from start: Int) -> Range<Int>? {
        guard start < bytes.count else { return nil }
        switch option {
        case "--password", "--http-passwd", "--http-password", "--ftp-passwd", "--ftp-password", "--proxy-password",
            "--proxy-user", "-u":
            return start..<bytes.count
        case "--header", "-H":
            return bytes[start...].firstIndex(of: UInt8(ascii: ":")).map { $0 + 1..<bytes.count }
        case "--proxy", "--all-proxy": return login(bytes, from: start, needsScheme: false)
        default: return login(bytes, from: start, needsScheme: true)
        }
    }

    /// `me:secret` in `http://me:secret@host/`.
    private static func login(_ bytes: [UInt8], from start: Int, needsScheme: Bool) -> Range<Int>? {
        let scheme = Array("://".utf8)
        let end = bytes.indices.dropFirst(start).first { bytes[$0...].starts(with: scheme) }
        guard end != nil || !needsScheme else { return nil }
        let first = end.map { $0 + scheme.count } ?? start
        let authority = bytes[first...].prefix { !"/?#".utf8.contains($0) }
        return authority.lastIndex(of: UInt8(ascii: "@")).map { first..<$0 }
    }
}
