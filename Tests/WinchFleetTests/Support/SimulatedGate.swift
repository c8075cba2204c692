import WinchFleet
import WinchModel

func at(_ milliseconds: Int64) -> Moment { Moment(nanoseconds: milliseconds * 1_000_000) }

/// One host, its gate in a bucket, and the workers that share it: the real `GateMachine` of each, with a simulated queue. In
/// steps of a millisecond.
struct SimulatedGate {
    struct Result: Hashable {
        var refusals = 0
        /// The most connections at once that the host saw, refused ones included.
        var most = 0
        /// The connections that were in use at the end.
        var used = 0
        /// Milliseconds from a death until the dead worker's places were used again; `nil`: they were not.
        var recovery: Int?
    }

    var workers = 1000
    /// Connections that the host admits.
    var limit = 64
    /// `--gate` of all workers.
    var most = 256
    /// Transfers of a worker at a time.
    var jobs = 8
    /// Milliseconds that a connection to the host takes, about so.
    var fileTime = 200
    /// Milliseconds to the bucket, one way, and to the host.
    var delay = 2
    /// This many of the workers are killed after this time.
    var deaths: (count: Int, at: Int) = (0, 0)
    /// This worker has no connection to the bucket in this time, and does not know it.
    var cut: (worker: Int, times: Range<Int>)?

    /// - Parameter span: milliseconds.
    func run(span: Int, seed: UInt64) -> Result {
        var run = SimulatedGateRun(self, seed: seed)
        run.run(span: span)
        return run.result
    }
}

/// The state of a `SimulatedGate`.
struct SimulatedGateRun {
    private enum Happening {
        case tick(Int)
        /// A request reaches the bucket, of a worker.
        case request(Int, GateMachine.Action, sent: Int)
        /// Something reaches a worker.
        case news(Int, GateMachine.Event)
        /// The host answers a connection of a worker, which has this number: it is let in, or refused.
        case admitted(Int, Int), refused(Int, Int, begun: Int)
        case ended(Int, Int)
    }

    private struct Worker {
        var machine: GateMachine
        var share = HostShare(places: 0)
        /// When the generation of the share came.
        var since = 0
        /// Their numbers, and whether the host lets them in.
        var connections: [Int: Bool] = [:]
        /// Those whose answer has come.
        var accepted: Set<Int> = []
        var answers = 0
        var refusals = 0
        var open: Int { connections.count }
        var isAlive = true

        func use(_ host: String, jobs: Int) -> HostUse {
            HostUse(
                host: host, open: open, accepted: accepted.count, waiting: max(0, jobs - open), share: share.number,
                answers: answers, refusals: refusals)
        }
    }

    private static let host = "http://h"
    private let settings: SimulatedGate
    private var random: SplitMix64
    private var workers: [Worker] = []
    private var calendar: [Int: [Happening]] = [:]
    private var now = 0
    private(set) var result = SimulatedGate.Result()
    /// Connections that the host has let in.
    private var admitted = 0
    private var begun = 0
    private var gate: (value: HostGate, revision: UInt64)?
    private var last: UInt64 = 0
    private var signs: [String: UInt64] = [:]

    init(_ settings: SimulatedGate, seed: UInt64) {
        (self.settings, random) = (settings, SplitMix64(seed: seed))
        for number in 0..<settings.workers {
            workers.append(
                Worker(machine: GateMachine(worker: "w\(number)", most: settings.most, seed: random.next())))
            plan(.tick(number), after: Int.random(in: 0..<250, using: &random))
        }
    }

    mutating func run(span: Int) {
        while now < span {
            if settings.deaths.count > 0, now == settings.deaths.at { kill() }
            for happening in calendar.removeValue(forKey: now) ?? [] { take(happening) }
            let used = workers.reduce(0) { $0 + ($1.isAlive ? $1.open : 0) }
            if settings.deaths.count > 0, now > settings.deaths.at, result.recovery == nil, used >= capacity {
                result.recovery = now - settings.deaths.at
            }
            now += 1
        }
        result.used = admitted
    }

    private var capacity: Int { min(settings.limit, settings.most, settings.workers * settings.jobs) }

    private mutating func plan(_ happening: Happening, after delay: Int) {
        calendar[now + max(1, delay), default: []].append(happening)
    }

    private mutating func kill() {
        let holders = workers.indices.filter { workers[$0].open > 0 }.prefix(settings.deaths.count)
        for index in holders {
            workers[index].isAlive = false
            close(index, beyond: 0)
        }
    }

