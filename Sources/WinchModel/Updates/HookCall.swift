/// A transfer has settled, and the command of its settings is due. The queue tells the fact; its subscriber runs the command.
package struct HookCall: Hashable, Sendable, Codable {
    /// What has happened.
    package enum Event: Hashable, Sendable, Codable {
        case done(TransferPhase.Outcome)
        case failed(TransferFailure)
    }

    package var command: HookCommand
    package var event: Event
    package var id: TransferID
    package var direction: Direction
    /// Without login.
    package var url: String
    /// The target folder as given; empty for an upload.
    package var folder: String
    /// The name below the folder; of an upload the path of its source.
    package var path: String
    /// On disk, or accepted by the server.
    package var have: ByteCount

    package init(
        _ command: HookCommand, _ event: Event, of id: TransferID, _ direction: Direction, url: String, folder: String,
        path: String, have: ByteCount
    ) {
        (self.command, self.event, self.id, self.direction) = (command, event, id, direction)
        (self.url, self.folder, self.path, self.have) = (url, folder, path, have)
    }
}
