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

        /// The end of a sentence about them.
        package var rest: String {
            unusable > 0 ? "; \(NumberFormat.count(unusable)) left: no entries that this winch can download" : ""
        }
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
                    let record: FailureRecord? = KeyValueBucket.decode(stored.message.body)
                    return record.map { Failure(sequence: stored.sequence, record: $0) }
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

/// That an entry is settled with a complete file: a message of the stream `done`.
package struct ResultRecord: Codable, Hashable, Sendable {
    /// The sequence of the entry in the queue.
    package var entry: UInt64
    /// As `FleetEntry.id`.
    package var id: String
    /// The file's path below the worker's folder.
    package var path: String
    package var bytes: Int64
    package var worker: String
    /// The file was there already.
    package var wasComplete: Bool
}

/// That an entry failed for good: a message of the stream `failed`.
package struct FailureRecord: Codable, Hashable, Sendable {
    /// The sequence of the entry in the queue.
    package var entry: UInt64
    package var id: String
    /// The text of the message as it was in the queue, in Base64 where it is no UTF-8.
    package var text: String
    package var isBase64: Bool
    package var reason: String
    /// It has the header of this version: `winch fleet submit` made it.
    package var wasSubmitted: Bool
    /// How often the entry was given to a worker.
    package var deliveries: Int
    package var worker: String
}

/// What a worker says of itself each second: the value of the key with its ID in the bucket of the workers.
package struct WorkerRecord: Codable, Hashable, Sendable {
    /// That of its machine, unless it was named.
    package var name: String
    package var version: String
    package var pid: Int32
    package var jobs: Int
    /// Entries that it has, those at work included.
    package var held: Int
    package var working: Int
    package var connections: Int
    /// Bytes a second.
    package var rate: Double
    /// Free bytes on the disk of its folder; `nil`: not known.
    package var free: Int64?
    /// Since its start. An entry whose acknowledgement was lost counts again; in the stream `done` each entry is once.
    package var done: Int
    package var failed: Int
    package var bytes: Int64
}

extension FailureRecord {
    /// The name of the machine, from that of the worker: without the number that makes it unique.
    var machine: String { worker.lastIndex(of: "-").map { String(worker[..<$0]) } ?? worker }

    /// For messages; without logins and tokens.
    package var firstURL: String {
        let line = text.split(separator: "\n").first ?? ""
        let url = line.split(separator: "\t").first.map(String.init) ?? ""
        return (try? TransferURL(typed: url)).map { TransferURL.withoutSecrets($0.redacted) } ?? TransferURL.shown(url)
    }

    /// How a dashboard shows it. The row's ID is set by the caller.
    var row: TransferSnapshot {
        let spec = isBase64 ? nil : try? FleetEntry.spec(Array(text.utf8), in: WorkingFolder("/"))
        let url = spec?.urls.first
        return TransferSnapshot(
            id: TransferID(0), name: spec?.expectedName ?? firstURL,
            host: url?.hostAndPort ?? "", phase: .failed(.other(reason)))
    }
}
