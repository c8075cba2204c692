/// A response cut into head and body, header values as bytes.
struct Response: Equatable, Sendable {
    let status: Int
    let headers: [String: [UInt8]]
    let body: [UInt8]

    /// - Returns: `nil` while the head is not complete.
    init?(_ bytes: [UInt8]) {
        let end: [UInt8] = Array("\r\n\r\n".utf8)
        let starts = bytes.indices.dropLast(3)
        guard let split = starts.first(where: { bytes[$0..<$0 + 4].elementsEqual(end) }) else { return nil }
        var lines = bytes[..<split].split(separator: UInt8(ascii: "\n"))[...]
        let words = lines.popFirst()?.split(separator: UInt8(ascii: " ")) ?? []
        guard words.count > 1, let status = Int(String(decoding: words[1], as: UTF8.self)) else { return nil }
        self.status = status
        var headers: [String: [UInt8]] = [:]
        for line in lines {
            let parts = line.split(separator: UInt8(ascii: ":"), maxSplits: 1)
            let value = (parts.last ?? []).drop(while: { $0 == UInt8(ascii: " ") })
            headers[String(decoding: parts.first ?? [], as: UTF8.self).lowercased()] =
                Array(value.last == UInt8(ascii: "\r") ? value.dropLast() : value)
        }
        self.headers = headers
        self.body = Array(bytes[(split + 4)...])
    }

    subscript(name: String) -> String? { headers[name.lowercased()].map { String(decoding: $0, as: UTF8.self) } }

    func isIncomplete(toHead: Bool) -> Bool {
        if toHead || status == 304 { return false }
        guard let length = self["Content-Length"].flatMap(Int.init) else { return true }
        return body.count < length
    }
}
