import Glibc
import Logging
import WinchCore

/// `--log FILE`: everything that happens, whatever the face. Takes updates and puts them into words on its own queue.
final class EventLogFile: Sendable {
    private let sink: LogSink
    private let logger: Logger
    private let level: LogLevel
    /// Seconds to add to a moment to get the time of day since 1970.
    private let unixOffset: Double
    /// Touched on the sink's queue alone.
    private nonisolated(unsafe) var scribe = EventScribe()

    init(path: String, level: LogLevel, unixOffset: Double) throws(InputFile.Failure) {
        let sink = try LogSink(path: path)
        self.sink = sink
        self.level = level
        self.unixOffset = unixOffset
        var logger = Logger(label: "winch") { _ in FileLogHandler(sink: sink, level: level.forLogging) }
        logger.logLevel = level.forLogging
        self.logger = logger
    }

    /// Any thread; never waits.
    func take(_ update: Update) {
        sink.async { [self] in
            for entry in scribe.entries(for: update) where entry.level >= level { write(entry) }
        }
    }

    /// Something beside the queue's events, such as a line of a batch that could not be read.
    func tell(_ words: String, _ level: LogLevel, at moment: Moment) {
        sink.async { [self] in
            guard level >= self.level else { return }
            write(LogEntry(at: moment, subject: .said(words, level)))
        }
    }

    /// Returns when all is written.
    func close() { sink.flush() }

    private func write(_ entry: LogEntry) {
        var metadata: Logger.Metadata = [FileLogHandler.timeKey: "\(time(of: entry.at))"]
        if let id = entry.id { metadata[FileLogHandler.idKey] = "\(id.number)" }
        for (name, value) in entry.fields { metadata[name] = "\(value)" }
        logger.log(level: entry.level.forLogging, "\(entry.message)", metadata: metadata)
    }

    /// `2024-05-06T07:08:09.123Z`.
    private func time(of moment: Moment) -> String {
        let milliseconds = Int64(unixOffset * 1000) + moment.nanoseconds / 1_000_000
        var seconds = time_t(milliseconds / 1000)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        func digits(_ number: some BinaryInteger, _ count: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        return digits(parts.tm_year + 1900, 4) + "-" + digits(parts.tm_mon + 1, 2) + "-" + digits(parts.tm_mday, 2)
            + "T" + digits(parts.tm_hour, 2) + ":" + digits(parts.tm_min, 2) + ":" + digits(parts.tm_sec, 2)
            + "." + digits(milliseconds % 1000, 3) + "Z"
    }
}

extension LogLevel {
    fileprivate var forLogging: Logger.Level {
        switch self {
        case .debug: .debug
        case .info: .info
        case .warning: .warning
        case .error: .error
        }
    }
}
