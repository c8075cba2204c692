extension SplitScenario {
    /// What is simulated, with the most time over the ideal that is accepted.
    static let all: [(scenario: SplitScenario, most: Double)] = even + uneven + shared + refusing

    private static func make(_ name: String, _ change: (inout SplitScenario) -> Void = { _ in }) -> SplitScenario {
        var scenario = SplitScenario(name: name)
        change(&scenario)
        return scenario
    }

    private static let even: [(SplitScenario, Double)] = [
        (make("eight of 4 MB/s"), 1.35),
        (make("eight of 4 MB/s, slices of 50 ms") { $0.pacing = .slices(50) }, 1.35),
        (make("eight of 4 MB/s, bursts of 2 MB") { $0.pacing = .bursts(2_000_000) }, 1.5),
        (make("eight of 4 MB/s, noise 30 %") { $0.noise = 0.3 }, 1.35),
        (make("eight of 4 MB/s, 256 MB") { $0.size = 256_000_000 }, 1.1),
        (make("eight of 4 MB/s, 150 ms away") { $0.roundTrip = 150 }, 1.4),
        (make("eight of 4 MB/s, 150 ms away, 256 MB") { ($0.roundTrip, $0.size) = (150, 256_000_000) }, 1.2),
        (make("eight of 4 MB/s, reports of 50 ms") { $0.reportGap = 50 }, 1.35),
        (make("eight of 4 MB/s, reports of 100 ms") { $0.reportGap = 100 }, 1.65),
        (make("eight of 1 MB/s, 30 ms away") { ($0.roundTrip, $0.connectionRate) = (30, 1000) }, 1.2),
    ]

    private static let uneven: [(SplitScenario, Double)] = [
        (make("two of eight at 64 kB/s") { $0.links = [1: 64, 4: 64] }, 1.15),
        (make("two of eight at 64 kB/s, 256 MB") { ($0.links, $0.size) = ([1: 64, 4: 64], 256_000_000) }, 1.15),
        (make("one turns slow") { $0.fault = (1000, .turnsSlow(64)) }, 1.25),
        (make("one stalls") { $0.fault = (1000, .stalls) }, 1.25),
        (make("one dies") { $0.fault = (1000, .dies) }, 1.25),
        (make("one stalls, 256 MB") { ($0.fault, $0.size) = ((3000, .stalls), 256_000_000) }, 1.25),
        (make("one turns slow, 256 MB") { ($0.fault, $0.size) = ((3000, .turnsSlow(64)), 256_000_000) }, 1.25),
    ]

    private static let shared: [(SplitScenario, Double)] = [
        (make("8 MB/s in all") { ($0.connectionRate, $0.hostRate, $0.bestCount) = (nil, 8000, 1) }, 1.03),
        (
            make("8 MB/s in all, noise 30 %") {
                ($0.connectionRate, $0.hostRate, $0.bestCount, $0.noise) = (nil, 8000, 1, 0.3)
            }, 1.03
        ),
        (
            make("8 MB/s in all, 150 ms away") {
                ($0.connectionRate, $0.hostRate, $0.bestCount, $0.roundTrip) = (nil, 8000, 1, 150)
            }, 1.03
        ),
        (
            make("8 MB/s in all after 10 MB at once") {
                ($0.connectionRate, $0.hostRate, $0.bestCount, $0.hostBurst) = (nil, 8000, 1, 10_000_000)
            }, 1.03
        ),
        (make("4 MB/s each, 12 MB/s in all") { ($0.hostRate, $0.bestCount) = (12_000, 3) }, 1.2),
    ]

    private static let refusing: [(SplitScenario, Double)] = [
        (make("429 above 3") { ($0.policy, $0.bestCount) = (.refuses(above: 3), 3) }, 1.2),
        (make("429 above 1") { ($0.policy, $0.bestCount) = (.refuses(above: 1), 1) }, 1.1),
        (make("429 above 5") { ($0.policy, $0.bestCount) = (.refuses(above: 5), 5) }, 1.3),
        (make("a ban of 5 s above 2") { ($0.policy, $0.bestCount) = (.bans(above: 2, milliseconds: 5000), 2) }, 3),
        (make("no answer above 3") { ($0.policy, $0.bestCount) = (.ignores(above: 3), 3) }, 1.4),
        (make("a URL for one request") { ($0.policy, $0.bestCount, $0.isSigned) = (.once, 1, true) }, 1.01),
        (make("a URL for one request that does not say so") { ($0.policy, $0.bestCount) = (.once, 1) }, 1.05),
    ]
}
