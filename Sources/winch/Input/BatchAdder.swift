import Dispatch
import Synchronization
import WinchBatch
import WinchModel
import WinchScreen
import WinchTerminal

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
