/// A program with its arguments, which is run when something has happened (`--on-done`, `--on-fail`, `--on-settled`).
///
/// No shell reads it, so the name of a file can never become a command. What has happened is told by environment variables.
package struct HookCommand: Hashable, Sendable, Codable {
    /// The program and its arguments; the program is not empty.
    package var arguments: [String]

    /// 4,096 bytes: more than a command line that is typed by hand.
    package static let longest = 4096

    package init(_ program: String, _ arguments: String...) { self.arguments = [program] + arguments }

    /// Splits a text at its blanks, as a shell would: `'...'` and `"..."` keep blanks together, and `\` takes the next character
    /// as it is. Nothing is replaced, neither `$NAME` nor `*`.
    ///
    /// - Throws: a fault that completes a sentence about the text.
    package init(reading text: some StringProtocol) throws(InvalidValue) {
        guard text.utf8.count <= Self.longest else {
            throw InvalidValue("a command may have at most \(Self.longest) bytes; put it into a script")
        }
        guard text.utf8.allSatisfy({ ($0 >= 0x20 && $0 != 0x7f) || $0 == UInt8(ascii: "\t") }) else {
            throw InvalidValue("a command may have no control characters")
        }
        var splitter = Splitter()
        for character in text { splitter.take(character) }
        arguments = try splitter.end()
        guard let program = arguments.first, !program.isEmpty else { throw InvalidValue("a command needs a program") }
    }

    /// The command, to be read by `init(reading:)` again.
    package var text: String {
        arguments.map { argument in
            let isPlain = !argument.isEmpty && !argument.contains { " \t'\"\\".contains($0) }
            return isPlain
                ? argument
                : "'"
                    + argument.split(separator: "'", omittingEmptySubsequences: false)
                    .joined(separator: #"'\''"#) + "'"
        }.joined(separator: " ")
    }
}

/// Reads words as a shell does.
private struct Splitter {
    private var words: [String] = []
    /// `nil`: between two words.
    private var word: String?
    private var quote: Character?
    private var isEscaped = false

    mutating func take(_ character: Character) {
        if isEscaped {
            isEscaped = false
            // Between double quotes a backslash is one, except before what would end the quotes.
            if quote != nil, character != "\"", character != "\\" { word = (word ?? "") + "\\" }
            return add(character)
        }
        switch character {
        case "\\" where quote != "'": isEscaped = true
        case "'", "\"":
            guard let quote else { return begin(character) }
            if quote == character { self.quote = nil } else { add(character) }
        case " " where quote == nil, "\t" where quote == nil: endWord()
        default: add(character)
        }
    }

    private mutating func add(_ character: Character) { word = (word ?? "") + String(character) }

    private mutating func begin(_ quote: Character) {
        self.quote = quote
        word = word ?? ""
    }

    private mutating func endWord() {
        if let word { words.append(word) }
        word = nil
    }

    mutating func end() throws(InvalidValue) -> [String] {
        if let quote { throw InvalidValue("the command has a \(quote) without its counterpart") }
        if isEscaped { throw InvalidValue("the command ends with a backslash") }
        endWord()
        return words
    }
}

/// A transfer has settled, and the command of its settings is due. The queue tells the fact; its subscriber runs the command.
package struct HookCall: Hashable, Sendable {
    /// What has happened.
    package enum Event: Hashable, Sendable {
        case done(TransferPhase.Outcome)
        case failed(TransferFailure)
    }

    package let command: HookCommand
    package let event: Event
    package let id: TransferID
    /// On disk, or accepted by the server.
    package let have: ByteCount
    // Not copied: many calls wait where a command hangs, and these share the memory of the transfers.
    private let spec: TransferSpec
    private let mirror: Int
    private let name: String

    /// - Parameters:
    ///   - spec: of the transfer.
    ///   - mirror: the place in its URLs of the one in use.
    ///   - name: below the target folder.
    package init(
        _ command: HookCommand, _ event: Event, of id: TransferID, _ spec: TransferSpec, mirror: Int, name: String,
        have: ByteCount
    ) {
        (self.command, self.event, self.id, self.have) = (command, event, id, have)
        (self.spec, self.mirror, self.name) = (spec, mirror, name)
    }

    package var direction: Direction { spec.direction }
    /// Without login.
    package var url: String { spec.urls[mirror].redacted }
    /// The target folder as given.
    package var folder: String { spec.folder }
    /// The name below the folder; of an upload the path of its source.
    package var path: String { direction == .up ? spec.upload?.file ?? name : name }
}
