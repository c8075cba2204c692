import WinchModel

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

    init(head: String, path: String) { (line, self.head, awaited) = (head + path, head, path) }

    /// The name that Tab has put into the line; `nil` before the second Tab.
    var chosen: String? { index.map { names[$0] } }

    /// Applies the listing: the line is completed to the common prefix of all names, or to the only name.
    ///
    /// - Throws: the reason why there is no completion.
    mutating func take(_ listing: PathListing) throws(InvalidValue) {
        awaited = nil
        if let fault = listing.fault { throw InvalidValue(fault) }
        guard let first = listing.names.first else { throw InvalidValue("No file begins with \(listing.typed)") }
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
        guard var waiting = completion, waiting.awaited == listing.typed, var prompt = mode.pathPrompt,
            prompt.text == waiting.line
        else { return }
        do throws(InvalidValue) {
            try waiting.take(listing)
            completion = waiting
            replacePrompt(Prompt(text: waiting.line))
        } catch {
            completion = nil
            prompt.fault = error.message
            replacePrompt(prompt)
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
}

extension Mode {
    /// The prompt, if its line can contain a path.
    fileprivate var pathPrompt: Prompt? {
        switch self {
        case .prompt, .command: prompt
        default: nil
        }
    }
}

/// The names in the file system that complete a path being typed.
package struct PathListing: Hashable, Sendable {
    package var typed: String
    /// The names that complete the last part of the path, escaped by `EscapedName`, folders with a `/` at their end;
    /// sorted, at most `most`.
    package var names: [String]
    /// The common prefix of all names that complete the path, also of those beyond `most`.
    package var common: String
    /// Why there are no names, such as that the folder cannot be read; `nil`: no error.
    package var fault: String?

    /// 200 names: more than a user cycles through by Tab.
    package static let most = 200

    package init(typed: String, names: [String] = [], common: String = "", fault: String? = nil) {
        (self.typed, self.names, self.common, self.fault) = (typed, names, common, fault)
    }

    /// The folder of a typed path, up to and with the last `/`; empty if there is none.
    package static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    }
}

/// A file's name in a form that fits on one line and that a terminal can show: every byte (UTF-8) of a control or
/// format character, and every byte that is not UTF-8, is written as `\xHH`.
package enum EscapedName {
    /// The name with hidden characters escaped; unchanged if it has none.
    package static func escaping(_ name: some StringProtocol) -> String {
        guard name.unicodeScalars.contains(where: isHidden) else { return String(name) }
        return name.unicodeScalars.map { scalar in
            guard isHidden(scalar) else { return String(scalar) }
            return String(scalar).systemBytes.map { "\\x" + Hex.encoded([$0]).uppercased() }.joined()
        }.joined()
    }

    package static func unescaping(_ text: some StringProtocol) -> String {
        var (bytes, rest) = ([UInt8](), text.systemBytes[...])
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\"), rest.first == UInt8(ascii: "x"),
                let value = Hex.decoded(String(decoding: rest.dropFirst().prefix(2), as: UTF8.self))?.first
            else {
                bytes.append(byte)
                continue
            }
            bytes.append(value)
            rest = rest.dropFirst(3)
        }
        return String(system: bytes)
    }

    /// Characters that can be neither seen nor typed: control and format characters, line and paragraph separators,
    /// and those that stand for bytes.
    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: SystemText.byte(scalar) != nil
        }
    }
}

/// The list of completions, above the line being typed.
struct PathCompletionList {
    let frame: Frame
    let chosen: String?
    let all: [(line: String, words: String)]

    /// Lines shown at a time; the user reaches the rest by typing a letter or by Tab.
    private static let most = 9

    func draw(on canvas: inout Canvas, above footer: Int) {
        let lines = min(Self.most, footer - 2)
        guard !all.isEmpty, lines > 1, canvas.columns >= 24 else { return }
        let room = all.count > lines ? lines - 1 : lines
        let place = chosen.flatMap { chosen in all.firstIndex { $0.line == chosen } } ?? 0
        let first = min(max(0, place - room / 2), max(0, all.count - room))
        let shown = all[first..<min(all.count, first + room)]
        let end = shown.count < all.count ? footer - 1 : footer
        draw(shown, on: &canvas, above: end)
        guard end < footer else { return }
        let words = "\(first + 1) to \(first + shown.count) of \(all.count); Tab and S-Tab move"
        drawEdge(on: &canvas, row: end)
        canvas.write(frame.look.text(words), frame.theme.quiet, column: 2, row: end, width: canvas.columns - 2)
    }

    private func drawEdge(on canvas: inout Canvas, row: Int) {
        canvas.clear(column: 0, row: row, columns: canvas.columns)
        canvas.mark(nil, column: 0, row: row, columns: canvas.columns)
        canvas.write(frame.look.text(String(frame.look.symbols.vertical)), frame.theme.border, column: 0, row: row)
    }

    private func draw(_ shown: ArraySlice<(line: String, words: String)>, on canvas: inout Canvas, above footer: Int) {
        let hasWords = shown.contains { !$0.words.isEmpty }
        let width = hasWords ? min(canvas.columns - 2, 60) : canvas.columns - 2
        let nameWidth = hasWords ? min(26, width / 2) : width
        for (offset, candidate) in shown.enumerated() {
            let row = footer - shown.count + offset
            let isChosen = chosen == candidate.line
            let style = isChosen ? frame.theme.selected : frame.theme.key
            drawEdge(on: &canvas, row: row)
            canvas.write(frame.look.text(candidate.line), style, column: 2, row: row, width: nameWidth - 1)
            canvas.write(
                frame.look.text(candidate.words), frame.theme.quiet, column: 2 + nameWidth, row: row,
                width: width - nameWidth)
        }
    }
}

extension PathCompletionList {
    init(frame: Frame, line: CommandPrompt, all: [(line: String, words: String)]) {
        // The error message of the line is drawn in the place of the list.
        self.init(frame: frame, chosen: line.chosen, all: line.prompt.fault == nil ? all : [])
    }
}
