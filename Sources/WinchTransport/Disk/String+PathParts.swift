extension String {
    /// Split at the byte, as the kernel does: for it a slash with a combining accent is a slash.
    var pathParts: [Substring] { utf8.split(separator: UInt8(ascii: "/")).map { Substring($0) } }
}
