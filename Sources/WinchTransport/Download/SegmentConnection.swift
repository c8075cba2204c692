import CTransport
import WinchHTTP
import WinchModel

/// One connection that brings a range of a file whose part an earlier connection has opened. Used on the loop's thread only.
///
/// It never decides anything about the file: an answer that is not the very range of the very version ends the connection
/// before a byte is written.
final class SegmentConnection: FileConnection {
    let request: ConnectionRequest
    let download: Download
    let outbox: Outbox
    weak var easy: EasyHandle?
    var asked: DownloadRequest
    var reader = HeadReader()
    var speed: SpeedWatch

    private let range: Range<Int64>
    /// Where its request begins: before the range by the bytes that are compared with what another connection brings.
    private let start: Int64
    /// Another connection brings what is at or beyond this position.
    private var end: Int64
    private let writer: PartWriter
    private var isOpen = false
    /// All bytes are on disk, and an FTP server that sends more is asked for the size and the last bytes once more.
    private var growth: DownloadOverlap?
    /// A success: all that it is to bring has come.
    private var outcome: Result<Void, TransferFailure>?
    private var lastReported: Int64

    init(
        _ request: ConnectionRequest, _ range: Range<Int64>, of download: Download, into part: PartFile, outbox: Outbox
    ) {
        self.request = request
        self.download = download
        self.outbox = outbox
        self.range = range
        start = request.url.scheme.isHTTP ? range.lowerBound : max(0, range.lowerBound - part.seam)
        end = range.upperBound
        lastReported = range.lowerBound
        writer = PartWriter(part, at: start)
        asked = DownloadRequest(request)
        speed = SpeedWatch(request, at: outbox.now)
    }

    var position: Int64 { writer.position }

    func begin(sshHome: SSHHome) throws(TransferFailure) -> EasyRequest {
        if request.url.scheme == .sftp {
            asked.ssh = try SSHAccess(request.url, settings, sshHome, at: outbox.now)
        }
        asked.aim = .piece(start..<range.upperBound, condition: isElsewhere ? nil : download.version.validator)
        return asked.easyRequest
    }

    /// The validators of one server may mean nothing at another.
    private var isElsewhere: Bool { request.url.redacted != download.attributes.url }

    /// A request of FTP reaches to the end of the file.
    func bound(at end: Int64) { self.end = asked.isHTTP ? min(end, range.upperBound) : end }

    /// Also where it was told to end before the first byte of its range has come.
    var isAtBound: Bool { outcome == nil && growth == nil && max(position, range.lowerBound) >= end }

    /// Nothing is written at or beyond this position. The first bytes behind the end are compared, as those before the start.
    private var limit: Int64 {
        asked.isHTTP ? end : min(end + writer.part.seam, max(end, download.version.total ?? 0))
    }
}

// MARK: - The answer

extension SegmentConnection {
    var hasBody: Bool { isOpen }

    func refuseHead() { outcome = .failure(.badResponse("response headers are too long")) }

    /// The head is complete. Redirects and logins are libcurl's business.
    func takeHead() -> Bool {
        do throws(TransferFailure) {
            try easy?.willFollow(head, from: request.url, request.settings)
        } catch {
            outcome = .failure(error)
            return false
        }
        switch head.status {
        case 100...199, 401, 407: return true
        case 300...399 where head.location?.isEmpty == false: return true
        case 206:
            if let reason = SegmentVerdict.refusal(
                head, range: range, total: download.version.total, version: asked.condition(of: download),
                weakTag: isElsewhere ? nil : download.version.weakTag)
            {
                outcome = .failure(.badResponse(reason))
            } else {
                open()
            }
        case 200...299 where HTTPStatus.meaning(head.status, of: .download) != .later, 300...399, 416:
            outcome = .failure(.badResponse("status \(head.status) instead of a part of the file"))
        default: outcome = .failure(.httpStatus(head.status))
        }
        return outcome == nil
    }

    private func open() {
        isOpen = true
        report(.moved(range.lowerBound..<range.lowerBound, of: chunk))
    }

    /// FTP and SFTP: called for the first bytes.
    private func openWithoutHead(_ bytes: UnsafeRawBufferPointer) {
        let rest = easy?.fact(WINCH_CONTENT_LENGTH) ?? -1
        if let growth {
            if download.excess == .seen { openGrown(rest < 0 ? nil : growth.position + rest) }
            return
        }
        guard rest >= 0, start + rest == download.version.total else {
            outcome = .failure(.badResponse("the server names another size for the file"))
            return
        }
        // Nothing else tells that a server has agreed to REST and ignores it.
        let first = UnsafeRawBufferPointer(rebasing: bytes.prefix(4096))
        guard
            start == 0 || !ByteRanges(0..<Int64(first.count)).isSubset(of: writer.part.held)
                || writer.part.file.matching(first, at: 0) < first.count
        else {
            outcome = .failure(.badResponse("the server sends the file from its start instead of a part of it"))
            return
        }
        open()
    }

    /// - Parameter total: of the file, as the server says now; `nil`: it does not say.
    private func openGrown(_ total: Int64?) {
        do throws(TransferFailure) {
            try checkGrowth(to: total)
        } catch {
            outcome = .failure(error)
        }
    }

