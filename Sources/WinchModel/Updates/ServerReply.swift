/// A server's answer to an upload. All texts come from the server: the front end must escape them before they are shown.
package struct ServerReply: Hashable, Sendable, Codable {
    /// The HTTP status; 0 for protocols without one.
    package var status: Int
    /// The header field `Location`, without a login: where the uploaded file is, or what was made of it.
    package var location: String?
    /// The body, its first `longest` bytes as UTF-8.
    package var text: String
    /// The body was longer.
    package var isCut: Bool

    package init(status: Int, location: String? = nil, text: String = "", isCut: Bool = false) {
        self.status = status
        self.location = location
        self.text = text
        self.isCut = isCut
    }

    /// The status in words.
    package var reason: String { HTTPStatus.words(status) }

    /// 64 KiB, in bytes.
    package static let longest = 64 << 10
}
