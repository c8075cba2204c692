/// One file of a round, with random faults of the server.
struct TortureFile: Sendable {
    let name: String
    let size: Int64
    let options: [String]
    /// The server's rate limit in bytes a second; `nil`: none.
    let rate: Int64?
    /// The server ends connections with RST, which throws away what the client had not read.
    let isReset: Bool
    /// The most connections that bring it at the same time.
    let connections: Int

    /// What all files of a round have in common.
    enum Style: Sendable {
        /// Sizes from 64 KiB to 8 MiB, some of the files limited in rate.
        case mixed
        /// From 4 to 8 MiB, without a limit.
        case fast
        /// All files are soon complete, so that kills hit the finishing.
        case small
        /// Drops, resets, stalls, overload.
        case hostile
        /// From 12 to 24 MiB over four to eight connections, each of which is limited to a twentieth of the file a second.
        case split

        /// Those of files that are brought by one connection each.
        static let whole = [mixed, fast, small, hostile]

        /// Files in a round.
        var count: Int { self == .split ? 3 : 8 }
    }

    init(_ number: Int, _ style: Style, using random: inout some RandomNumberGenerator) {
        name = "t\(number).bin"
        let large = Int64(64 << 10) << Int64.random(in: 0...7, using: &random)
        switch style {
        case .small: size = Int64.random(in: 64 << 10...128 << 10, using: &random)
        case .fast: size = Int64.random(in: 4 << 20...8 << 20, using: &random)
        case .split: size = Int64.random(in: 12 << 20...24 << 20, using: &random)
        case .mixed, .hostile:
            size = min(8 << 20, max(64 << 10, Int64.random(in: large / 2...large, using: &random)))
        }
        connections = style == .split ? 8 : 1
        // No file takes longer than about four seconds.
        let isSlow = style == .mixed ? Bool.random(using: &random) : style == .hostile && number % 4 == 0
        let limited = isSlow ? max(128 << 10, size / Int64.random(in: 1...4, using: &random)) : nil
        rate = style == .split ? size / 20 : limited
        let place = Int64.random(in: 1..<size, using: &random)
        let troubles: [[String]] = [
            ["dropfirst=\(place)"], ["dropfirst=\(place)", "reset"], ["drop=\(max(32 << 10, size / 4))"],
            ["stall=\(place)", "stallfor=0.3"], ["status=503,200"], ["status=close,200,503,200"], ["redirect=2"],
            ["limit=3", "limitkey=all"],
        ]
        let splitTroubles: [[String]] = [
            [], [], ["dropfirst=\(place)"], ["drop=\(size / 6)"], ["drop=\(size / 6)", "reset"], ["limit=3"],
            ["status=200,503,200"], ["latency=0.1"],
        ]
        let own =
            switch style {
            case .hostile: troubles.randomElement(using: &random) ?? []
            case .split: splitTroubles.randomElement(using: &random) ?? []
            case .mixed, .fast, .small: [] as [String]
            }
        isReset = own.contains("reset")
        options = ["size=\(size)"] + (rate.map { ["rate=\($0)"] } ?? []) + own
    }

    /// Bytes that may be fetched again for each kill: a second's worth of each connection, at most 16 MiB, and the bytes in flight.
    var budget: Int64 {
        guard connections > 1, let rate else { return min(rate ?? .max, 16 << 20) + Self.onTheWay }
        return Int64(connections) * (rate + Self.onTheWayOfSlow)
    }

    /// Bytes of a rate-limited connection that the kernel and libcurl hold in their buffers.
    private static let onTheWay: Int64 = 512 << 10
    /// The same where the limit is some hundred kilobytes a second.
    private static let onTheWayOfSlow: Int64 = 128 << 10
    /// Bytes that may be fetched again for each request: a RST discards what is in the client kernel's buffer.
    var slack: Int64 { isReset ? connections > 1 ? 512 << 10 : 4 << 20 : 128 << 10 }
}
