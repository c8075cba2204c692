import CTransport
import Glibc
import WinchHTTP
import WinchModel

/// The origin and version of a file, in its extended attributes: by them a later run goes on with it, or leaves it alone.
///
/// They are on a part before its first byte, and change only while it is empty or goes on with the same file: at any
/// time they describe the bytes that are in it.
struct PartAttributes: Hashable, Sendable {
    /// Without a login in it.
    var url: String
    var version: FileVersion

    func write(to file: Descriptor) {
        // The address comes last: a file without it counts as foreign.
        Self.set(version.total.map { String($0) }, as: .total, on: file)
        Self.set(version.validator?.headerValue, as: .validator, on: file)
        Self.set(version.weakTag, as: .weakTag, on: file)
        Self.set(version.digest.flatMap(Self.text), as: .digest, on: file)
        Self.set(version.time.map { String($0) }, as: .time, on: file)
        Attribute.url.set(url, on: file)
    }

    private static func set(_ value: String?, as attribute: Attribute, on file: Descriptor) {
        if let value { attribute.set(value, on: file) } else { attribute.remove(from: file) }
    }

    /// `Repr-Digest sha-256=9f86d0...`; `nil`: it is not of a field.
    private static func text(of digest: ExpectedChecksum) -> String? {
        guard case .header(let field) = digest.origin else { return nil }
        return "\(field) \(digest.checksum.algorithm.rawValue)=\(digest.checksum.hex)"
    }

    private static func expectedDigest(from text: String) -> ExpectedChecksum? {
        let words = text.split(separator: " ")
        guard words.count == 2, let checksum = Checksum(words[1]) else { return nil }
        return ExpectedChecksum(checksum, origin: .header(String(words[0])))
    }

    /// Of a part; `nil` when it does not say where it comes from. What only finished files say makes no part: browsers
    /// and other programs write it as well.
    static func read(from file: Descriptor) -> PartAttributes? {
        Attribute.url.get(from: file).map { read(from: file, url: $0) }
    }

    /// Of a finished file; `nil` when it does not say where it came from, or of which version and size it is.
    static func read(fromFinished file: Descriptor) -> PartAttributes? {
        guard let url = Attribute.origin.get(from: file) else { return nil }
        let attributes = read(from: file, url: url)
        return attributes.version.total != nil && attributes.version.validator != nil ? attributes : nil
    }

    /// What a finished file says of where it came from: tokens are hidden, because the attribute stays, and is copied with the file.
    var origin: String { TransferURL.withoutSecrets(url) }

    /// Whether a finished file came from a URL. Where tokens are hidden, only a strong ETag tells files apart whose URLs differ in
    /// them.
    func areFinished(of url: TransferURL) -> Bool {
        if self.url == url.redacted { return true }
        return origin == TransferURL.withoutSecrets(url.redacted) && version.validator?.isStrongETag ?? false
    }

    private static func read(from file: Descriptor, url: String) -> PartAttributes {
        let validator = Attribute.validator.get(from: file).flatMap { text -> Validator? in
            if text.isEmpty { return nil }
            return text.first == "\"" ? .strongETag(text) : .lastModified(text)
        }
        let total = Attribute.total.get(from: file).flatMap { Int64($0) }.flatMap { $0 >= 0 ? $0 : nil }
        let digest = Attribute.digest.get(from: file).flatMap(expectedDigest)
        let version = FileVersion(
            total: total, validator: validator, weakTag: Attribute.weakTag.get(from: file), digest: digest,
            time: Attribute.time.get(from: file).flatMap { Int64($0) })
        return PartAttributes(url: url, version: version)
    }

    static func remove(from file: Descriptor) {
        for attribute in Attribute.allCases { attribute.remove(from: file) }
    }

    /// The part is complete: what only a part needs goes. Validator and size stay together or not at all, so that another
    /// run can ask whether the server still has this version.
    static func settle(_ file: Descriptor) {
        for attribute: Attribute in [.url, .durable, .adopted, .weakTag, .digest, .time] {
            attribute.remove(from: file)
        }
        if Attribute.validator.get(from: file) == nil || Attribute.total.get(from: file) == nil {
            Attribute.validator.remove(from: file)
            Attribute.total.remove(from: file)
        } else if let identity = FileIdentity(file) {
            Attribute.modified.set("\(identity.modified)", on: file)
        }
    }
}

/// An extended attribute of a file. Without effect, and without an error, where the file system has none.
enum Attribute: String, CaseIterable {
    /// Of a part: where it comes from.
    case url = "user.winch.url"
    /// The whole file's size; of a part and, beside `validator`, of a finished file.
    case total = "user.winch.total"
    /// The server's name for this version; of a part and of a finished file.
    case validator = "user.winch.validator"
    /// Of a part: an ETag of this version that is no validator.
    case weakTag = "user.winch.weaktag"
    /// Of a part: the server's hash of the whole file, after the name of its field.
    case digest = "user.winch.digest"
    /// Of a part whose file gets the server's time: that time, in seconds since 1970.
    case time = "user.winch.time"
    /// Of a finished file, beside `validator` or if it got its time from the server: the time of its last write when it was
    /// finished, in nanoseconds since 1970. A file that was written to since is another one, though it has the attributes and
    /// perhaps the size.
    case modified = "user.winch.modified"
    /// Of a part: which of its bytes are synced, and in which boot the others were written; a `PartSyncState`.
    case durable = "user.winch.durable"
    /// Of a part with the wrong hash: where its bytes came from. The next attempt replaces it; no run goes on with it.
    case rejected = "user.winch.rejected"
    /// Of a part: some of its bytes are of unknown origin, and only a hash of the whole file proves them.
    case adopted = "user.winch.adopted"
    /// Of a finished file, by freedesktop.org's common extended attributes: where it came from, without tokens.
    case origin = "user.xdg.origin.url"

    /// ext4 has one block of 4 KiB for all attributes of a file.
    static let longest = 3072

    /// - Returns: false with `errno` when it cannot be set. Then there is none: the old value would say of the file what is not true.
    @discardableResult func set(_ value: String, on file: Descriptor) -> Bool {
        var (value, code) = (value, E2BIG)
        if value.utf8.count <= Self.longest {
            code = value.withUTF8 { bytes in
                winch_set_attribute(file.number, rawValue, bytes.baseAddress, bytes.count) == 0 ? 0 : errno
            }
        }
        guard code != 0 else { return true }
        remove(from: file)
        errno = code
        return false
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
