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
    private var bannedUntil = -1.0
    private var hasFailed = false
    private(set) var requests = 0
    private(set) var refusals = 0
    /// Bytes sent, those that the client had no use for included.
    var served = 0.0

    init(_ scenario: SplitScenario, seed: UInt64) {
        self.scenario = scenario
        random = SplitMix64(seed: seed)
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
            let rate = scenario.links[link] ?? scenario.connectionRate ?? scenario.hostRate ?? SplitScenario.loopback
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
    /// - Returns: bytes that arrive, by connection, and connections that were reset.
    mutating func pass(to now: Double, wanting: Set<Int>) -> (bytes: [Int: Double], resets: [Int]) {
        var resets = strike(at: now)
        let numbers = streams.keys.sorted().filter(wanting.contains)
        for number in numbers { streams[number]?.pass(to: now) }
        resets += wanting.filter { streams[$0] == nil && !resets.contains($0) }
        var line = SplitScenario.loopback
        if let rate = scenario.hostRate {
            tokens = min(max(scenario.hostBurst, rate), tokens + rate)
            line = tokens
        }
        var bytes: [Int: Double] = [:]
        var open = numbers
        // Those that have less ready than their share leave the rest to the others.
        while !open.isEmpty, line > 0.5 {
            let weights = open.reduce(0) { $0 + (streams[$1]?.weight ?? 0) }
            let modest = open.filter { number in
                guard let stream = streams[number] else { return true }
                return stream.ready - bytes[number, default: 0] <= line * stream.weight / weights
            }
            for number in modest.isEmpty ? open : modest {
                guard let stream = streams[number] else { continue }
                let part = min(stream.ready, line * stream.weight / weights)
                bytes[number] = part
            }
            line -= (modest.isEmpty ? open : modest).reduce(0) { $0 + (bytes[$1] ?? 0) }
            open = modest.isEmpty ? [] : open.filter { !modest.contains($0) }
        }
        for (number, count) in bytes {
            streams[number]?.take(count)
            if scenario.hostRate != nil { tokens -= count }
        }
        return (bytes, resets)
    }

    /// The fault of the scenario, once.
    private mutating func strike(at now: Double) -> [Int] {
        guard let fault = scenario.fault, !hasFailed, now >= fault.at,
            let number = streams.keys.sorted().first(where: { streams[$0]?.link == 1 }) ?? streams.keys.min()
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
