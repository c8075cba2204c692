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
