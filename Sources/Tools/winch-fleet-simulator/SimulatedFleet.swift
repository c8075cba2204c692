import Glibc
import WinchModel

/// A run in steps of time. The entries are a flow until the queue is empty; the last ones are drawn one by one.
struct SimulatedFleet {
    struct Result: Hashable {
        /// Until the last entry was submitted, and settled; in seconds.
        var submitted = 0.0
        var settled = 0.0
        /// The time of a fleet whose server costs nothing, whose workers do not die, and whose last entries are spread evenly.
        var ideal = 0.0
        /// At their peaks: bytes, bytes, messages a second, shares of a core.
        var memory = 0.0
        var disk = 0.0
        var messages = 0.0
        var cpu = 0.0
        var queueCPU = 0.0
        var deaths = 0
        /// Entries that were handed out a second time.
        var again = 0
        /// The seconds in which the server was what held the run back.
        var serverBound = 0.0
    }

    let scenario: FleetScenario
    private var random: SplitMix64
    /// Entries a second that each worker could settle alone.
    private var speeds: [Double] = []
    /// When a dead worker is back; `nil`: it works.
    private var backAt: [Double?] = []
    /// Dead workers' entries and when they are handed out again.
    private var returning: [(at: Double, count: Double)] = []

    init(_ scenario: FleetScenario, seed: UInt64) {
        (self.scenario, random) = (scenario, SplitMix64(seed: seed))
        speeds = (0..<scenario.workers).map { _ in speed(line: scenario.line * .random(in: 0.75...1.25, using: &random))
        }
        backAt = Array(repeating: nil, count: scenario.workers)
    }

    /// Of a worker that has all its connections.
    private func speed(line: Double) -> Double {
        let time = scenario.overhead + scenario.meanSize / min(scenario.connectionRate, line / Double(scenario.jobs))
        return min(Double(scenario.jobs) / time, 1 / scenario.workerCPU)
    }

    /// The part of the workers' connections that the hosts admit.
    private var admitted: Double {
        let wanted = Double(scenario.workers * scenario.jobs)
        return min(1, Double(scenario.hosts * scenario.hostLimit) / max(1, wanted))
    }

    mutating func run() -> Result {
        var result = Result()
        let all = Double(scenario.entries)
        let capacity = speeds.reduce(0, +) * admitted
        result.ideal = max(all / max(capacity, 1e-9), all / scenario.submitRate)
        let step = max(0.25, result.ideal / 20_000)
        var (time, submitted, settled, queue) = (0.0, 0.0, 0.0, 0.0)
        while true {
            let incoming = min(all - submitted, scenario.submitRate * step)
            submitted += incoming
            queue += incoming
            if submitted >= all, result.submitted == 0 { result.submitted = time + step }
            let due = returning.prefix { $0.at <= time }
            queue += due.reduce(0) { $0 + $1.count }
            returning.removeFirst(due.count)
            let living = letWorkersDie(at: time, for: step, holding: min(settled, held), &result)
            settled -= living.lost
            let wanted = min(queue / step, living.speed * admitted)
            let load = load(of: wanted, incoming / step, working: living.count)
            let slowed = max(load.cpu / scenario.machine.cores, load.queue / scenario.costs.streamCores, 1)
            if slowed > 1 { result.serverBound += step }
            let moved = min(queue, wanted / slowed * step)
            queue -= moved
            settled += moved
            time += step
            note(load, slowed, queue, submitted, settled, moved / step, time, &result)
            // Rounding leaves less than an entry.
            if submitted >= all, queue < 0.5, returning.isEmpty { break }
        }
        result.settled = time + tail()
        return result
    }

    /// Entries that a worker has.
    private var held: Double { Double(scenario.jobs + scenario.ahead) }

    /// - Parameter held: entries that a worker loses with its death; they count as settled when it gets them, a moment too early.
    /// - Returns: the workers that work, the entries that they could settle in a second, and those that were lost.
    private mutating func letWorkersDie(at time: Double, for step: Double, holding held: Double, _ result: inout Result)
        -> (count: Int, speed: Double, lost: Double)
    {
        let chance = scenario.deathsPerHour / 3600 * step
        var (count, speed, lost) = (0, 0.0, 0.0)
        for index in backAt.indices {
            if let back = backAt[index] {
                guard back <= time else { continue }
                backAt[index] = nil
            }
            guard chance == 0 || Double.random(in: 0..<1, using: &random) >= chance else {
                backAt[index] = time + scenario.restartTime
                result.deaths += 1
                lost += held
                continue
            }
            count += 1
            speed += speeds[index]
        }
        if lost > 0 {
            returning.append((time + scenario.ackWait, lost))
            result.again += Int(lost)
        }
        return (count, speed, lost)
    }

    private struct Load {
        var cpu = 0.0
        /// Of the stream of the queue, which one core serves.
        var queue = 0.0
        var messages = 0.0
    }

    private func load(of settled: Double, _ submitted: Double, working: Int) -> Load {
        let (costs, workers) = (scenario.costs, Double(working))
        let renewals = workers * held / scenario.renewalInterval
        // Entries that are settled before their claim is due are never renewed.
        let life = held * workers / max(settled, 1e-9)
        let renewed = life > scenario.renewalInterval ? renewals : 0
        let signs = workers * scenario.signsPerSecond
        let updates = workers * scenario.updatesPerSecond
        var load = Load()
        load.queue = submitted * costs.submit + settled * costs.deliver + renewed * costs.pass
        load.cpu = load.queue + (settled + signs) * costs.store + updates * costs.pass
        load.messages = 2 * submitted + 4 * settled + renewed + 2 * signs + updates
        return load
    }

    private func note(
        _ load: Load, _ slowed: Double, _ queue: Double, _ submitted: Double, _ settled: Double, _ rate: Double,
        _ time: Double, _ result: inout Result
    ) {
        let costs = scenario.costs
        let identities =
            min(submitted, scenario.submitRate * scenario.submitMemory)
            + min(settled, rate * scenario.resultMemory)
        let memory =
            identities * costs.identityMemory + (queue + settled) * costs.messageMemory
            + Double(scenario.workers) * costs.connectionMemory
        result.memory = max(result.memory, memory)
        result.disk = max(result.disk, queue * costs.entryDisk + settled * costs.resultDisk)
        result.messages = max(result.messages, load.messages / slowed)
        result.cpu = max(result.cpu, load.cpu / slowed)
        result.queueCPU = max(result.queueCPU, load.queue / slowed)
    }

    /// The time from the empty queue to the last file: each worker has up to `jobs + ahead` entries of random size.
    private mutating func tail() -> Double {
        let held = min(scenario.entries / max(1, scenario.workers), scenario.jobs + scenario.ahead)
        var longest = 0.0
        for speed in speeds {
            let slot = speed * admitted / Double(scenario.jobs)
            guard slot > 0 else { continue }
            var ends = [Double](repeating: 0, count: scenario.jobs)
            for _ in 0..<held {
                guard let first = ends.indices.min(by: { ends[$0] < ends[$1] }) else { break }
                ends[first] += -log(Double.random(in: 1e-9...1, using: &random)) / slot
            }
            longest = max(longest, ends.max() ?? 0)
        }
        return longest
    }
}
