import FoundationEssentials
import WinchModel
package import WinchSession

/// What a worker publishes while a dashboard follows it: a change of its queue, as in the protocol of sessions.
package struct WorkerUpdate: Codable, Sendable {
    package var update: SessionUpdate
    /// By the number of a row in the update: the sequence of its entry in the queue of the run.
    package var entries: [Int: UInt64]?

    /// Its instant alone, with the worker's clock.
    struct Time: Decodable {
        struct Update: Decodable {
            var at: Moment
        }

        var update: Update
    }
}

/// What a dashboard asks of workers. Those that hear nothing for `lifetime` publish nothing any more.
package struct FollowRequest: Codable, Hashable, Sendable {
    /// The whole queue, and not only its changes.
    var isWhole: Bool?
    /// The row whose details are shown.
    var watched: TransferID?

    package init() {}

    /// Reads a message; what it does not understand is no more than that a dashboard is there.
    init(_ body: [UInt8]) {
        self = (try? JSONDecoder().decode(FollowRequest.self, from: Data(body))) ?? FollowRequest()
    }

    /// A dashboard repeats its request in a third of this time.
    static let lifetime = Duration.seconds(15)
}

extension FleetRun {
    /// Where dashboards send a `FollowRequest`.
    ///
    /// - Parameter worker: `nil`: all of them.
    func followSubject(ofWorker worker: String?) -> String { "winch.\(name).follow.\(worker ?? "all")" }
}
