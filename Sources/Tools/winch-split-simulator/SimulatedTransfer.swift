import WinchModel
import WinchQueue

/// One file over several connections, as the queue drives them: a map of segments and a controller.
struct SimulatedTransfer {
    let scenario: SplitScenario
    private var host: SimulatedHost
    private var map: SegmentMap
    private var controller: SplitController
    private var connections: [Int: SimulatedConnection] = [:]
    private var next = 1
    /// Milliseconds.
    private var now = 0.0
    private var log: [String] = []
    private var countSince: [Int: Double] = [:]
    private var arrived: [Int: Int64] = [:]
    private var cuts = 0

    init(_ scenario: SplitScenario, seed: UInt64) {
        self.scenario = scenario
        host = SimulatedHost(scenario, seed: seed)
        map = SegmentMap(total: scenario.size)
        controller = SplitController(mayRepeatRequest: !scenario.isSigned, at: Moment(nanoseconds: 0))
    }

    private var moment: Moment { Moment(nanoseconds: Int64(now * 1e6)) }

    mutating func run() -> SimulatedResult {
        while !map.isComplete, now < scenario.mostTime {
            if Int(now) % scenario.reportGap == 0 { decide() }
            advanceHandshakes()
            receive()
            now += 1
        }
        return SimulatedResult(
            milliseconds: now, isComplete: map.isComplete, requests: host.requests, refusals: host.refusals,
            servedOverSize: host.served / Double(scenario.size), cuts: cuts, log: log, reached: countSince)
    }

    private mutating func note(_ decisions: [SplitDecision]) {
        log += decisions.map { "\(Int(now)) ms: \($0.text)" }
    }

    private mutating func apply(_ event: SplitEvent) { note(controller.apply(event, at: moment)) }

    /// What the queue does at each report and tick.
    private mutating func decide() {
        for number in arrived.keys.sorted() { report(number) }
        var circumstances = SplitCircumstances(left: map.left, slots: scenario.slots)
        circumstances.ceiling = scenario.ceiling
        note(controller.change(circumstances, at: moment))
        let map = map
        let live = connections.keys.sorted().filter { map[$0]?.isRetiring != true }
        for number in live.dropFirst(controller.wanted) { retire(number) }
        for number in connections.keys.sorted() {
            if case .idle = connections[number]?.phase { assign(number) }
        }
        while connections.count < controller.wanted, controller.opensAt.map({ $0 <= moment }) ?? true {
            guard open() else { break }
        }
        let moving = connections.values.count(where: \.isMoving)
        for count in 1...max(1, moving) where countSince[count] == nil && moving > 0 { countSince[count] = now }
    }

    /// What has arrived since the last report.
    private mutating func report(_ number: Int) {
        guard let bytes = arrived.removeValue(forKey: number), let connection = connections[number] else { return }
        map.moved(number, through: connection.position, at: moment)
        apply(.moved(number, ByteCount(bytes: bytes)))
    }

    private mutating func open() -> Bool {
        let number = next
        map.expected = controller.expected
        guard let piece = map.assign(number, isOpenEnded: connections.isEmpty, at: moment) else { return false }
        log += [
            "  \(Int(now)) ms: open \(number) \(piece.range) cut \(piece.cut.map { "\($0.number)@\($0.end)" } ?? "-")"
        ]
        next += 1
        connections[number] = SimulatedConnection(
            phase: .connecting(until: now + 1.5 * scenario.roundTrip), position: piece.range.lowerBound,
            end: piece.range.upperBound, askedEnd: piece.isOpenEnded ? scenario.size : piece.range.upperBound)
        apply(.opened(number))
        obey(piece.cut)
        return true
    }

    /// A connection that has brought its piece gets another one, or waits.
    private mutating func assign(_ number: Int) {
        map.expected = controller.expected
        guard let piece = map.assign(number, at: moment) else { return }
        log += [
            "  \(Int(now)) ms: more \(number) \(piece.range) cut \(piece.cut.map { "\($0.number)@\($0.end)" } ?? "-")"
        ]
        let arrival = now + 0.5 * scenario.roundTrip
        connections[number]?.phase = .connecting(until: arrival)
        connections[number]?.position = piece.range.lowerBound
        connections[number]?.end = piece.range.upperBound
        connections[number]?.askedEnd = piece.range.upperBound
        obey(piece.cut)
    }

