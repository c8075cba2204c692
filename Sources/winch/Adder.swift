import Foundation
import Synchronization
import WinchCore
import WinchScreen

/// Adds what is typed or pasted in the dashboard. Files are read on a thread of their own: a file system that does not
/// answer must not take the keys away.
final class Adder: Sendable {
    private let parser: BatchParser
    private let places: Places
    private let sums: Sums
    private let add: @Sendable ([TransferSpec]) -> Void
    private let wake: @Sendable () -> Void
    private let state = Mutex(State())

    private struct State {
        /// For the main thread.
        var news: [ScreenEvent] = []
        /// What a thread is reading. One at a time: a file server that hangs must not collect threads.
        var reading: String?
    }

    /// - Parameters:
    ///   - add: takes entries to the engine.
    ///   - wake: tells the main thread to come for the news.
    init(
        parser: BatchParser, places: Places, sums: Sums, add: @escaping @Sendable ([TransferSpec]) -> Void,
        wake: @escaping @Sendable () -> Void
    ) {
        (self.parser, self.places, self.sums, self.add, self.wake) = (parser, places, sums, add, wake)
    }

    /// Returns at once.
    ///
    /// - Returns: what to tell the user now; the rest comes as news.
    func take(_ text: String) -> ScreenEvent? {
        guard TypedBatch.mayBeFile(text) else { return added(text) }
        let other = state.withLock { state in
            defer { state.reading = state.reading ?? text }
            return state.reading
        }
        if let other { return .added(nil, problems: ["still reading \(other.prefix(80)); try again when it is there"]) }
        Thread.detachNewThread {
            let event = self.added(text)
            self.state.withLock { state in
                state.news.append(event)
                state.reading = nil
            }
            self.wake()
        }
        return nil
    }

    /// What threads have to tell since the last call.
    func takeNews() -> [ScreenEvent] {
        state.withLock { state in
            defer { state.news = [] }
            return state.news
        }
    }

    private func added(_ text: String) -> ScreenEvent {
        let typed = TypedBatch(text, parser: parser, places: places)
        if !typed.specs.isEmpty { add(sums.demanded(of: typed.specs)) }
        return .added(typed.words, problems: typed.problems)
    }
}
