import Glibc

/// Which start of the machine this is. The monotonic clock belongs to it, and what was written before it and not synced may be lost.
package enum BootID {
    /// Visible ASCII without a colon; `nil` where the kernel does not say.
    ///
    /// - Source: random(4): boot_id is made anew at each start.
    package static let current: String? = {
        let file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(file, &bytes, bytes.count)
        let text = bytes.prefix(max(0, count)).prefix { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ":") }
        return text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
    }()
}
