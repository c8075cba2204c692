package import FoundationEssentials

extension JSONDecoder {
    /// Decodes what another program has written.
    ///
    /// FoundationEssentials of Swift 6.3 finds the line and the column of an error in the text. The place of some errors is behind
    /// the end, as that of the bracket that is one too many in 513 of them, and behind a CR it reads one byte more: either ends the
    /// process. Blanks behind the text make room for both.
    package func decode<Value: Decodable>(_ type: Value.Type, untrusted text: Data) throws -> Value {
        try decode(type, from: text + Data(repeating: UInt8(ascii: " "), count: 8))
    }
}
