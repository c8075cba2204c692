import WinchModel

/// A server with its line: lets connections in, and shares the line among those that are served.
struct SimulatedHost {
    enum Answer {
        case served
        case status(Int)
        case reset
        /// It answers later.
        case none
    }

    let scenario: SplitScenario
    private(set) var streams: [Int: SimulatedStream] = [:]
    private var random: SplitMix64
    private var tokens: Double
    private var drift = 0.0
    /// The noise of the line is the same for every client.
    private var lineRandom: SplitMix64
    private var bannedUntil = -1.0
    private var hasFailed = false
    private(set) var requests = 0
    private(set) var refusals = 0
    /// Bytes sent, those that the client had no use for included.
    var served = 0.0

    init(_ scenario: SplitScenario, seed: UInt64) {
        self.scenario = scenario
        random = SplitMix64(seed: seed)
        lineRandom = SplitMix64(seed: ~seed)
        tokens = scenario.hostBurst
    }

    /// A request arrives on a new connection, or on one that was served before.
    mutating func request(_ number: Int, at now: Double) -> Answer {
        requests += 1
        let count = streams.count + (streams[number] == nil ? 1 : 0)
        switch scenario.policy {
        case .open: break
        case .refuses(let most) where count > most: return refuse(429)
        case .ignores(let most) where count > most:
            requests -= 1
            return .none
        case .bans(let most, let span):
            if count > most { bannedUntil = now + span }
            if now < bannedUntil {
                streams.removeAll()
                return refuse(403)
            }
        case .once where requests > 1: return refuse(404)
        case .refuses, .ignores, .once: break
        }
        if streams[number] != nil {
            streams[number]?.restart()
        } else {
            let link = freeLink()
            let rate = scenario.links[link] ?? scenario.connectionRate ?? (scenario.hostRate ?? 0) * 4
            streams[number] = SimulatedStream(link: link, rate: rate, scenario, seed: random.next())
        }
        return .served
    }

    private mutating func refuse(_ status: Int) -> Answer {
        refusals += 1
        return .status(status)
    }

    /// The client has closed a connection.
    mutating func close(_ number: Int) { streams[number] = nil }

    private mutating func freeLink() -> Int {
        let used = Set(streams.values.map(\.link))
        let free = (0..<8).filter { !used.contains($0) }
        return free.randomElement(using: &random) ?? Int(random.next() % 8)
    }

    /// One millisecond passes.
    ///
    /// - Parameter wanting: connections that the client reads from.
    /// - Returns: bytes that arrive, by connection, and connections that were reset.
    mutating func pass(to now: Double, wanting: [Int]) -> (bytes: [(number: Int, count: Double)], resets: [Int]) {
        var resets = strike(at: now)
        var arrived: [(number: Int, count: Double)] = []
        for number in wanting {
            guard var stream = streams[number] else {
                if !resets.contains(number) { resets.append(number) }
                continue
            }
            stream.pass(to: now)
            arrived.append((number, stream.ready))
            streams[number] = stream
        }
        if let rate = scenario.hostRate { share(rate, among: &arrived, at: now) }
        for (number, count) in arrived { streams[number]?.take(count) }
        return (arrived.filter { $0.count > 0 }, resets)
    }

    /// Those that have less ready than their share leave the rest to the others.
    private mutating func share(_ rate: Double, among arrived: inout [(number: Int, count: Double)], at now: Double) {
        if Int(now) % 10 == 0 { drift = 0.9 * drift + 0.436 * scenario.noise * lineRandom.gaussian() }
        let present = rate * max(0.2, 1 + drift)
        tokens = min(max(scenario.hostBurst, present), tokens + present)
        var line = tokens
        var open = Array(arrived.indices)
        while !open.isEmpty, line > 0.5 {
            let weights = open.map { streams[arrived[$0].number]?.weight ?? 1 }
            let each = line / weights.reduce(0, +)
            let modest = zip(open, weights).filter { arrived[$0.0].count <= each * $0.1 }
            guard !modest.isEmpty else {
                for (index, weight) in zip(open, weights) { arrived[index].count = each * weight }
                (line, open) = (0, [])
                break
            }
            for (index, _) in modest {
                line -= arrived[index].count
                open.removeAll { $0 == index }
            }
        }
        for index in open { arrived[index].count = 0 }
        tokens -= arrived.reduce(0) { $0 + $1.count }
    }

    /// The fault of the scenario, once.
    private mutating func strike(at now: Double) -> [Int] {
        guard let fault = scenario.fault, !hasFailed, now >= fault.at,
            let number = streams.keys.filter({ streams[$0]?.link == 1 }).min() ?? streams.keys.min()
        else { return [] }
        hasFailed = true
        switch fault.what {
        case .turnsSlow(let rate): streams[number]?.rate = rate
        case .stalls: streams[number]?.rate = 0
        case .dies:
            streams[number] = nil
            return [number]
        }
        return []
    }
}
