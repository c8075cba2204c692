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

    private let run: FleetRun
    private let counted = Mutex(Count())

    /// Entries without a receipt at a time: at 20,000 a second enough for a server 100 ms away.
    private static let mostUnderWay = 4096
    /// After failures.
    private static let pause = Duration.milliseconds(500)

    package init(to run: FleetRun) { self.run = run }

    package var count: Count { counted.withLock { $0 } }

    private typealias Answer = (entry: FleetEntry, result: Result<JetStream.Receipt, FleetFault>)

    /// Submits one list, and returns when all of it is stored.
    ///
    /// - Throws: what the server refuses. A lost connection is no error: it goes on when the server is back.
    package func submit(_ reader: inout FleetEntryReader) async throws(FleetFault) {
        let (stream, input) = AsyncStream.makeStream(of: Answer.self)
        var answers = stream.makeAsyncIterator()
        var underWay = 0
        while true {
            while underWay < Self.mostUnderWay, let entry = reader.nextEntry() {
                send(entry, input)
                underWay += 1
            }
            guard underWay > 0, let (entry, result) = await answers.next() else { return }
            switch result {
            case .success(let receipt):
                underWay -= 1
                counted.withLock { count in
                    if receipt.duplicate ?? false { count.duplicates += 1 } else { count.added += 1 }
                }
            case .failure(.noAnswer), .failure(.noJetStream):
                if run.jetStream.link.isClosed { throw .closed(reason: run.jetStream.link.lastFault ?? "") }
                // Not known to be stored: it is sent again.
                Task {
                    try? await Task.sleep(for: Self.pause)
                    send(entry, input)
                }
            case .failure(let fault): throw fault
            }
        }
    }

    private func send(_ entry: FleetEntry, _ input: AsyncStream<Answer>.Continuation) {
        run.jetStream.store(run.queueSubject, id: entry.id, Array(entry.text.utf8)) { input.yield((entry, $0)) }
    }
}
