package import WinchModel

/// Parses the digests that a server sends in the head of a response.
///
/// Of several digests in one field the strongest is used. Unknown algorithms and digests of a wrong length are ignored: a
/// server may use algorithms that Winch does not know.
package enum DigestField {
    /// Reads `Repr-Digest` and `Content-Digest`: `sha-256=:BASE64:, sha-512=:BASE64:`. Only these two algorithms are used;
    /// the standard calls the others insecure. Other members may have any form.
    ///
    /// - Source: RFC 9530, sections 2, 3 and 5; RFC 9651, sections 3.2 and 3.3.5.
    package static func checksum(structured field: String) -> Checksum? {
        let found = field.split(separator: ",").compactMap { member -> Checksum? in
            // Behind the second colon are parameters, or nothing.
            let parts = member.trimmingBlanks().split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3, parts[2].isEmpty || parts[2].first == ";", let bytes = Base64.decoded(parts[1].utf8)
            else { return nil }
            switch parts[0] {
            case "sha-256=": return Checksum(.sha256, digest: bytes)
            case "sha-512=": return Checksum(.sha512, digest: bytes)
            default: return nil
            }
        }
        return strongest(found)
    }

    /// Reads the obsolete `Digest`: `SHA-256=BASE64,MD5=BASE64`, names in any case.
    ///
    /// - Source: RFC 3230, section 4.3.2; RFC 5843.
    package static func checksum(old field: String) -> Checksum? {
        let found = field.split(separator: ",").compactMap { part -> Checksum? in
            let pair = part.split(separator: "=", maxSplits: 1)
            guard pair.count == 2, let algorithm = oldName(pair[0].filter { $0 != " " && $0 != "\t" }.lowercased()),
                let bytes = Base64.decoded(pair[1].utf8.filter { $0 > 0x20 })
            else { return nil }
            return Checksum(algorithm, digest: bytes)
        }
        return strongest(found)
    }

    private static func oldName(_ name: String) -> Checksum.Algorithm? {
        switch name {
        case "md5": .md5
        case "sha": .sha1
        case "sha-256": .sha256
        case "sha-512": .sha512
        default: nil
        }
    }

    private static func strongest(_ found: [Checksum]) -> Checksum? {
        found.max { $0.algorithm.length < $1.algorithm.length }
    }
}

extension Checksum {
    /// - Returns: `nil` for a digest of the wrong length.
    package init?(_ algorithm: Algorithm, digest: [UInt8]) {
        self.init("\(algorithm.rawValue)=\(Hex.encoded(digest))")
    }
}

extension ExpectedChecksum {
    /// The digests that the user and the head of a response demand. All of them must match.
    ///
    /// - Parameters:
    ///   - listed: the checksum from a list (`--sums`) or a Metalink.
    ///   - origin: of `listed`.
    ///   - offset: the position in the file at which the response's body begins.
    ///   - end: the position at which it ends; `nil` when the head does not declare it.
    package static func all(
        _ settings: TransferSettings, listed: Checksum?, from origin: ChecksumOrigin = .list, _ head: ResponseHead,
        offset: Int64, end: Int64?
    ) -> [ExpectedChecksum] {
        // The digests of an error response are those of the error page.
        let isOfFile = (200...299).contains(head.status)
        var demands = own(settings, listed: listed, from: origin)
        guard isOfFile else { return demands }
        if let (checksum, field) = head.reprChecksum {
            demands.append(ExpectedChecksum(checksum, origin: .header(field)))
        }
        if let content = head.contentChecksum {
            let origin = ChecksumOrigin.header("Content-Digest")
            if !head.isPart {
                demands.append(ExpectedChecksum(content, origin: origin))
            } else if let end {
                demands.append(ExpectedChecksum(content, range: offset..<max(offset, end), origin: origin))
            }
        }
        return distinct(demands)
    }
}

extension ResponseHead {
    /// The digest of the whole file according to the server, also when the response contains only a part of the file, and the
    /// name of the field.
    package var reprChecksum: (checksum: Checksum, field: String)? {
        reprDigest.flatMap { DigestField.checksum(structured: $0) }.map { ($0, "Repr-Digest") }
            ?? oldDigest.flatMap { DigestField.checksum(old: $0) }.map { ($0, "Digest") }
    }

    /// The digest of the body of this response.
    package var contentChecksum: Checksum? { contentDigest.flatMap { DigestField.checksum(structured: $0) } }
}
