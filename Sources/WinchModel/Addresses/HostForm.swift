import Glibc

/// One spelling for all spellings of a host. For comparisons: it is not looked up.
enum HostForm {
    /// Numbers of IPv4 and IPv6 in one form, no dot at the end.
    ///
    /// - Parameter host: in lower case; IPv6 in brackets.
    static func normal(_ host: String) -> String {
        if host.utf8.first == UInt8(ascii: "[") {
            var address = in6_addr()
            guard inet_pton(AF_INET6, String(host.dropFirst().dropLast()), &address) == 1 else { return host }
            return text(AF_INET6, &address).map { "[\($0)]" } ?? host
        }
        let name = host.utf8.count > 1 && host.utf8.last == UInt8(ascii: ".") ? String(host.dropLast()) : host
        var address = in_addr()
        // Also `127.1` and `0x7f000001`.
        return inet_aton(name, &address) == 0 ? name : text(AF_INET, &address) ?? name
    }

    private static func text(_ family: Int32, _ address: UnsafeRawPointer) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { buffer in
            inet_ntop(family, address, buffer.baseAddress, socklen_t(buffer.count)).map { String(cString: $0) }
        }
    }
}
