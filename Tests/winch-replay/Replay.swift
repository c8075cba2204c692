import WinchModel

/// A trace of arriving bytes, which can be replayed.
struct Replay {
    private var before: [TraceLine] = []
    private var events: [(line: TraceLine, at: Moment)] = []

    struct Malformed: Error {
        var line: Int
        var text: String
    }

    /// The figures of the row at one time.
    struct Sample: Hashable {
        /// The time in quarters of a second since the start of the trace.
        var quarter: Int64
        var figures: ReplayedRow.Figures

        /// One line of output: time, time left, rate, percentage; `-` for a figure that is not shown.
        var text: String {
            let rate = figures.rate.flatMap { Int64(exactly: $0.rounded()) }.map(String.init)
            let words = [figures.timeLeft.map(String.init), rate, figures.percent.map(String.init)]
            return "\(Double(quarter) / 4) " + words.map { $0 ?? "-" }.joined(separator: " ")
        }
    }

    init(_ lines: some Sequence<String>) throws(Malformed) {
        for (index, text) in lines.enumerated() where !text.isEmpty {
            guard let line = TraceLine(text) else { throw Malformed(line: index + 1, text: text) }
            if let at = line.moment { events.append((line, at)) } else { before.append(line) }
        }
    }

    /// The figures of the row at each quarter of a second before the last event.
    ///
    /// - Parameter frames: how often a second the figures are read. The result must not depend on it.
    func samples(frames: Int64 = 4) -> [Sample] {
        guard let end = events.last?.at else { return [] }
        var row = ReplayedRow()
        before.forEach { row.apply($0) }
        var samples: [Sample] = []
        var next = events.startIndex
        var frame: Int64 = 1
        for quarter in 1... {
            let now = Moment(nanoseconds: Int64(quarter) * 250_000_000)
            guard now < end else { break }
            func play(until moment: Moment) {
                while next < events.endIndex, events[next].at <= moment {
                    row.apply(events[next].line)
                    next += 1
                }
            }
            while frame * 1_000_000_000 / frames < now.nanoseconds {
                let look = Moment(nanoseconds: frame * 1_000_000_000 / frames)
                play(until: look)
                _ = row.figures(at: look)
                frame += 1
            }
            play(until: now)
            samples.append(Sample(quarter: Int64(quarter), figures: row.figures(at: now)))
        }
        return samples
    }
}

/// One line of a trace: a fact that is known at the start, or an event with its time. Numbers are bytes, or counts of files.
///
///     total BYTES, start BYTES, files COUNT
///     data SECONDS BYTES SOURCE, pause SECONDS, resume SECONDS, loss SECONDS BYTES, queue SECONDS KNOWN SIZED FILES DONE
struct TraceLine {
    /// How many numbers each verb has at least, the time of an event not counted.
    private static let facts = ["total": 1, "start": 1, "files": 1]
    private static let events = ["data": 2, "pause": 0, "resume": 0, "loss": 1, "queue": 4]

    let verb: String
    let numbers: [Int64]
    /// `nil` for a fact.
    let moment: Moment?

    /// - Returns: `nil` when the line is malformed.
    init?(_ line: String) {
        var words = line.split(separator: " ")[...]
        verb = words.popFirst().map(String.init) ?? ""
        if Self.events[verb] != nil {
            guard let seconds = Double(words.popFirst() ?? ""), (0..<1e9).contains(seconds) else { return nil }
            moment = Moment(seconds: seconds)
        } else {
            moment = nil
        }
        numbers = words.compactMap { Int64($0) }
        guard let least = Self.facts[verb] ?? Self.events[verb], numbers.count >= least, numbers.count == words.count
        else { return nil }
    }

    func bytes(_ index: Int) -> ByteCount { ByteCount(bytes: numbers[index]) }
}
