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

/// One line of a trace: a fact that is known at the start, or an event with its time.
enum TraceLine: Hashable {
    case total(ByteCount?)
    /// Bytes on disk before the first event.
    case start(ByteCount)
    case segments([ByteCount])
    case files(Int)
    case data(at: Moment, have: ByteCount, source: Int)
    case pause(at: Moment)
    case resume(at: Moment)
    case loss(at: Moment, surviving: ByteCount)
    case queue(at: Moment, known: ByteCount, sized: Int, files: Int, done: Int)

    /// - Returns: `nil` when the line is malformed.
    init?(_ line: some StringProtocol) {
        let words = line.split(separator: " ")
        guard let verb = words.first else { return nil }
        let numbers = words.dropFirst().map { Double($0) ?? .nan }
        func number(_ index: Int) -> Double { index < numbers.count ? numbers[index] : .nan }
        func whole(_ index: Int) -> Int64? { number(index).magnitude < 1e15 ? Int64(exactly: number(index)) : nil }
        func bytes(_ index: Int) -> ByteCount? { whole(index).map { ByteCount(bytes: $0) } }
        func time() -> Moment? { (0..<1e9).contains(number(0)) ? Moment(seconds: number(0)) : nil }

        switch verb {
        case "total":
            self = .total(bytes(0))
        case "start":
            guard let have = bytes(0) else { return nil }
            self = .start(have)
        case "segments":
            self = .segments(numbers.indices.compactMap(bytes))
        case "files":
            guard let files = whole(0) else { return nil }
            self = .files(Int(files))
        case "data":
            guard let at = time(), let have = bytes(1) else { return nil }
            self = .data(at: at, have: have, source: Int(whole(2) ?? 0))
        case "pause":
            guard let at = time() else { return nil }
            self = .pause(at: at)
        case "resume":
            guard let at = time() else { return nil }
            self = .resume(at: at)
        case "loss":
            guard let at = time(), let surviving = bytes(1) else { return nil }
            self = .loss(at: at, surviving: surviving)
        case "queue":
            guard let at = time(), let known = bytes(1), let sized = whole(2), let files = whole(3), let done = whole(4)
            else { return nil }
            self = .queue(at: at, known: known, sized: Int(sized), files: Int(files), done: Int(done))
        default:
            return nil
        }
    }

    /// The time of the event; `nil` for a fact that is known at the start.
    var moment: Moment? {
        switch self {
        case .total, .start, .segments, .files: nil
        case .data(let at, _, _), .pause(let at), .resume(let at), .loss(let at, _), .queue(let at, _, _, _, _): at
        }
    }
}
