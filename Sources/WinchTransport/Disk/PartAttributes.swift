import CTransport
import WinchCore

/// What a part file says of itself, in extended attributes, so that another run can go on with it.
struct PartAttributes: Hashable, Sendable {
    /// Without a login in it.
    var url: String
    var total: Int64?
    var validator: Validator

    private static let names = (url: "user.winch.url", total: "user.winch.total", validator: "user.winch.validator")
    /// ext4 has one block of 4 KiB for all attributes of a file.
    private static let longest = 3072

    /// Quietly does nothing where the file system has no attributes: the part is then used by this run only.
    func write(to file: Descriptor) {
        guard url.utf8.count <= Self.longest else { return }
        // The validator comes last: without it the part counts as a stranger's.
        Self.set(file, Self.names.url, url)
        if let total { Self.set(file, Self.names.total, String(total)) }
        Self.set(file, Self.names.validator, validator.headerValue)
    }

    /// `nil` when one is missing or makes no sense.
    static func read(from file: Descriptor) -> PartAttributes? {
        guard let url = get(file, names.url), let text = get(file, names.validator),
            text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }), !text.isEmpty
        else { return nil }
        let validator: Validator = text.first == "\"" ? .strongETag(text) : .lastModified(text)
        return PartAttributes(url: url, total: get(file, names.total).flatMap { Int64($0) }, validator: validator)
    }

    static func remove(from file: Descriptor) {
        winch_remove_attribute(file.number, names.url)
        winch_remove_attribute(file.number, names.total)
        winch_remove_attribute(file.number, names.validator)
    }

    private static func set(_ file: Descriptor, _ name: String, _ value: String) {
        var value = value
        value.withUTF8 { bytes in _ = winch_set_attribute(file.number, name, bytes.baseAddress, bytes.count) }
    }

    private static func get(_ file: Descriptor, _ name: String) -> String? {
        withUnsafeTemporaryAllocation(byteCount: longest, alignment: 1) { room in
            let count = winch_get_attribute(file.number, name, room.baseAddress, room.count)
            return count >= 0 ? String(validating: room.prefix(count), as: UTF8.self) : nil
        }
    }
}
