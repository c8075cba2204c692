import Dispatch
import Glibc
import Synchronization
import WinchBatch
import WinchModel
import WinchScreen
import WinchTerminal
import WinchTransport

/// Input that the user typed or pasted to add transfers: URLs, lines of a batch, or the name of a batch file.
struct TypedEntries {
    private(set) var specs: [TransferSpec] = []
    /// How many more entries ask for the same file as one of them.
    private var leftOut = 0
    /// Messages such as `more.txt:2: not a URL ...`.
    private(set) var problems: [String] = []

    /// Whether the input may be the name of a file, so that `init` accesses the file system and may block.
    static func mayBeFile(_ text: String) -> Bool {
        !text.contains { $0.isNewline } && (text.drop { $0 == " " }.hasPrefix("@") || !text.contains("://"))
    }

    /// - Parameter text: URLs separated by blanks, whole lines of a batch, `@FILE`, or the path of an existing file.
    init(_ text: String, parser: BatchParser, places: Places) {
        let isLines = text.contains { $0.isNewline }
        do throws(InputFile.Failure) {
            if !isLines, let path = try Self.path(in: text, places) {
                let bytes = try InputFile.readTyped(path)
                take(BatchReader(bytes, parser: parser, isMetalink: Metalink.isName(path)), place: "\(path):")
                return
            }
        } catch {
            problems = [error.message]
            return
        }
        let lines = isLines ? text : Self.addresses(in: text).joined(separator: "\n")
        take(BatchReader(Array(lines.utf8), parser: parser), place: isLines ? "line " : nil)
    }

    /// - Parameter place: the text before a line number in messages; `nil`: messages without line numbers.
    private mutating func take(_ batch: BatchReader, place: String?) {
        let reason = "standard input is not to be had here; name a file or a FIFO to upload"
        var (reader, filter) = (DistinctReader(batch, reasonWithoutInput: reason), DuplicateFilter())
        specs = reader.next(atMost: .max, &filter)
        leftOut = reader.duplicates.count
        problems = reader.problems.map { problem in
            (place.map { "\($0)\(problem.line): " } ?? "") + problem.message
        }
    }

    /// The message about how many entries a queue has added and left out; `nil`: none is new, which the queue says itself.
    func words(added: Int, startedAnew: Int = 0, refused: Int = 0) -> String? {
        guard added > 0 else { return nil }
        let known = specs.count - added - refused
        let noun = Direction.noun(uploads: specs.count { $0.direction == .up }, of: specs.count)
        return "\(NumberFormat.count(added)) \(noun)\(added == 1 ? "" : "s") added"
            + AdditionReply.words(ofKnown: known, startedAnew: startedAnew)
            + (leftOut > 0 ? ", \(Duplicates.words(leftOut))" : "")
    }

    /// The path of the file that the input names; `nil`: it names none.
    private static func path(in text: String, _ places: Places) throws(InputFile.Failure) -> String? {
        let text = text.drop { $0 == " " }
        if text.hasPrefix("@") {
            do throws(InvalidValue) {
                let path = try places.file(text.dropFirst())
                // Completion by Tab writes characters that cannot be typed as escapes.
                return access(path.cBytes, F_OK) == 0 ? path : EscapedName.unescaping(path)
            } catch {
                throw InputFile.Failure(message: error.message)
            }
        }
        guard !text.isEmpty, !text.utf8.starts(with: "-".utf8), !text.contains("://"),
            let path = try? places.file(text)
        else { return nil }
        return FileStatus.kind(of: path) == S_IFREG ? path : nil
    }

    /// Splits at blanks. A part that does not begin a URL belongs to the URL before it, which contains a blank: `http://h/a b`.
    private static func addresses(in text: String) -> [String] {
        text.split(separator: " ").reduce(into: []) { addresses, part in
            let isNew = part.contains("://") || part.hasPrefix("www.") || addresses.last?.contains("://") != true
            if isNew { addresses.append(String(part)) } else { addresses[addresses.count - 1] += " " + part }
        }
    }
}

/// Adds the URLs, batch lines and batch files that the user types or pastes in the dashboard. Files are read on another
/// thread, so that the keys keep working while a network file system does not answer.
final class BatchAdder: Sendable {
    private let parser: BatchParser
    private let places: Places
    private let queue: any QueueAccess
    private let mailbox: LoopMailbox
    /// The input that a thread is reading; `nil`: none. One at a time, so that a hanging file server cannot block any number of
    /// threads.
    private let reading = Mutex<String?>(nil)

    /// - Parameters:
    ///   - queue: gets the entries.
    ///   - mailbox: gets what became of the input.
    init(parser: BatchParser, places: Places, queue: any QueueAccess, mailbox: LoopMailbox) {
        (self.parser, self.places, self.queue, self.mailbox) = (parser, places, queue, mailbox)
    }

    /// Adds the input. Never waits for a file or the queue, whose answer comes to the mailbox.
    ///
    /// - Returns: why the input is not read; `nil`: it is.
    func take(_ text: String) -> ScreenEvent? {
        guard TypedEntries.mayBeFile(text) else {
            add(text)
            return nil
        }
        let other = reading.withLock { reading in
            defer { reading = reading ?? text }
            return reading
        }
        if let other { return .added(nil, problems: ["still reading \(other.prefix(80)); try again when it is there"]) }
        DispatchQueue(label: "winch.add").async {
            self.add(text)
            self.reading.withLock { $0 = nil }
        }
        return nil
    }

    private func add(_ text: String) {
        let typed = TypedEntries(text, parser: parser, places: places)
        guard !typed.specs.isEmpty else { return mailbox.show([.added(nil, problems: typed.problems)]) }
        queue.add(typed.specs) { [mailbox] reply in
            switch reply {
            case .added(let count, let startedAnew, let refused):
                let words = typed.words(added: count, startedAnew: startedAnew, refused: refused.count)
                mailbox.show([.added(words, problems: refused.map { "not added: \($0)" } + typed.problems)])
            case .refused(let words): mailbox.show([.added(nil, problems: ["not added: \(words)"] + typed.problems)])
            }
        }
    }
}
