import FoundationEssentials

/// The entries that were settled last, in the run as a whole.
///
/// A server that was killed may have forgotten which entries it had handed out and which were acknowledged, and a worker that was
/// killed may not have acknowledged what it had finished. Such an entry is delivered once more, although its result is stored.
struct RecentResults: Sendable {
    /// The ID of each entry, as in `ResultRecord`, by the entry's place in the queue.
    private var ids: [UInt64: String] = [:]

    /// 5,000 results, about 1 MB: a fleet of 1,000 files a second stores so many in 5 s. A server loses what it had to write in
    /// the last second.
    private static let most: UInt64 = 5000
    /// In one piece.
    private static let piece = 500

    init() {}

    init(_ records: some Sequence<ResultRecord>) {
        for record in records { ids[record.entry] = record.id }
    }

    /// Reads them from the server.
    init(of run: FleetRun) async throws(FleetFault) {
        let last = try await run.jetStream.info(ofStream: run.done)?.state.last ?? 0
        guard last > 0 else { return }
        let reader = try await StreamReader(run.done, from: last - min(last, Self.most) + 1, at: run.jetStream)
        while true {
            let piece = try await reader.next(atMost: Self.piece)
            for stored in piece {
                guard let record = try? JSONDecoder().decode(ResultRecord.self, from: Data(stored.message.body)) else {
                    continue
                }
                ids[record.entry] = record.id
            }
            // What comes meanwhile is the work of others now.
            guard let end = piece.last, end.sequence < last else { return }
        }
    }

    /// The result of the entry is stored. Another list may have had its place in a queue of the same name.
    func has(_ delivery: Delivery) -> Bool { ids[delivery.sequence] == delivery.id }
}
