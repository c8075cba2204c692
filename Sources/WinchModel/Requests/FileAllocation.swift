/// Whether disk space is reserved for a file before its bytes come.
public enum FileAllocation: String, Hashable, Sendable, Codable, CaseIterable {
    /// Space is taken as the bytes come.
    case none
    /// By fallocate, where the file system can do that.
    case falloc

    /// aria2's other words are understood: `prealloc` reserves space as well, `trunc` reserves none.
    package init?(reading text: some StringProtocol) {
        switch text {
        case "none", "trunc": self = .none
        case "falloc", "prealloc": self = .falloc
        default: return nil
        }
    }
}
