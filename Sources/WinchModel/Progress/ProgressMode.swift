/// How the queue's bar counts. Rows always count bytes.
public enum ProgressMode: String, Hashable, Sendable, Codable, CaseIterable {
    /// Per transfer settled.
    case simple
    /// Per byte.
    case accurate

    package var toggled: ProgressMode { self == .simple ? .accurate : .simple }
}
