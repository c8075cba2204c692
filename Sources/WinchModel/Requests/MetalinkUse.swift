/// What to do when a server answers with a Metalink, a list of files.
public enum MetalinkUse: String, Hashable, Sendable, Codable {
    /// It is saved as any other file.
    case save
    /// The files that it names are downloaded instead.
    case follow
    /// The transfer fails, because another Metalink has named it.
    case refuse
}
