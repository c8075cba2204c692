import Synchronization

/// Puts the entries of a list into the queue of a run. Many are under way at a time, so that the distance to the server costs
/// little. May be repeated at any time: what the server has already is dropped there.
package final class Submission: Sendable {
    /// How many entries the server has taken.
    package struct Count: Hashable, Sendable {
        package var added = 0
        /// The run has or had them already.
        package var duplicates = 0
    }

    private struct State {
        var count = Count()
        var underWay = 0
        /// Not known to be stored: they are sent again.
        var again: [FleetEntry] = []
        var fault: FleetFault?
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let run: FleetRun
    private let state = Mutex(State())

    /// Entries without a receipt at a time: at 20,000 a second enough for a server 100 ms away.
    private static let mostUnderWay = 4096
    /// After failures.
    private static let pause = Duration.milliseconds(500)

    package init(to run: FleetRun) { self.run = run }

    package var count: Count { state.withLock { $0.count } }

    /// Submits one list, and returns when all of it is stored.
    ///
    /// - Throws: what the server refuses. A lost connection is no error: it goes on when the server is back.
    package func submit(_ reader: inout FleetEntryReader) async throws(FleetFault) {
        while let entry = reader.nextEntry() {
            await takePlace(below: Self.mostUnderWay)
            if let fault = state.withLock({ $0.fault }) { throw fault }
            send(entry)
            if state.withLock({ !$0.again.isEmpty }) { try await repeatFailed() }
        }
        repeat {
            await takePlace(below: 1)
            if let fault = state.withLock({ $0.fault }) { throw fault }
            try await repeatFailed()
        } while state.withLock { $0.underWay > 0 || !$0.again.isEmpty }
    }

    private func repeatFailed() async throws(FleetFault) {
        let again = state.withLock { state in
            defer { state.again = [] }
            return state.again
        }
        guard !again.isEmpty else { return }
        try? await Task.sleep(for: Self.pause)
        if run.jetStream.link.isClosed { throw .closed(reason: run.jetStream.link.lastFault ?? "") }
        for entry in again {
            await takePlace(below: Self.mostUnderWay)
            send(entry)
        }
    }

    private func send(_ entry: FleetEntry) {
        state.withLock { $0.underWay += 1 }
        run.jetStream.store(run.queueSubject, id: entry.id, Array(entry.text.utf8)) { result in
            self.settle(entry, result)
        }
    }

    private func settle(_ entry: FleetEntry, _ result: Result<JetStream.Receipt, FleetFault>) {
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.underWay -= 1
            switch result {
            case .success(let receipt):
                if receipt.duplicate ?? false { state.count.duplicates += 1 } else { state.count.added += 1 }
            case .failure(.noAnswer), .failure(.noJetStream): state.again.append(entry)
            case .failure(let fault): state.fault = state.fault ?? fault
            }
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
    }

    /// Waits until fewer than `limit` entries are under way.
    private func takePlace(below limit: Int) async {
        while state.withLock({ $0.underWay >= limit }) {
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    if state.underWay < limit { return true }
                    state.waiter = continuation
                    return false
                }
                if isReady { continuation.resume() }
            }
        }
    }
}