    private mutating func obey(_ cut: SegmentEnd?) {
        guard let cut, let victim = connections[cut.number] else { return }
        cuts += 1
        connections[cut.number]?.end = max(cut.end, victim.position)
        if cut.end <= victim.position { close(cut.number) }
    }

    private mutating func retire(_ number: Int) {
        if case .idle = connections[number]?.phase { return close(number) }
        if let cut = map.retire(number, at: moment) { obey(cut) }
    }

    /// Closes a connection in the middle: what is on the way is lost.
    private mutating func close(_ number: Int, with event: SplitEvent? = nil) {
        report(number)
        if let connection = connections[number], connection.end < connection.askedEnd, let stream = host.streams[number]
        {
            let rate = min(stream.rate, scenario.hostRate ?? stream.rate)
            host.served += min(
                rate * (scenario.roundTrip + Self.buffer), Double(connection.askedEnd - connection.end))
        }
        log += [
            "  \(Int(now)) ms: close \(number) at \(connections[number]?.position ?? 0) of \(connections[number]?.end ?? 0) left \(map.left.bytes)"
        ]
        host.close(number)
        connections[number] = nil
        arrived[number] = nil
        if let longer = map.release(number) { connections[longer.number]?.end = longer.end }
        apply(event ?? .closed(number))
    }

    private mutating func advanceHandshakes() {
        for number in connections.keys.sorted() {
            switch connections[number]?.phase {
            case .connecting(let until) where now >= until: request(number)
            case .requested(let until) where now >= until: connections[number]?.phase = .moving
            default: break
            }
        }
    }

    private mutating func request(_ number: Int) {
        switch host.request(number, at: now) {
        case .served:
            let arrival = now + 0.5 * scenario.roundTrip
            connections[number]?.phase = .requested(until: arrival)
            apply(.answered(number))
        case .status(let code): close(number, with: .refused(number, .status(code)))
        case .reset: close(number, with: .refused(number, .noConnection))
        case .none:
            let again = now + 10
            connections[number]?.phase = .connecting(until: again)
        }
    }

    private mutating func receive() {
        let moving = connections.filter { $0.value.isMoving }.keys.sorted()
        let (bytes, resets) = host.pass(to: now, wanting: moving)
        for number in resets { close(number, with: .lost(number)) }
        for (number, count) in bytes {
            guard var connection = connections[number] else { continue }
            let whole = (count + connection.fraction).rounded(.down)
            connection.fraction += count - whole
            host.served += min(whole, Double(connection.askedEnd - connection.position))
            let position = min(connection.end, connection.position + Int64(whole))
            arrived[number, default: 0] += position - connection.position
            connection.position = position
            connections[number] = connection
            if position >= connection.end { finish(number) }
        }
    }

    private mutating func finish(_ number: Int) {
        guard let connection = connections[number] else { return }
        report(number)
        guard connection.end == connection.askedEnd, map[number]?.isRetiring != true else { return close(number) }
        connections[number]?.phase = .idle
        assign(number)
    }

    /// Milliseconds of data that a server has sent ahead when the client closes.
    private static let buffer = 20.0
}

/// How a simulated transfer went.
struct SimulatedResult {
    var milliseconds: Double
    var isComplete: Bool
    var requests: Int
    var refusals: Int
    var servedOverSize: Double
    var cuts: Int
    var log: [String]
    /// When so many connections moved bytes for the first time.
    var reached: [Int: Double]
}

extension SplitScenario {
    /// The time, in milliseconds, of a client that has `count` connections from the start and shares the bytes perfectly.
    func time(with count: Int, seed: UInt64) -> Double {
        var host = SimulatedHost(self, seed: seed)
        for number in 1...count { _ = host.request(number, at: 0) }
        var (now, bytes) = (2 * roundTrip, 0.0)
        while bytes < Double(size), now < mostTime {
            for (_, count) in host.pass(to: now, wanting: Array(1...count)).bytes { bytes += count }
            now += 1
        }
        return now
    }
}
