import WinchCore

/// What is demanded of the bytes, beyond their number.
extension Download {
    /// So many bytes between two nudges of the hasher: less is not worth waking a thread.
    private static let digestStep: Int64 = 1 << 20

    /// The body is about to come into the part, from `offset` on.
    func beginDigest(offset: Int64, end: Int64?) {
        endDigest()
        listed = request.listedChecksum ?? folder.flatMap { listedChecksums.checksum(of: $0.below + wishedName) }
        bodyRange = (offset, end)
        let demands = tellDemands()
        guard !demands.isEmpty, let part, (total ?? .max) > FinishJob.smallest else { return }
        digest = RunningDigest(demands, file: part.file, path: part.path)
        digested = 0
        feedDigest()
    }

    /// With what a trailer brought, if there was one.
    var demands: [DigestDemand] {
        DigestDemand.all(settings, listed: listed, head, offset: bodyRange.offset, end: bodyRange.end)
    }

    /// Reports them where they are others than those that were reported.
    func tellDemands() -> [DigestDemand] {
        let demands = demands
        if demands != toldDemands { report(.demanded(demands)) }
        toldDemands = demands
        return demands
    }

    /// Tells the hasher how much of the part is on disk.
    func feedDigest(isLast: Bool = false) {
        guard let digest, let part, isLast || part.written - digested >= Self.digestStep else { return }
        digested = part.written
        if digest.extend(to: digested) { files.finisher.hash(digest) }
    }

    func endDigest() {
        digest?.giveUp()
        digest = nil
    }

    /// The name before any number that keeps it from meeting another's.
    var wishedName: String { serversName ?? request.name?.name ?? TargetName(url: request.url).text }
}

/// A page where a file was due.
extension Download {
    /// Kept bytes never make room for a page that is none of theirs; without any, the page is taken with a warning.
    func judgePage() throws(TransferFailure) {
        pageInstead = nil
        guard head.isPage, head.status != 206 else { return }
        let expected = ExpectedType.binaryExtension(of: targetName) ?? knownType
        if let part, part.written > 0, !ExpectedType.mayBePage(part.beginning()) {
            throw .unexpectedPage(expected: expected ?? "the rest of \(targetName)")
        }
        pageInstead = expected
    }

    /// The first bytes of the body tell whether it is a page indeed: many a server calls everything HTML.
    func warnOfPage(_ bytes: UnsafeRawBufferPointer) {
        guard let expected = pageInstead else { return }
        pageInstead = nil
        if ExpectedType.mayBePage(bytes) { report(.warned(.page(expected: expected))) }
    }
}

/// Limits and rules of the person's own.
extension Download {
    func judgeSize(_ total: Int64?) throws(TransferFailure) {
        guard let limit = settings.maxSize, let total, total > limit.bytes else { return }
        throw .tooLarge(limit: limit, size: ByteCount(bytes: total))
    }

    /// More comes than the person allows.
    func isTooMuch(_ count: Int) -> Bool {
        guard let limit = settings.maxSize else { return false }
        return Int64(count) > limit.bytes - position
    }

    /// A redirect is libcurl's to follow, unless it leads from a secured connection to one in the clear.
    func mayFollowRedirect() -> Bool {
        guard !settings.allowsDowngrade, let location = head.location, let url = easy?.effectiveURL,
            Redirect.isDowngrade(from: url, to: location)
        else { return true }
        failure = .redirectRefused(TransferURL.redacted(location) + " is not secured (--allow-downgrade)")
        return false
    }
}

/// What may happen to the folder while bytes come.
extension Download {
    /// Once a second: removed names are noticed by nobody else until the end.
    private static let lookSpan: Duration = .seconds(1)

    /// - Returns: why going on makes no sense.
    func lookAtDisk() -> TransferFailure? {
        guard outbox.now >= nextLook else { return nil }
        nextLook = outbox.now + Self.lookSpan
        guard let folder, let part, part.isGone else { return nil }
        endDigest()
        // Nothing of it can be kept: it has no name any more.
        self.part = nil
        return folder.isGone
            ? .readWrite(folder.path, reason: "removed during the download")
            : .readWrite(part.path, reason: "removed during the download")
    }
}
