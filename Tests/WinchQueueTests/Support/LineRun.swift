import TestSupport

@testable import WinchModel
@testable import WinchQueue

/// A batch downloaded by a queue over a simulated line: the predictions and what really happened.
struct LineRun {
    struct File {
        var bytes: Int64
        /// The server declares its length.
        var isNamed = true
    }

    /// Bytes a second of the line, and at most of each connection.
    var line = 5e6
    var each = Double.infinity
    /// Seconds from a request to the first byte.
    var latency = 0.1
    var slots = 4

    struct Moment {
        var at: Double
        /// Seconds, as predicted.
        var left: Double?
        var fraction: Double
        var done: Int
    }

    struct Outcome {
        var moments: [Moment] = []
        var end = 0.0
        /// How often the bar in bytes fell.
        var falls = 0

        /// The share of the moments after the first three seconds in which the time left is wrong by more than 30%.
        var wrong: Double {
            let judged = moments.filter { $0.at > 3 && end - $0.at > 0.5 }
            let wrong = judged.filter { moment in
                let actual = end - moment.at
                return moment.left.map { abs($0 - actual) > 0.3 * max(actual, 1) } ?? true
            }
            return Double(wrong.count) / Double(max(1, judged.count))
        }
    }

    /// Files of sizes between two bounds, distributed evenly on a logarithmic scale.
    static func files(_ count: Int, from low: Double, doublings: Int, isNamed: Bool = true, seed: UInt64) -> [File] {
        var random = SplitMix64(seed: seed)
        return (0..<count).map { _ in
            let size = low * Double(1 << Int.random(in: 0..<doublings, using: &random))
            return File(bytes: Int64(size * Double.random(in: 1..<2, using: &random)), isNamed: isNamed)
        }
    }

    func play(_ files: [File]) -> Outcome {
        var play = Play(self, files)
        return play.outcome()
    }
}

/// The server, the line and the clock.
private struct Play {
    private struct Connection {
        var id: ConnectionID
        var answersAt: Double
        var isOpen = false
        var have = 0.0
        var finishesAt: Double?
    }

    private let plan: LineRun
    private let files: [LineRun.File]
    private var queue: TransferQueue
    private var now = 0.0
    private var random = SplitMix64(seed: 7)
    private var connections: [Int: Connection] = [:]
    private var probes: [(number: Int, at: Double)] = []

    private static let step = 0.02

    init(_ plan: LineRun, _ files: [LineRun.File]) {
        (self.plan, self.files) = (plan, files)
        var settings = QueueSettings()
        (settings.slots, settings.perHost, settings.perNewHost) = (plan.slots, 64, 64)
        queue = TransferQueue(settings: settings)
    }

    private var moment: Moment { Moment(seconds: 1000 + now) }

    mutating func outcome() -> LineRun.Outcome {
        carryOut(queue.apply(.added(files.map { _ in Addition(spec: .sample()) }), at: moment))
        var outcome = LineRun.Outcome()
        var before = 0.0
        for step in 1...200_000 {
            now = Double(step) * Self.step
            answer()
            transfer()
            if step % 5 == 0 { carryOut(queue.apply(.tick, at: moment)) }
            _ = queue.takeUpdate(at: moment)
            let totals = queue.totals(at: moment)
            if totals.fraction < before { outcome.falls += 1 }
            before = totals.fraction
            if step % 25 == 0 {
                let left = totals.finish.map { ($0 - moment).seconds }
                outcome.moments.append(
                    .init(at: now, left: left, fraction: totals.fraction, done: totals.finished))
            }
            if totals.allSettled { break }
        }
        outcome.end = now
        return outcome
    }

    private mutating func carryOut(_ actions: [QueueAction]) {
        for action in actions {
            switch action {
            case .open(let request):
                let wait = plan.latency * Double.random(in: 0.7..<1.3, using: &random)
                connections[request.transfer.number] = Connection(id: request.connection, answersAt: now + wait)
            case .probe(let request): probes.append((request.id.number, now + plan.latency))
            default: break
            }
        }
    }

    private mutating func report(_ number: Int, _ event: TransportEvent) {
        let id = connections[number]?.id ?? ConnectionID(transfer: TransferID(number))
        let report = TransportReport(id, at: moment, event: event)
        carryOut(queue.apply(.report(report), at: moment))
    }

    private func named(_ number: Int) -> Int64? {
        files[number - 1].isNamed ? files[number - 1].bytes : nil
    }

    private mutating func answer() {
        while let probe = probes.first, probe.at <= now {
            probes.removeFirst()
            report(probe.number, .probed(named(probe.number).map { ByteCount($0) }))
        }
        for number in connections.keys.sorted() {
            guard let connection = connections[number], !connection.isOpen, connection.answersAt <= now else {
                continue
            }
            connections[number]?.isOpen = true
            report(number, .requested)
            report(number, .opening(of: named(number)))
        }
        for number in connections.keys.sorted() {
            guard let finishesAt = connections[number]?.finishesAt, finishesAt <= now else { continue }
            report(number, .finished(.saved(path: "file"), size: ByteCount(files[number - 1].bytes)))
            connections[number] = nil
        }
    }

    private mutating func transfer() {
        let moving = connections.filter { $0.value.isOpen && $0.value.finishesAt == nil }.keys.sorted()
        let share = min(plan.each, plan.line / Double(max(1, moving.count))) * Self.step
        for number in moving {
            let size = Double(files[number - 1].bytes)
            let have = min(size, (connections[number]?.have ?? 0) + share)
            connections[number]?.have = have
            if have < size {
                report(number, .moving(to: Int64(have)))
            } else {
                connections[number]?.finishesAt = now + Self.step
                report(number, .bodyEnded(size: ByteCount(Int64(size))))
            }
        }
    }
}
