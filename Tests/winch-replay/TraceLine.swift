import WinchModel

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
