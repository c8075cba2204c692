/// Tab completion of a path at the end of a line.
struct PathCompletion: Hashable, Sendable {
    /// The line that is completed; if the prompt holds another line, the completion is obsolete.
    private(set) var line: String
    /// The part of the line before the path.
    private let head: String
    /// The path whose listing was requested; `nil` once the listing has arrived.
    private(set) var awaited: String?
    /// The names that Tab cycles through; empty if there is at most one.
    private(set) var names: [String] = []
    private var folder = ""
    private var index: Int?

    /// A completion whose listing was requested and has not arrived yet.
    init(head: String, path: String) {
        (line, self.head, awaited) = (head + path, head, path)
    }

    /// The name that Tab has put into the line; `nil` before the second Tab.
    var chosen: String? { index.map { names[$0] } }

    /// Applies the listing: the line is completed to the common prefix of all names, or to the only name.
    ///
    /// - Throws: the reason why there is no completion.
    mutating func take(_ listing: PathListing) throws(InputError) {
        awaited = nil
        if let fault = listing.fault { throw InputError(fault) }
        guard let first = listing.names.first else { throw InputError("No file begins with \(listing.typed)") }
        folder = PathListing.folder(of: listing.typed)
        line = head + folder + (listing.names.count == 1 ? first : listing.common)
        names = listing.names.count == 1 ? [] : listing.names
    }

    /// Puts the next name into the line, or the previous one if `step` is -1; wraps around.
    ///
    /// - Returns: `false` if there are no names.
    mutating func cycle(by step: Int) -> Bool {
        guard !names.isEmpty else { return false }
        let place = index.map { $0 + step } ?? (step > 0 ? 0 : -1)
        let next = (place + names.count) % names.count
        index = next
        line = head + folder + names[next]
        return true
    }
}

extension Dashboard {
    /// Handles Tab in a line that ends with a path: the first requests a listing, the following ones cycle through
    /// it.
    ///
    /// - Returns: `nil` if the key is not Tab or the line does not end with a path.
    mutating func completePath(_ key: Key, in prompt: Prompt) -> [ScreenAction]? {
        guard key == .tab || key == .backTab, let (head, path) = path(in: prompt.text) else {
            completion = nil
            return nil
        }
        if var known = completion, known.line == prompt.text {
            if known.cycle(by: key == .tab ? 1 : -1) {
                completion = known
                replacePrompt(Prompt(text: known.line))
                return []
            }
        }
        completion = PathCompletion(head: head, path: path)
        // A new prompt has no fault: like any other key, Tab clears the line's error message.
        replacePrompt(Prompt(text: prompt.text))
        return [.listPaths(path)]
    }

    /// Applies a listing; one for a line that has changed meanwhile is dropped.
    mutating func take(_ listing: PathListing) {
        guard var waiting = completion, waiting.awaited == listing.typed, let prompt = mode.pathPrompt,
            prompt.text == waiting.line
        else { return }
        do throws(InputError) {
            try waiting.take(listing)
            completion = waiting
            replacePrompt(Prompt(text: waiting.line))
        } catch {
            completion = nil
            replacePrompt(prompt.refused(error))
        }
    }

    /// The completion whose names are shown above the prompt; `nil` if there is nothing to show.
    var pathChoices: PathCompletion? {
        completion.flatMap { $0.awaited == nil && !$0.names.isEmpty && $0.line == mode.pathPrompt?.text ? $0 : nil }
    }

    /// Splits a line before its path: a line of entries to add takes a file name after `@`. `nil` if the line has
    /// none.
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
        case .command: mode = .command(CommandPrompt(prompt))
        default: break
        }
    }
}

extension Mode {
    /// The prompt, if its line can contain a path.
    fileprivate var pathPrompt: Prompt? {
        switch self {
        case .prompt(let prompt): prompt
        case .command(let line): line.prompt
        case .normal, .filter, .limit, .question, .secret, .editing, .log, .settings, .columns, .help, .machines,
            .panelKeys,
            .quitting:
            nil
        }
    }
}
