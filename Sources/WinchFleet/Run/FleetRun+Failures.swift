import FoundationEssentials
import WinchModel

/// The entries that failed for good.
extension FleetRun {
    package struct Failure: Sendable {
        /// Its place in the stream of failures.
        package var sequence: UInt64
        package var record: FailureRecord
    }

    /// What became of failed entries that were to be tried again.
    package struct RetryCount: Hashable, Sendable {
        /// In the queue again.
        package var again = 0
        /// Never usable, so they stay among the failures.
        package var unusable = 0
        /// Words that no failed entry has.
        package var unknown: [String] = []
    }

    /// Reads failures in their order, in pieces.
    ///
    /// - Parameters:
    ///   - sequence: of the first one.
    ///   - take: what is no record of this version is left out.
    package func readFailures(
        from sequence: UInt64 = 1, _ take: ([Failure]) async throws(FleetFault) -> Void
    ) async throws(FleetFault) {
        let reader = try await StreamReader(failed, from: sequence, at: jetStream)
        while true {
            let piece = try await reader.next(atMost: 500)
            guard !piece.isEmpty else { return }
            try await take(
                piece.compactMap { stored in
                    (try? JSONDecoder().decode(FailureRecord.self, from: Data(stored.message.body)))
                        .map { Failure(sequence: stored.sequence, record: $0) }
                })
        }
    }

    /// Puts failed entries into the queue again.
    ///
    /// - Parameter words: numbers of entries, or parts of their URLs; empty: all.
    package func retry(_ words: [String] = []) async throws(FleetFault) -> RetryCount {
        var count = RetryCount()
        var unknown = words
        // What fails again meanwhile is not tried a third time.
        let last = try await jetStream.info(ofStream: failed)?.state.last ?? 0
        try await readFailures { (failures) throws(FleetFault) in
            let chosen = failures.filter { failure in
                guard failure.sequence <= last else { return false }
                let matching = words.filter(failure.record.matches)
                unknown.removeAll(where: matching.contains)
                return words.isEmpty || !matching.isEmpty
            }
            let usable = chosen.filter(\.record.isUsable)
            try await putBack(usable)
            count.again += usable.count
            count.unusable += chosen.count - usable.count
        }
        count.unknown = unknown
        return count
    }

    /// Entries under way at a time.
    private static let atATime = 256

    private func putBack(_ failures: [Failure]) async throws(FleetFault) {
        for start in stride(from: 0, to: failures.count, by: Self.atATime) {
            let piece = failures[start..<min(failures.count, start + Self.atATime)]
            let fault = await withTaskGroup(of: FleetFault?.self) { group in
                for failure in piece { group.addTask { await putBack(failure) } }
                return await group.reduce(nil) { $0 ?? $1 }
            }
            if let fault { throw fault }
        }
    }

    /// First into the queue, then out of the failures: an interruption in between loses nothing. The next retry finds the entry in
    /// the queue by its ID, which is another one than that of the submission.
    private func putBack(_ failure: Failure) async -> FleetFault? {
        do throws(FleetFault) {
            _ = try await jetStream.store(
                queueSubject, id: "\(failure.record.id).\(failure.sequence)", Array(failure.record.text.utf8))
            try await jetStream.remove(failure.sequence, from: failed)
            return nil
        } catch {
            return error
        }
    }
}

extension FailureRecord {
    /// - Parameter word: the entry's number, or a part of one of its URLs.
    func matches(_ word: String) -> Bool {
        if let number = UInt64(word) { return entry == number }
        return text.prefix { $0 != "\n" }.contains(word)
    }

    /// It was submitted by this version, and may succeed another time.
    var isUsable: Bool {
        guard !isBase64, wasSubmitted else { return false }
        return (try? FleetEntry.spec(Array(text.utf8), in: WorkingFolder("/"))) != nil
    }
}
