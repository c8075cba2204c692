import Glibc

/// Which start of the machine this is. What was written before the present one and not synced may be lost.
enum BootID {
    /// `nil` where the system does not say; then of what an earlier run wrote only what was synced counts as safe.
    static let current: String? = read()

    private static func read() -> String? {
        let number = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { return nil }
        defer { close(number) }
        return withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { buffer in
            let count = Glibc.read(number, buffer.baseAddress, buffer.count)
            guard count > 0 else { return nil }
            let text = buffer.prefix(count).prefix { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ":") }
            return text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
        }
    }
}
