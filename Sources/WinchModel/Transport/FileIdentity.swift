/// The identity and state of a local file at one instant. As long as a path has the same mark, it names the same file and
/// no process has written to it.
package struct FileIdentity: Hashable, Sendable, Codable {
    package var device: UInt64
    /// The inode number.
    package var node: UInt64
    /// In bytes.
    package var length: Int64
    /// The time of the last write in nanoseconds since 1970.
    package var modified: Int64
    /// The time of the last change of the file or its attributes in nanoseconds since 1970, which no program can set: a file that
    /// was written to with its old time restored is another version. `nil`: not compared, as for partial files, whose attributes
    /// Winch itself changes.
    package var changed: Int64?

    package init(device: UInt64, node: UInt64, length: Int64, modified: Int64, changed: Int64? = nil) {
        self.device = device
        self.node = node
        self.length = length
        self.modified = modified
        self.changed = changed
    }

    /// Where only one of them has `changed`, as one that an earlier version has stored, that is not compared.
    package static func == (left: FileIdentity, right: FileIdentity) -> Bool {
        (left.device, left.node, left.length, left.modified) == (right.device, right.node, right.length, right.modified)
            && (left.changed == nil || right.changed == nil || left.changed == right.changed)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(node)
        hasher.combine(modified)
    }
}
