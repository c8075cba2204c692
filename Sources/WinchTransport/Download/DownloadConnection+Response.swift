import CTransport
import Glibc
import WinchHTTP
import WinchModel

/// Takes the answer. Called from inside libcurl, so nothing here may call libcurl's multi interface.
extension DownloadConnection: ResponseReceiver {
    /// An error page up to this is read, so that its connection can be used again.
    static let longestDiscard = 64 << 10

    var hasBody: Bool {
        if case .awaitingHead = phase { false } else { true }
    }

    func takeHead() -> Bool {
        do throws(TransferFailure) {
            try easy?.willFollow(head, from: request.url, request.settings)
        } catch {
            decision = asked.range == nil ? .fail(error) : .restart(.over(.rangeRefused))
            return false
        }
        if head.mayHideExcess { easy?.watchForExcess(bodyLength: head.bodyLength) }
        noteMirrors()
        return judge()
    }

    func refuseHead() { decision = .fail(.badResponse("response headers are too long")) }

    func take(body bytes: UnsafeRawBufferPointer) -> BodyAnswer {
        guard speed.take(body: bytes.count, at: outbox.now) else { return .notNow }
        defer { noteLastBytes() }
        return receive(bytes) ? .taken : .refused
    }

    private func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if case .awaitingHead = phase {
            if asked.noteListing() { return false }
            if asked.isHTTP {
                // The body of an answer that `judge` left to libcurl, and that libcurl hands on.
                phase = .discarding(0)
            } else {
                guard openWithoutHead(hasBytes: true) else { return false }
            }
        }
        guard case .discarding(let count, let until) = phase else { return take(more: bytes) }
        phase = .discarding(count + bytes.count, until: until)
        return count + bytes.count <= Self.longestDiscard
    }

    func take(more bytes: UnsafeRawBufferPointer) -> Bool {
        // The request has ended already: a decision during the release of a held body reaches libcurl with the next piece.
        guard decision == nil else { return false }
        if case .collecting = phase { return collect(bytes) }
        if case .sniffing = phase { return sniff(bytes) }
        var bytes = bytes
        let position = position
        let end = [end, limit].compactMap { $0 }.min()
        if let end, Int64(bytes.count) > end - position {
            bytes = UnsafeRawBufferPointer(rebasing: bytes[..<Int(max(0, end - position))])
        }
        if let failure = SizeLimit(settings.maxSize).failure(receiving: bytes.count, at: position) {
            decision = .fail(failure)
            return false
        }
        if let warning = page.warning(for: bytes) { report(.warned(warning)) }
        guard download.body.isOpen else { return false }
        do throws(TransferFailure) {
            guard try compare(&bytes) else { return false }
            if !bytes.isEmpty {
                try download.body.append(bytes, end: end)
                if let part = download.body.part { download.hasher.feed(part) }
            }
            guard let limit, self.position >= limit, limit < self.end ?? .max else { return true }
            if limit == download.version.total { noteExcess() }
            decision = .endPiece
            return false
        } catch {
            decision = .fail(error)
            return false
        }
    }

    /// Reports the mirrors that the responses so far have named, once: those of a redirect are of use also when it leads nowhere.
    func reportMirrors() {
        guard !mirrors.isEmpty, !hasReportedMirrors else { return }
        hasReportedMirrors = true
        report(.mirrors(mirrors.urls, metalink: mirrors.metalink))
    }

    /// Takes the links of a response that is the file, or leads to it.
    private func noteMirrors() {
        guard !head.links.isEmpty, (200...399).contains(head.status), let base = easy?.effectiveURL else { return }
        mirrors.take(head.links, from: base, of: request)
    }
}