    /// The last bytes of the file come once more: a file that is not only longer is another one.
    private func compare(_ bytes: UnsafeRawBufferPointer, in given: DownloadOverlap) -> BodyAnswer {
        var (overlap, bytes) = (given, bytes)
        guard overlap.compare(&bytes, with: writer.part) else {
            outcome = .failure(.connectionLost("the file has changed at the server"))
            return .refused
        }
        growth = overlap
        guard overlap.position == overlap.end else { return .taken }
        noteGrown()
        outcome = .success(())
        return .refused
    }

    func take(body bytes: UnsafeRawBufferPointer) -> BodyAnswer {
        guard speed.take(body: bytes.count, at: outbox.now) else { return .notNow }
        if !isOpen, !asked.isHTTP { openWithoutHead(bytes) }
        guard outcome == nil else { return .refused }
        if let growth { return compare(bytes, in: growth) }
        // The body of a redirect or of a refused login.
        guard isOpen else { return .taken }
        return write(bytes) ? .taken : .refused
    }

    private func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let limit = limit
        let count = Int(min(Int64(bytes.count), max(0, limit - position)))
        do throws(TransferFailure) {
            try writer.append(
                UnsafeRawBufferPointer(rebasing: bytes[..<count]), isWhole: position + Int64(count) == limit)
            download.files.finisher.writeBack(writer)
            download.hasher.feed(writer.part)
        } catch {
            outcome = .failure(error)
            return false
        }
        // The end of the body is awaited, so that the connection can be used again.
        guard position >= limit, end < range.upperBound || count < bytes.count || !asked.isHTTP else { return true }
        if position == download.version.total { noteExcess() }
        outcome = .success(())
        return false
    }
}

// MARK: - The end

extension SegmentConnection {
    func end(_ code: CurlCode, _ easy: EasyHandle) throws(TransferFailure) -> FileConnectionEnding {
        if let ending = endRefused(code, easy) { return ending }
        if !isOpen, outcome == nil, let ending = endLogin(code, easy) { return ending }
        guard let outcome else { return try endUndecided(code, easy) }
        try outcome.get()
        return try endPiece()
    }

    private func endUndecided(_ code: CurlCode, _ easy: EasyHandle) throws(TransferFailure) -> FileConnectionEnding {
        if isOpen, position >= end { return try endPiece() }
        if code == .ok {
            // Without a status an FTP server has closed the connection before the first byte, which may be chance as well.
            if isOpen || head.status == 0 {
                return .failed(.cutShort(have: ByteCount(bytes: position), expected: ByteCount(bytes: end)))
            }
            if head.status == 401, head.offersDigest, asked.useDigest() { return again() }
            return .failed(head.status >= 400 ? .httpStatus(head.status) : .badResponse("no response"))
        }
        if let busyReply = reader.busyReply { return .failed(.serverBusy(reply: busyReply)) }
        if code == .restRefused { return .failed(.badResponse("the FTP server refuses REST")) }
        let failure = curlFailure(code, easy)
        return isOpen ? .failed(failure) : lookupEnding(code, failure, easy) ?? .failed(failure)
    }

    func again() -> FileConnectionEnding {
        reader = HeadReader()
        return .again(asked.easyRequest)
    }

    func endPiece() throws(TransferFailure) -> FileConnectionEnding {
        guard isPartOpen else { throw partGone }
        try writer.flush()
        reportMoved()
        guard !download.lacksBytes, let total = download.version.total else { return .pieceEnded }
        if download.excess == .seen, !asked.isHTTP {
            let last = max(0, total - Self.growthOverlap)..<total
            (growth, isOpen, outcome) = (DownloadOverlap(position: last.lowerBound, end: total), false, nil)
            asked.aim = .piece(last, condition: nil)
            return again()
        }
        return download.complete(size: total, by: self, demands: download.hasher.lastDemands)
    }

    /// 64 KiB.
    private static let growthOverlap: Int64 = 64 << 10

    func check() -> TransferFailure? {
        guard isPartOpen else { return partGone }
        do throws(TransferFailure) {
            try writer.flush()
        } catch {
            reportMoved()
            return error
        }
        download.makeCheckpoint(of: request, at: outbox.now)
        reportMoved()
        return download.body.checkNames(at: outbox.now) ?? speed.failure(at: outbox.now, isReceiving: isOpen)
    }

    func flush() {
        try? writer.flush()
        reportMoved()
    }

    /// False after another connection has found that the part was removed.
    private var isPartOpen: Bool { download.body.part === writer.part }

    private var partGone: TransferFailure { .readWrite(writer.part.path, reason: "removed during the download") }

    /// Reports the bytes that have come to be on disk since the last report.
    private func reportMoved() {
        guard isOpen, writer.written > lastReported else { return }
        let brought = lastReported..<writer.written
        lastReported = writer.written
        report(.moved(brought, of: chunk))
        download.noteMoved(brought, over: self, at: outbox.now)
    }

    /// What it is to bring. Empty when it was bounded below its start.
    private var chunk: Range<Int64> { range.lowerBound..<max(range.lowerBound, end) }
}
