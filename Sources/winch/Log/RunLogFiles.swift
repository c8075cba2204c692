import WinchModel

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