/// Answers of FTP and SFTP servers, which have no head.
extension DownloadConnection {
    /// Called for the first byte, or for the end of an empty file.
    ///
    /// - Parameter hasBytes: some are there. A server that then names a size of 0 does not know it, as of the output of a program.
    /// - Returns: false when the request ends.
    func openWithoutHead(hasBytes: Bool) -> Bool {
        if reader.namesNoSize, !asked.ignoresSize, asked.range == nil {
            decision = .restart(.withoutSize)
            return false
        }
        let rest = easy?.fact(WINCH_CONTENT_LENGTH) ?? -1
        let total = rest > 0 || rest == 0 && !hasBytes ? (asked.range?.start ?? 0) + rest : nil
        reportConnection()
        if let reason = asked.ssh?.takeSaveFailure() { report(.warned(.hostKeyNotKept(reason: reason))) }
        do throws(TransferFailure) {
            try checkSize(total)
            if download.excess == .seen { try checkGrowth(to: total) }
            guard let range = asked.range else {
                if leaveUnchanged(total) { return false }
                try open(at: 0, end: nil, total: total, cause: asked.startedOver)
                return true
            }
            guard total == range.total || download.excess == .growing else { return try startOver(.fileChanged) }
            compare(from: range.start, to: range.offset, end: nil, total: total)
            return true
        } catch {
            decision = .fail(error)
            return false
        }
    }

    /// Settles the transfer of a file whose listing tells no change, as that of a link, if the file here has its size and time, which
    /// the server has told before the first byte.
    ///
    /// - Returns: whether it has.
    private func leaveUnchanged(_ total: Int64?) -> Bool {
        guard request.namedParts > 0, request.listedVersion?.tellsChange != true, download.body.part == nil,
            settings.onConflict == .rename || settings.onConflict == .overwrite,
            settings.checksum == nil, request.listedChecksum == nil, request.pieces == nil,
            let total, let time = answeredTime, let target = download.target,
            let status = target.folder.status(of: target.name), status.isFile, Int64(status.st_size) == total,
            Int64(status.st_mtim.tv_sec) == time
        else { return false }
        decision = .finish(.alreadyComplete(path: target.folder.below + target.name), size: total)
        return true
    }

    /// 2 s: a server that has sent a whole file says so at once, unless a NAT has dropped the idle control connection. libcurl
    /// blocks the whole thread meanwhile, for a minute if it is not told otherwise.
    private static let longestReplyWait = 2

    /// All bytes of the file are here, and only the server's last reply is missing. It may never come, or say that the transfer
    /// was aborted: some servers take the client's close of the data connection for that.
    var lacksOnlyReply: Bool {
        !asked.isHTTP && phase.isReceiving && decision == nil && download.version.total == position
    }

    func noteLastBytes() {
        guard lacksOnlyReply else { return }
        easy?.awaitReply(seconds: Self.longestReplyWait)
        noteExcess()
    }
}

/// Bytes of the body that are on disk already, and are compared instead of written.
struct DownloadOverlap {
    var position: Int64
    let end: Int64

    /// Takes from the front of `bytes` what is on disk already.
    ///
    /// - Returns: false when the two differ; `position` is the first byte that does.
    mutating func compare(_ bytes: inout UnsafeRawBufferPointer, with part: PartFile) -> Bool {
        let count = Int(min(Int64(bytes.count), end - position))
        let same = part.file.matching(UnsafeRawBufferPointer(rebasing: bytes[..<count]), at: position)
        position += Int64(same)
        bytes = UnsafeRawBufferPointer(rebasing: bytes[same...])
        return same == count
    }
}

/// Bytes that come although they are on disk already.
extension DownloadConnection {
    /// The rest is added only when the last of the kept bytes turn out to be the server's as well.
    func compare(from first: Int64, to offset: Int64, end: Int64?, total: Int64?) {
        self.end = end
        phase = .comparing(DownloadOverlap(position: first, end: offset), from: first, total: total)
    }

