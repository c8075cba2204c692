import WinchModel

/// The server's side of one connection: how many bytes it has ready for the line.
struct SimulatedStream {
    let link: Int
    /// Bytes a millisecond; 0: it is silent for good.
    var rate: Double
    private let pacing: SplitScenario.Pacing
    private let roundTrip: Double
    private let noise: Double
    private var random: SplitMix64
    private var drift = 0.0
    /// Bytes in one round trip; `nil`: the slow start is over.
    private var window: Double?
    private var nextRound = 0.0
    /// When the next slice or burst is due; `nil`: none was sent.
    private var nextLump: Double?
    /// Ready, and not yet on the line.
    private(set) var ready = 0.0

    init(link: Int, rate: Double, _ scenario: SplitScenario, seed: UInt64) {
        self.link = link
        self.rate = rate
        pacing = scenario.pacing
        roundTrip = scenario.roundTrip
        noise = scenario.noise
        random = SplitMix64(seed: seed)
        window = scenario.roundTrip > 5 ? Self.firstWindow : nil
    }

    /// A part of the host's rate, for the sharing of it.
    var weight: Double { max(0.2, 1 + drift) }

    /// Another request begins on the same connection: pacing starts anew, the window stays.
    mutating func restart() {
        ready = 0
        nextLump = nil
    }

    mutating func pass(to now: Double) {
        if Int(now) % 10 == 0 {
            drift = 0.9 * drift + 0.436 * noise * random.gaussian()
        }
        guard rate > 0, ready < Self.mostReady else { return }
        if let window {
            guard now >= nextRound else { return }
            nextRound = now + roundTrip
            ready += window
            self.window = window * 2 >= rate * roundTrip ? nil : window * 2
            return
        }
        switch pacing {
        case .smooth: ready += rate * weight
        case .slices(let gap): sendLump(rate * gap, at: now)
        case .bursts(let size): sendLump(size, at: now)
        }
    }

    mutating func take(_ bytes: Double) { ready = max(0, ready - bytes) }

    private mutating func sendLump(_ bytes: Double, at now: Double) {
        guard now >= nextLump ?? now else { return }
        ready += bytes
        nextLump = max(nextLump ?? now, now - 1) + bytes / (rate * weight)
    }

    /// Bytes: what a server's socket takes while the line is busy.
    private static let mostReady = 4_000_000.0
    /// Ten segments.
    ///
    /// - Source: RFC 6928.
    private static let firstWindow = 14_600.0
}
