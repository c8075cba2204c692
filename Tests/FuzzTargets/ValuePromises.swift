import WinchBatch
import WinchHTTP
import WinchModel

/// Invariants of the parsers of option values: sizes, rates, seconds, checksums, header lines, dates.
enum ValuePromises {
    static func fault(_ bytes: [UInt8]) -> String? {
        let text = String(decoding: bytes, as: UTF8.self)
        if let count = ByteCount(parsing: text) {
            if count.bytes < 0 { return "a size of \(count.bytes)" }
            if ByteCount(parsing: "\(count.bytes)").map({ abs($0.bytes - count.bytes) > count.bytes >> 50 }) ?? true {
                return "\(count.bytes) bytes are another size when read again"
            }
        }
        if let span = Duration(parsingSeconds: text), span < .zero || span > .seconds(3_200_000_000) {
            return "a span of \(span)"
        }
        if let wait = RetryAfter.wait(text, now: 1_000_000_000), let fault = HeadPromises.fault(of: wait) {
            return fault
        }
        if let date = HTTPDate.seconds(text), !(-70_000_000_000...300_000_000_000).contains(date) {
            return "a date of \(date)"
        }
        if let line = HeaderLine(text), line.text.utf8.contains(where: { $0 < 0x20 && $0 != 9 || $0 == 0x7F }) {
            return "a header line with a control character"
        }
        if let checksum = Checksum(text) {
            let again = Checksum("\(checksum.algorithm.rawValue)=\(checksum.hex)")
            if again != checksum { return "a checksum that is another one when read again" }
            if checksum.hex.utf8.count != checksum.algorithm.length * 2 {
                return "a checksum of \(checksum.hex.utf8.count) digits"
            }
        }
        return nil
    }
}