    /// All of the file comes once more. What is kept stays for the case that this attempt breaks off early as well: a
    /// download from a server that honours only some range requests would otherwise never end.
    func reread(total: Int64) throws(TransferFailure) {
        guard let part = download.body.part else { throw .other("no part to compare with") }
        let cause = asked.startedOver ?? .rangeIgnored
        guard part.belongsToTransfer else { return try open(at: 0, end: total, total: total, cause: cause) }
        // Bytes behind the trusted ones may be wrong: they are cut off.
        try download.body.cut(to: part.written)
        download.version.take(head, offset: 0, total: total, time: answeredTime)
        end = total
        part.mark(download.attributes)
        phase = .rereading(DownloadOverlap(position: 0, end: part.written))
        lastReported = 0
        beginHashing(offset: 0, end: total)
        reportOpening(at: 0, onDisk: ByteRanges(), cause: cause)
    }

    /// Takes from the front of `bytes` what is on disk already.
    ///
    /// - Returns: false when the request ends here.
    func compare(_ bytes: inout UnsafeRawBufferPointer) throws(TransferFailure) -> Bool {
        guard let part = download.body.part else { return true }
        switch phase {
        case .comparing(var overlap, let first, let total):
            guard overlap.compare(&bytes, with: part) else { return try startOver(.fileChanged) }
            phase = .comparing(overlap, from: first, total: total)
            guard overlap.position == overlap.end else { return true }
            part.belongsToTransfer = true
            if download.excess == .growing, bound != nil {
                noteGrown()
                decision = .endPiece
                return false
            }
            try open(at: overlap.end, bodyStart: first, end: end, total: total, cause: nil)
            return decision == nil
        case .rereading(var overlap):
            let isSame = overlap.compare(&bytes, with: part)
            phase = isSame && overlap.position < overlap.end ? .rereading(overlap) : .receiving
            if !isSame { try replace(from: overlap.position) }
            if !isSame || overlap.position == overlap.end { part.isProven = true }
            return true
        case .awaitingHead, .receiving, .collecting, .sniffing, .discarding: return true
        }
    }

    /// The bytes before this position are the same; the body replaces all that follow.
    private func replace(from position: Int64) throws(TransferFailure) {
        try download.body.cut(to: position)
        if let part = download.body.part {
            download.hasher.runAgain(reportDemands(), on: part, total: download.version.total)
            download.beginPieces()
        }
    }
}

/// The time of the last change that the file of a tree gets: the listing's if that is exact, else the one that the server names
/// with the file if it may be the listed one, else the listing's as if it were UTC.
extension ConnectionRequest {
    /// The file gets a time of the server's.
    var setsTime: Bool { namedParts > 0 && settings.value.keepsTimes != false }

    /// In seconds since 1970, as the listing says; `nil`: it does not say it to the second.
    var exactTime: Int64? {
        listedVersion?.time.flatMap { $0.isZoned && $0.precision == .second ? $0.seconds : nil }
    }

    /// Whether a Last-Modified, in seconds since 1970, may be the listed time, so that the next run finds the file unchanged.
    /// Apache sends the time of the response for a file that is dated in the future; others send it for every file.
    fileprivate func admits(lastModified: Int64) -> Bool {
        // A date of digits alone may have been read with day and month in the wrong order.
        guard let listed = listedVersion?.time, listed.precision != .day else { return true }
        return listed.contains(lastModified)
    }

    /// It costs a command more, which web servers do not need.
    var asksTime: Bool { !url.scheme.isHTTP && setsTime && exactTime == nil }
}

extension DownloadConnection {
    /// When the file was changed, as the answer says, in seconds since 1970; `nil`: it does not say, or the file gets another time.
    var answeredTime: Int64? {
        guard request.setsTime, request.exactTime == nil, let easy else { return nil }
        guard asked.isHTTP else {
            let time = easy.fact(WINCH_FILE_TIME)
            return time >= 0 ? time : nil
        }
        guard (200...299).contains(head.status), let time = head.lastModified.flatMap({ ListingDates.http($0) }) else {
            return nil
        }
        return request.admits(lastModified: time) ? time : nil
    }
}
