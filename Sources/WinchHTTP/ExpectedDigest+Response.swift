package import WinchModel

extension ExpectedDigest {
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
    ) -> [ExpectedDigest] {
        // The digests of an error response are those of the error page.
        let isOfFile = (200...299).contains(head.status)
        var demands = own(settings, listed: listed, from: origin)
        guard isOfFile else { return demands }
        if let (checksum, field) = head.reprChecksum {
            demands.append(ExpectedDigest(checksum, origin: .header(field)))
        }
        if let content = head.contentChecksum {
            let origin = ChecksumOrigin.header("Content-Digest")
            if head.status != 206 {
                demands.append(ExpectedDigest(content, origin: origin))
            } else if let end {
                demands.append(ExpectedDigest(content, range: offset..<max(offset, end), origin: origin))
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