    private var moment: Moment { at(Int64(now)) }

    private mutating func take(_ happening: Happening) {
        switch happening {
        case .tick(let number):
            guard workers[number].isAlive else { return }
            plan(.tick(number), after: 250)
            perform(workers[number].machine.apply(.tick, at: moment), by: number)
            report(number)
        case .news(let number, let event):
            guard workers[number].isAlive, !isCut(number) else { return }
            perform(workers[number].machine.apply(event, at: moment), by: number)
        case .request(let number, let action, let sent):
            guard workers[number].isAlive, !isCut(number) else { return }
            serve(action, of: number, sent: sent)
        case .admitted(let number, let connection):
            guard workers[number].connections[connection] != nil else { return }
            workers[number].accepted.insert(connection)
            workers[number].answers += 1
            report(number)
            let time = settings.fileTime
            plan(.ended(number, connection), after: Int.random(in: time / 2...time * 3 / 2, using: &random))
        case .refused(let number, let connection, let begun):
            guard workers[number].connections.removeValue(forKey: connection) != nil else { return }
            if begun >= workers[number].since { workers[number].refusals += 1 }
            connect(number)
            report(number)
        case .ended(let number, let connection):
            guard workers[number].connections.removeValue(forKey: connection) != nil else { return }
            workers[number].accepted.remove(connection)
            admitted -= 1
            connect(number)
            report(number)
        }
    }

    private mutating func close(_ number: Int, beyond places: Int) {
        for connection in workers[number].connections.keys.sorted().dropFirst(max(0, places)) {
            workers[number].accepted.remove(connection)
            if workers[number].connections.removeValue(forKey: connection) == true { admitted -= 1 }
        }
    }

    private func isCut(_ number: Int) -> Bool {
        guard let cut = settings.cut else { return false }
        return cut.worker == number && cut.times.contains(now)
    }

    private mutating func report(_ number: Int) {
        guard workers[number].isAlive else { return }
        let use = workers[number].use(Self.host, jobs: settings.jobs)
        perform(workers[number].machine.apply(.used([use]), at: moment), by: number)
    }

    private mutating func connect(_ number: Int) {
        guard workers[number].isAlive else { return }
        let share = workers[number].share
        while share.refusals >= workers[number].refusals, workers[number].open < min(share.places, settings.jobs) {
            begun += 1
            let isAdmitted = admitted < settings.limit
            workers[number].connections[begun] = isAdmitted
            result.most = max(result.most, admitted + 1)
            if isAdmitted {
                admitted += 1
                plan(.admitted(number, begun), after: settings.delay)
            } else {
                result.refusals += 1
                plan(.refused(number, begun, begun: now), after: settings.delay)
            }
        }
    }

    private mutating func perform(_ actions: [GateMachine.Action], by number: Int) {
        for action in actions {
            switch action {
            case .share(_, let share):
                if share.generation > workers[number].share.generation { workers[number].since = now }
                workers[number].share = share
                if share.isEnforced { close(number, beyond: share.places) }
                connect(number)
                plan(.news(number, .used([workers[number].use(Self.host, jobs: settings.jobs)])), after: 1)
            case .watch, .unwatch, .limit, .readRate, .storeRate: break
            case .read(_, let pause):
                plan(
                    .request(number, action, sent: now),
                    after: settings.delay + Int(pause / .milliseconds(1)))
            case .store, .sign, .see: plan(.request(number, action, sent: now), after: settings.delay)
            }
        }
    }

    private mutating func serve(_ action: GateMachine.Action, of number: Int, sent: Int) {
        var answer: GateMachine.Event?
        switch action {
        case .read(let host, _): answer = .read(host, gate?.value, revision: gate?.revision)
        case .store(let new, let revision):
            if gate?.revision == revision {
                last += 1
                gate = (new, last)
                answer = .stored(Self.host, revision: last)
                for other in workers.indices where other != number {
                    plan(.news(other, .changed(Self.host)), after: settings.delay)
                }
            } else {
                answer = .notStored(Self.host)
            }
        case .sign:
            last += 1
            signs["w\(number)"] = last
            answer = .signed(at(Int64(sent)))
        case .see(let other):
            answer = .seen(other, signs[other], asked: at(Int64(sent)), hasEnded: false)
        case .watch, .unwatch, .share, .limit, .readRate, .storeRate: break
        }
        if let answer { plan(.news(number, answer), after: settings.delay) }
    }
}
