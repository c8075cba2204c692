/// Commands of `winch` for the state folder of this process, as the user types them in this working folder.
struct StateCommands: Sendable {
    /// `--state-dir` and `--session`, as far as a command without them would be for another folder. Empty where the folder is the
    /// usual one, or the environment or the usual settings file names it, which count for that command too.
    private let options: [String]

    init(options: [String] = []) { self.options = options }

    /// - Parameter arguments: of this process, whose command has no other source for the two.
    init(arguments: [String]) {
        let given = OptionTable.ofWinch.given(in: arguments)
        self.init(options: Self.options { name in given.last { $0.name == name }?.value })
    }

    init(_ sources: SettingSources) { self.init(options: Self.options { sources.ownValue(of: $0) }) }

    private static func options(_ value: (String) -> String?) -> [String] {
        ["state-dir", "session"].flatMap { name in value(name).map { ["--" + name, $0] } ?? [] }
    }

    /// A line for a shell: `winch attach --session night`.
    ///
    /// - Parameter command: with what else belongs to it, for a shell; empty: `winch` without a command.
    func line(_ command: String = "") -> String {
        (["winch"] + (command.isEmpty ? [] : [command]) + options.map(RemoteSession.quoted)).joined(separator: " ")
    }
}
