/// What a worker has added to a run since its start: the value of the key `tally.WORKER` in the bucket of the run's state, which
/// stays when the worker has gone. The streams count entries, but no bytes.
package struct RunTally: Codable, Hashable, Sendable {
    package static let prefix = "tally."

    package var done = 0
    package var bytes: Int64 = 0

    init(done: Int = 0, bytes: Int64 = 0) { (self.done, self.bytes) = (done, bytes) }
}
