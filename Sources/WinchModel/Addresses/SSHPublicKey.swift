/// A public key in the format in which an SSH server sends it.
package enum SSHPublicKey {
    /// The type, which is the first field of the key, such as `ssh-ed25519`; `nil` when the key is malformed.
    package static func type(of key: [UInt8]) -> String? {
        var rest = key[...]
        return rest.takeString().flatMap { String(validating: $0, as: UTF8.self) }
    }
}

extension ArraySlice<UInt8> {
    /// Takes a big-endian `uint32` from the front.
    ///
    /// - Source: RFC 4251, section 5.
    package mutating func takeNumber() -> Int? {
        guard count >= 4 else { return nil }
        let number = prefix(4).reduce(0) { $0 << 8 | Int($1) }
        self = dropFirst(4)
        return number
    }

    package mutating func takeString() -> ArraySlice<UInt8>? {
        guard let length = takeNumber(), length <= count else { return nil }
        defer { self = dropFirst(length) }
        return prefix(length)
    }
}
