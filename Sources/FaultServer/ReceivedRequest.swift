/// A request as the client sent it.
public struct ReceivedRequest: Equatable, Sendable {
    public let method: String
    /// Path and query, undecoded.
    public let target: String
    public let headers: [Header]
    /// Whether the client allows the connection to be kept alive.
    public let isKeepAlive: Bool

    public struct Header: Equatable, Sendable {
        public let name: String
        public let value: String
    }

    /// All values of that name, joined by `, ` as RFC 9110 section 5.3 says; letter case does not matter.
    public func header(_ name: String) -> String? {
        let values = headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    var isHead: Bool { method == "HEAD" }
}
