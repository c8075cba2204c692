/// Bytes of a terminal's input or output in a message: printable ASCII as it is, other bytes as `<1b>`.
package enum ShownBytes {
    package static func text(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { byte in
            guard !(0x21...0x7E).contains(byte) else { return String(Unicode.Scalar(byte)) }
            return (byte < 16 ? "<0" : "<") + String(byte, radix: 16) + ">"
        }.joined()
    }
}
