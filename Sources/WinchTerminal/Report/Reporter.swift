import WinchBatch
import WinchModel

/// Converts updates to lines of text. Pure: updates in, lines out, without line ends.
protocol Reporter {
    /// - Parameter update: what has changed since the last update.
    mutating func lines(for update: Update) -> [String]
    /// When `lines(at:)` must be called even if no update arrives; `nil`: no line is due.
    var nextLineTime: Moment? { get }
    /// The lines that are due at `now`.
    mutating func lines(at now: Moment) -> [String]
    /// The last lines, after the engine has ended.
    mutating func lastLines() -> [String]
}

/// The front ends that write lines instead of drawing a screen.
package enum ReportKind: String, Hashable, Sendable, CaseIterable {
    /// A line when a transfer settles, and one for the queue every few seconds.
    case plain
    /// A JSON object per line for every event.
    case json
    /// No output.
    case quiet

    /// - Parameters:
    ///   - unixOffset: added to a moment's seconds, gives the seconds since 1970.
    ///   - isASCII: the output can show ASCII only; JSON is not affected.
    ///   - shard: what the run has of the list; `nil`: all. Plain output leaves it to the messages on standard error.
    /// - Returns: `nil` for `quiet`.
    func reporter(unixOffset: Double, isASCII: Bool = false, shard: ShardFigures? = nil) -> (any Reporter)? {
        switch self {
        case .plain: PlainReporter(isASCII: isASCII)
        case .json: JSONReporter(unixOffset: unixOffset, shard: shard)
        case .quiet: nil
        }
    }
}
