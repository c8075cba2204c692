/// One line of the log. It stores the event, and `message` makes the text only when it is read, because a hundred thousand
/// entries may be added at once.
///
/// The text comes from servers and batch files: escape it before it is shown.
package struct LogEntry: Hashable, Sendable, Codable {
    /// What the entry is about.
    package enum Subject: Hashable, Sendable, Codable {
        case event(FeedEvent.Kind, have: ByteCount, size: ByteCount?)
        /// A setting of the whole queue has a new value.
        case setting(name: String, value: String)
        /// A message to the user, such as a problem of the batch.
        case userMessage(String, LogLevel)
    }

    package var at: Moment
    /// `nil` for the queue itself.
    package var id: TransferID?
    /// The transfer's file name, where it is known.
    package var name: String?
    package var subject: Subject

    package init(at: Moment, id: TransferID? = nil, name: String? = nil, subject: Subject) {
        self.at = at
        self.id = id
        self.name = name
        self.subject = subject
    }

    /// - Parameter name: the transfer's file name; `nil` when the caller does not know it.
    /// - Returns: `nil` for `moved` events, which are not logged.
    package init?(_ event: FeedEvent, name: String?) {
        if case .moved = event.kind { return nil }
        self.init(
            at: event.at, id: event.id, name: name,
            subject: .event(event.kind, have: event.have, size: event.size))
    }

    package var level: LogLevel {
        switch subject {
        case .event(let kind, _, _): kind.level
        case .setting: .info
        case .userMessage(_, let level): level
        }
    }

    /// What happened, in a few words, without the name of the file.
    package var message: String {
        switch subject {
        case .event(let kind, let have, let size): kind.words(have: have, size: size)
        case .setting(let name, let value): "\(name): \(value)"
        case .userMessage(let words, _): words
        }
    }

    /// Values for programs that read the log file, such as `("status", "404")`; the message may repeat them.
    package var fields: [(name: String, value: String)] {
        guard case .event(let kind, let have, let size) = subject else { return [] }
        var fields: [(String, String)] = []
        if let name { fields.append(("name", name)) }
        fields += kind.fields
        if id != nil, kind.concernsBytes {
            fields.append(("have", "\(have.bytes)"))
            if let size { fields.append(("size", "\(size.bytes)")) }
        }
        return fields
    }
}
