/// One file of a round, with the server's troubles drawn by lot.
struct TortureFile: Sendable {
    let name: String
    let size: Int64
    let options: [String]
    /// Bytes a second, when the server holds back.
    let rate: Int64?
    /// The server ends connections with RST, which throws away what the client had not read.
    let isReset: Bool

    /// What all files of a round have in common.
    enum Style: CaseIterable, Sendable {
        /// Sizes from 64 KiB to 8 MiB, some of them held back.
        case mixed
        /// As large and as fast as it goes.
        case fast
        /// All of them are soon done: what is hit is the finishing.
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
        // None takes longer than four seconds or so.
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

    /// Bytes that may be fetched again for each kill: a second of data or 16 MiB, and what was on its way.
    var budget: Int64 { min(rate ?? .max, 16 << 20) + Self.onTheWay }

    /// What the kernel and libcurl hold between them of a connection that is held back.
    private static let onTheWay: Int64 = 512 << 10
    /// A RST may throw away what the client's kernel holds.
    var slack: Int64 { isReset ? 4 << 20 : 128 << 10 }
}
