import Synchronization
import WinchLedger
import WinchModel
import WinchTransport

/// `--log FILE`: a subscriber of the feed that writes all events to a file, whatever front end is used. Entries are made on the
/// sink's own dispatch queue, not on the engine's thread. While the disk does not take them, updates are merged.
final class LogFile: UpdateSubscriber {
    private let sink: LogFileWriter
    private let level: LogLevel
    /// Seconds between the origin of `Moment` and 1970; added to a moment they give Unix time.
    private let unixOffset: Double
    /// `nonisolated(unsafe)`: accessed on the sink's serial queue only.
    private nonisolated(unsafe) var logBuilder = LogEntryBuilder()
    private let buffer = UpdateBuffer(wake: {})
    /// The sink has been asked to write what is in the buffer.
    private let isDue = Atomic(false)

    /// - Parameter rotation: when a new file is begun; `nil`: never.
    init(
        path: String, level: LogLevel, unixOffset: Double, rotation: LogFileWriter.Rotation? = nil
    ) throws(InputFile.Failure) {
        sink = try LogFileWriter(path: path, rotation)
        self.level = level
        self.unixOffset = unixOffset
    }

    /// Logs the events of an update. May be called on any thread; never waits.
    func post(_ update: Update) {
        buffer.post(update)
        guard !isDue.exchange(true, ordering: .acquiringAndReleasing) else { return }
        sink.async { [self] in
            isDue.store(false, ordering: .releasing)
            guard let update = buffer.take() else { return }
            for entry in logBuilder.entries(for: update) where entry.level >= level { write(entry) }
        }
    }

    /// Logs a message that is no event of the queue, such as a problem of a batch file.
    func report(_ words: String, _ level: LogLevel, at moment: Moment) {
        sink.async { [self] in
            guard level >= self.level else { return }
            write(LogEntry(at: moment, subject: .userMessage(words, level)))
        }
    }

    /// Returns when all entries have been written.
    ///
    /// - Returns: the message about entries that are missing; `nil`: none is.
    @discardableResult func close() -> String? { sink.flush() }

    private func write(_ entry: LogEntry) { sink.write(LogLineFormat.line(entry, time: time(of: entry.at))) }

    /// The time in UTC: `2024-05-06T07:08:09.123Z`.
    private func time(of moment: Moment) -> String {
        let milliseconds = Int64(unixOffset * 1000) + moment.nanoseconds / 1_000_000
        let fraction = String(1000 + milliseconds % 1000).dropFirst()
        return UnixTime(milliseconds: milliseconds).text("%Y-%m-%dT%H:%M:%S") + ".\(fraction)Z"
    }
}

/// The log files of a run: that of `--log`, and that of a session in its state folder.
struct RunLogFiles: Sendable {
    var files: [LogFile] = []

    /// Logs a message that is no event of the queue.
    func report(_ words: String, _ level: LogLevel, at moment: Moment) {
        for file in files { file.report(words, level, at: moment) }
    }

    /// Returns when all entries have been written, and reports those that are missing.
    func close() {
        for message in files.compactMap({ $0.close() }) { ErrorOutput.report(message) }
    }
}
