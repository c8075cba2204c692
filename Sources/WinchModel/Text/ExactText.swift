/// A text that equals only a text of the same bytes: the key of paths and names.
///
/// Swift takes two texts for equal that write an accent in two ways (as one character, or as a letter and a combining accent),
/// but for disks and servers they name two files.
package struct ExactText: Hashable, Sendable {
    package let text: String

    package init(_ text: some StringProtocol) { self.text = String(text) }

    package static func == (left: ExactText, right: ExactText) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

    package func hash(into hasher: inout Hasher) {
        var copy = text
        copy.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        // No UTF-8 has this byte: the text ends here.
        hasher.combine(UInt8.max)
    }
}
