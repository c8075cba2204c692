/// A text that must not appear in a log, the ledger or a list of processes: printing and encoding leave it out.
package struct Secret: Hashable, Sendable, Codable, CustomStringConvertible, CustomReflectable {
    package let text: String

    package init(_ text: String) { self.text = text }

    package var description: String { "(hidden)" }
    package var customMirror: Mirror { Mirror(self, children: []) }

    /// Empty: `encode` writes no text.
    package init(from decoder: any Decoder) throws { text = "" }

    package func encode(to encoder: any Encoder) throws { try "".encode(to: encoder) }
}
