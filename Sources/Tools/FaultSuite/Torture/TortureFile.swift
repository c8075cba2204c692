/// One file of a round, with random faults of the server.
struct TortureFile: Sendable {
    let name: String
    let size: Int64
    let options: [String]
    /// The server's rate limit in bytes a second; `nil`: none.
    let rate: Int64?
    /// The server ends connections with RST, which throws away what the client had not read.
    let isReset: Bool

    /// What all files of a round have in common.
    enum Style: CaseIterable, Sendable {
        /// Sizes from 64 KiB to 8 MiB, some of the files limited in rate.
        case mixed
        /// From 4 to 8 MiB, without a limit.
        case fast
        /// All files are soon complete, so that kills hit the finishing.
        case small
        /// Drops, resets, stalls, overload.
        case hostile
    }

    init(_ number: Int, _ style: Style, using random: inout some RandomNumberGenerator) {
        name = "t\(number).bin"
        let large = Int64(64 << 10) << Int64.random(in: 0...7, using: &random)
        switch style {
        case .small: size = Int64.random(in: 64 << 10...128 << 10, using: &random)
        case .fast: size = Int64.random(in: 4 << 20...8 << 20, using: &random)
        case .mixed, .hostile:
            size = min(8 << 20, max(64 << 10, Int64.random(in: large / 2...large, using: &random)))
        }
        // No file takes longer than about four seconds.
        let isSlow = style == .mixed ? Bool.random(using: &random) : style == .hostile && number % 4 == 0
        rate = isSlow ? max(128 << 10, size / Int64.random(in: 1...4, using: &random)) : nil
        let place = Int64.random(in: 1..<size, using: &random)
        let troubles: [[String]] = [
            ["dropfirst=\(place)"], ["dropfirst=\(place)", "reset"], ["drop=\(max(32 << 10, size / 4))"],
            ["stall=\(place)", "stallfor=0.3"], ["status=503,200"], ["status=close,200,503,200"], ["redirect=2"],
            ["limit=3", "limitkey=all"],
        ]
        let own = style == .hostile ? troubles.randomElement(using: &random) ?? [] : []
        isReset = own.contains("reset")
        options = ["size=\(size)"] + (rate.map { ["rate=\($0)"] } ?? []) + own
    }

    /// Bytes that may be fetched again for each kill: a second's worth, at most 16 MiB, and the bytes in flight.
    var budget: Int64 { min(rate ?? .max, 16 << 20) + Self.onTheWay }

    /// Bytes of a rate-limited connection that the kernel and libcurl hold in their buffers.
    private static let onTheWay: Int64 = 512 << 10
    /// Bytes that may be fetched again for each request: a RST discards what is in the client kernel's buffer.
    var slack: Int64 { isReset ? 4 << 20 : 128 << 10 }
}
