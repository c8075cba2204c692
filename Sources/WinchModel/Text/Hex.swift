/// Hexadecimal digits of hashes.
package enum Hex {
    /// The bytes of pairs of digits in any case; `nil` for any other character and for an odd number of digits.
    package static func decoded(_ text: some StringProtocol) -> [UInt8]? {
        var bytes: [UInt8] = []
        var high: UInt8?
        for digit in text.utf8 {
            guard let value = digit.hexValue else { return nil }
            if let first = high {
                bytes.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        return high == nil ? bytes : nil
    }
}
