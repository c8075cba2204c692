/// A request as the client sent it.
package struct ReceivedRequest: Equatable, Sendable {
    package let method: String
    /// Path and query, undecoded.
    package let target: String
    package let headers: [Header]
    /// Whether the client allows the connection to be kept alive.
    package let isKeepAlive: Bool

    package struct Header: Equatable, Sendable {
        package let name: String
        package let value: String
    }

    /// All values of that name, joined by `, ` as RFC 9110 section 5.3 says; letter case does not matter.
    package func header(_ name: String) -> String? {
        let values = headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    var isHead: Bool { method == "HEAD" }
}
