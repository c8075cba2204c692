import Dispatch
import Synchronization
import WinchBatch
import WinchModel
import WinchScreen

/// Adds the URLs, batch lines and batch files that the user types or pastes in the dashboard. Files are read on another
/// thread, so that the keys keep working while a network file system does not answer.
final class BatchAdder: Sendable {
    private let parser: BatchParser
    private let places: Places
    private let queue: any QueueAccess
    private let wake: @Sendable () -> Void
    private let state = Mutex(State())

    private struct State {
        /// Results that the main thread has not taken yet.
        var results: [ScreenEvent] = []
        /// The input that a thread is reading; `nil`: none. One at a time, so that a hanging file server cannot block any number
        /// of threads.
        var reading: String?
    }

    /// - Parameters:
    ///   - queue: gets the entries.
    ///   - wake: wakes the main thread, which then calls `takeResults`.
    init(
        parser: BatchParser, places: Places, queue: any QueueAccess, wake: @escaping @Sendable () -> Void
    ) {
        (self.parser, self.places, self.queue, self.wake) = (parser, places, queue, wake)
    }

    /// Adds the input. Never waits for a file.
    ///
    /// - Returns: the result; `nil` when it will be returned by `takeResults`, because a file is being read.
    func take(_ text: String) -> ScreenEvent? {
        guard TypedEntries.mayBeFile(text) else { return added(text) }
        let other = state.withLock { state in
            defer { state.reading = state.reading ?? text }
            return state.reading
        }
        if let other { return .added(nil, problems: ["still reading \(other.prefix(80)); try again when it is there"]) }
        DispatchQueue(label: "winch.add").async {
            let event = self.added(text)
            self.state.withLock { state in
                state.results.append(event)
                state.reading = nil
            }
            self.wake()
        }
        return nil
    }

    /// The results of other threads since the last call.
    func takeResults() -> [ScreenEvent] {
        state.withLock { state in
            defer { state.results = [] }
            return state.results
        }
    }

    private func added(_ text: String) -> ScreenEvent {
        let typed = TypedEntries(text, parser: parser, places: places)
        if !typed.specs.isEmpty { queue.add(typed.specs) { _ in } }
        return .added(typed.words, problems: typed.problems)
    }
}
