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
    ///   - mailbox: gets the results that take longer.
    init(parser: BatchParser, places: Places, queue: any QueueAccess, mailbox: LoopMailbox) {
        (self.parser, self.places, self.queue, self.mailbox) = (parser, places, queue, mailbox)
    }

    /// Adds the input. Never waits for a file.
    ///
    /// - Returns: the result; `nil` when it will come to the mailbox, because a file is being read.
    func take(_ text: String) -> ScreenEvent? {
        guard TypedEntries.mayBeFile(text) else { return added(text) }
        let other = reading.withLock { reading in
            defer { reading = reading ?? text }
            return reading
        }
        if let other { return .added(nil, problems: ["still reading \(other.prefix(80)); try again when it is there"]) }
        DispatchQueue(label: "winch.add").async {
            let event = self.added(text)
            self.reading.withLock { $0 = nil }
            self.mailbox.show([event])
        }
        return nil
    }

    private func added(_ text: String) -> ScreenEvent {
        let typed = TypedEntries(text, parser: parser, places: places)
        if !typed.specs.isEmpty { queue.add(typed.specs) { _ in } }
        return .added(typed.words, problems: typed.problems)
    }
}
