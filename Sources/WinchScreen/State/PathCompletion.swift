/// A path at the end of a line, and what it may become by Tab.
struct PathCompletion: Hashable, Sendable {
    /// The line that it is about; once the line is another it means nothing any more.
    private(set) var line: String
    /// What stands before the path in the line.
    private let head: String
    /// The path that has been asked for; `nil` once the answer is here.
    private(set) var awaited: String?
    private(set) var names: [String] = []
    private var folder = ""
    private var index: Int?

    /// What has been asked for and is not here yet.
    init(head: String, path: String) {
        (line, self.head, awaited) = (head + path, head, path)
    }

    /// Which of the names is in the line.
    var chosen: String? { index.map { names[$0] } }

    /// Takes the answer: the line becomes what all names have in common, or the one that there is.
    ///
    /// - Throws: why there is nothing to become.
    mutating func take(_ listing: PathListing) throws(Refusal) {
        awaited = nil
        if let fault = listing.fault { throw Refusal(fault) }
        guard let first = listing.names.first else { throw Refusal("No file begins with \(listing.typed)") }
        folder = PathListing.folder(of: listing.typed)
        line = head + folder + (listing.names.count == 1 ? first : listing.common)
        names = listing.names.count == 1 ? [] : listing.names
    }

    /// The next name into the line, or with -1 the one before; round and round.
    ///
    /// - Returns: false if there are none to go through.
    mutating func turn(by step: Int) -> Bool {
        guard !names.isEmpty else { return false }
        let place = index.map { $0 + step } ?? (step > 0 ? 0 : -1)
        let next = (place + names.count) % names.count
        index = next
        line = head + folder + names[next]
        return true
    }
}

extension Dashboard {
    /// Tab in a line that ends with a path: what it may become is asked for, then gone through.
    ///
    /// - Returns: `nil` if the key or the line is another.
    mutating func completePath(_ key: Key, in prompt: Prompt) -> [ScreenAction]? {
        guard key == .tab || key == .backTab, let (head, path) = path(in: prompt.text) else {
            completion = nil
            return nil
        }
        if var known = completion, known.line == prompt.text {
            if known.turn(by: key == .tab ? 1 : -1) {
                completion = known
                replacePrompt(Prompt(text: known.line))
                return []
            }
        }
        completion = PathCompletion(head: head, path: path)
        // What was wrong with the line before goes, as with any key.
        replacePrompt(Prompt(text: prompt.text))
        return [.listPaths(path)]
    }

    /// An answer for a line that has been changed meanwhile is dropped.
    mutating func take(_ listing: PathListing) {
        guard var waiting = completion, waiting.awaited == listing.typed, let prompt = mode.pathPrompt,
            prompt.text == waiting.line
        else { return }
        do throws(Refusal) {
            try waiting.take(listing)
            completion = waiting
            replacePrompt(Prompt(text: waiting.line))
        } catch {
            completion = nil
            replacePrompt(prompt.refused(error))
        }
    }

    /// What is shown above the line being typed.
    var pathChoices: PathCompletion? {
        completion.flatMap { $0.awaited == nil && !$0.names.isEmpty && $0.line == mode.pathPrompt?.text ? $0 : nil }
    }

    /// Where a line takes the name of a file: after `@` in what is added.
    private func path(in line: String) -> (head: String, path: String)? {
        guard !line.contains(where: \.isNewline) else { return nil }
        var rest = line.drop { $0 == " " }
        if case .command = mode {
            guard let command = commands.first(where: { $0.effect == .add }), rest.hasPrefix(command.name + " ") else {
                return nil
            }
            rest = rest.dropFirst(command.name.count).drop { $0 == " " }
        }
        guard rest.first == "@" else { return nil }
        let path = rest.dropFirst()
        return (String(line[..<path.startIndex]), String(path))
    }

    private mutating func replacePrompt(_ prompt: Prompt) {
        switch mode {
        case .prompt: mode = .prompt(prompt)
        case .command: mode = .command(CommandLine(prompt))
        default: break
        }
    }
}

extension Mode {
    /// The line in which a path may be completed.
    fileprivate var pathPrompt: Prompt? {
        switch self {
        case .prompt(let prompt): prompt
        case .command(let line): line.prompt
        case .normal, .filter, .limit, .question, .secret, .editing, .log, .settings, .columns, .help, .panelKeys,
            .leaving:
            nil
        }
    }
}
