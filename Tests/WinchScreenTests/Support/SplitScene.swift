@testable import WinchModel
@testable import WinchScreen

/// `Scenes.busy` with a third row whose file comes over five connections.
enum SplitScene {
    private static let mebi: Int64 = 1 << 20
    private static let parts = [
        0..<400 * mebi, 900 * mebi..<1100 * mebi, 1536 * mebi..<2000 * mebi, 2300 * mebi..<2500 * mebi,
    ]

    static let rows: [TransferSnapshot] = {
        var rows = Scenes.busy
        rows[2].have = ByteCount(bytes: 1264 * mebi)
        rows[2].split = SplitProgress(
            connections: 5, onDisk: parts, working: parts.map(\.upperBound) + [2800 * mebi],
            reason: "more did not help")
        return rows
    }()

    static let details: TransferDetails = {
        var details = TransferDetails.full
        details.have = rows[2].have
        details.ranges = parts
        details.durable = [0..<300 * mebi]
        details.connectionReason = "more did not help"
        details.connections = [
            connection(1, 400 * mebi..<900 * mebi, rate: 1.4e6, since: -280),
            connection(2, 2000 * mebi..<2300 * mebi, rate: 1.1e6, since: -279),
            connection(3, 1100 * mebi..<1536 * mebi, rate: 0, since: -278.5),
            connection(4, 2500 * mebi..<2800 * mebi, rate: 950_000, since: -61),
            connection(12, 2800 * mebi..<3072 * mebi, rate: nil, since: -1),
        ]
        return details
    }()

    private static func connection(
        _ number: Int, _ range: Range<Int64>, rate: Double?, since seconds: Double
    ) -> OpenConnection {
        OpenConnection(
            number: number, range: range, rate: rate.map { ByteRate(perSecond: $0) }, host: "mirror.example.org",
            began: .at(seconds), phase: rate == nil ? .requested : .moving)
    }

    static let update: Update = {
        var update = Update.lively
        update.rows = Dictionary(uniqueKeysWithValues: rows.map { ($0.id, $0) })
        update.details = [details]
        return update
    }()
}
