import CTransport
import Glibc

/// An extended attribute of a file. Without effect, and without an error, where the file system has none.
enum Attribute: String, CaseIterable {
    /// Of a part: where it comes from.
    case url = "user.winch.url"
    /// The whole file's size; of a part and, beside `validator`, of a finished file.
    case total = "user.winch.total"
    /// The server's name for this version; of a part and of a finished file.
    case validator = "user.winch.validator"
    /// Of a finished file, beside `validator`: the time of its last write when it was finished, in nanoseconds since 1970. A
    /// file that was written to since is another one, though it has the attributes and perhaps the size.
    case modified = "user.winch.modified"
    /// Of a part: which of its bytes are synced, and in which boot the others were written; a `PartSyncState`.
    case durable = "user.winch.durable"
    /// Of a part with the wrong hash: where its bytes came from. The next attempt replaces it; no run goes on with it.
    case rejected = "user.winch.rejected"
    /// Of a finished file, by freedesktop.org's common extended attributes: where it came from.
    case origin = "user.xdg.origin.url"

    /// ext4 has one block of 4 KiB for all attributes of a file.
    static let longest = 3072

    func set(_ value: String, on file: Descriptor) {
        guard value.utf8.count <= Self.longest else { return remove(from: file) }
        var value = value
        value.withUTF8 { bytes in
            _ = winch_set_attribute(file.number, rawValue, bytes.baseAddress, bytes.count)
        }
    }

    /// `nil` when there is none, or it is no text.
    func get(from file: Descriptor) -> String? {
        withUnsafeTemporaryAllocation(byteCount: Self.longest, alignment: 1) { buffer in
            let count = winch_get_attribute(file.number, rawValue, buffer.baseAddress, buffer.count)
            guard count >= 0, let text = String(validating: buffer.prefix(count), as: UTF8.self),
                text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
            else { return nil }
            return text
        }
    }

    /// Whether the file system has any. Where it has none, nothing on a file names its origin.
    static func exist(on file: Descriptor) -> Bool {
        winch_get_attribute(file.number, url.rawValue, nil, 0) >= 0 || errno == ENODATA
    }

    func remove(from file: Descriptor) { winch_remove_attribute(file.number, rawValue) }
}
