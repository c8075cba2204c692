import WinchBatch
import WinchHTTP
import WinchModel

/// Invariants of the parsers of digests in headers and of checksum lists.
enum DigestPromises {
    static func fault(field bytes: [UInt8]) -> String? {
        let text = String(decoding: bytes, as: UTF8.self)
        for checksum in [DigestField.checksum(structured: text), DigestField.checksum(old: text)].compactMap({ $0 }) {
            if let fault = fault(of: checksum) { return fault }
        }
        // Repr-Digest and Content-Digest are read for the two secure algorithms only.
        if let checksum = DigestField.checksum(structured: text), ![.sha256, .sha512].contains(checksum.algorithm) {
            return "\(checksum.algorithm.rawValue) counts for a secure hash"
        }
        return nil
    }

    static func fault(list bytes: [UInt8]) -> String? {
        var list = ChecksumList()
        let problems = list.read(bytes)
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).count
        if list.count > lines { return "\(list.count) hashes from \(lines) lines" }
        if let wrong = problems.first(where: { !(1...lines).contains($0.line) }) {
            return "a problem in line \(wrong.line) of \(lines)"
        }
        // The checksum of each word in the list must be valid, and equal after the list has been read twice.
        let before = list
        _ = list.read(bytes)
        for word in String(decoding: bytes, as: UTF8.self).split(whereSeparator: { " \n\r*()\\".contains($0) }) {
            guard let checksum = before.checksum(of: String(word)) else { continue }
            if let fault = fault(of: checksum) { return fault }
            if list.checksum(of: String(word)) != checksum {
                return "'\(word)' has another hash when the list is read twice"
            }
        }
        return nil
    }

    private static func fault(of checksum: Checksum) -> String? {
        let digits = checksum.hex.utf8.count
        if digits != checksum.algorithm.length * 2 { return "\(digits) digits for \(checksum.algorithm.rawValue)" }
        let again = Checksum("\(checksum.algorithm.rawValue)=\(checksum.hex)")
        return again == checksum ? nil : "a checksum that is another one when read again"
    }
}
