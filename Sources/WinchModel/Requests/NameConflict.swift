/// What to do when a different file with the name exists.
public enum NameConflict: String, Hashable, Sendable, Codable, CaseIterable {
    /// The new file gets a number before its extension: `disk (1).iso`.
    case rename
    /// The new file replaces the old one.
    case overwrite
    /// Nothing is downloaded; the transfer is finished as skipped.
    case skip
    /// The transfer fails with `.nameTaken`.
    case fail
}
