import WinchModel
import WinchProgress

/// One attempt: its bytes, its mirror, its request and its end.
extension TransferState {
    /// A connection has brought the bytes up to a position.
    ///
    /// Bytes behind a gap may arrive once more: they count for the rate, and not for `have`.
    mutating func take(_ position: Int64, of connection: Connection, at now: Moment) {
        let before = have
        resume?.onDisk.insert(contentsOf: connection.position..<position)
        setHave(resume?.have ?? ByteCount(bytes: position))
        let again = position - connection.position - (have - before).bytes
        connections.change(connection.id) { $0.move(through: position, again: again, at: now) }
        let arrived = ByteCount(bytes: have.bytes &+ connections.repeated)
        let known = size.known
        estimator?.record(arrived, of: known, at: now)
    }

    /// Takes `have` as told by the transport. A guess that is outgrown is doubled; a size that is outgrown was none.
    mutating func setHave(_ new: ByteCount) {
        have = new
        let limit = if case .unknown(let estimate) = size { estimate } else { size.known ?? .zero }
        if new > limit { size = .unknown(estimate: ByteCount(bytes: min(new.bytes, .max / 2) * 2)) }
    }

    /// Turns to the next mirror in order that is neither dead nor in `excluded`.
    ///
    /// - Returns: `false` when there is none; the one in use is tried last.
    mutating func turnToNextMirror(excluding excluded: Set<Int>) -> Bool {
        for step in 1...spec.urls.count {
            let candidate = (mirror + step) % spec.urls.count
            if !history.failedMirrors.contains(candidate), !excluded.contains(candidate) {
                mirror = candidate
                hostKey = url.hostKey
                return true
            }
        }
        return false
    }

    func request(_ connection: Connection) -> ConnectionRequest {
        var request = ConnectionRequest(
            connection: connection.id, url: spec.urls[connection.source], folder: spec.folder, name: spec.name,
            settings: spec.settings.sent(to: spec.urls[connection.source]), resume: resume, rateLimit: connection.limit)
        request.range = connection.range
        request.listedChecksum = spec.listedChecksum
        request.listedOrigin = spec.listedOrigin
        request.pieces = spec.pieces
        request.upload = spec.upload
        request.isNewAddress = history.hasNewAddress
        if hasMirrors { request.mirrors = Array(spec.urls) }
        return request
    }

    /// URLs of a transfer, with those that servers name.
    static let mostURLs = 16

    /// Adds mirrors that a server names, behind the others. The login does not go to their hosts.
    mutating func addMirrors(_ found: [TransferURL]) {
        var urls = Array(spec.urls)
        for url in found where urls.count < Self.mostURLs && !urls.contains(where: { $0.normal == url.normal }) {
            urls.append(url)
        }
        guard urls.count > spec.urls.count else { return }
        spec.settings = spec.settings.keepingLogin(at: spec.urls)
        spec.urls = MirrorList(urls)
    }

    /// Has the transport remove what is on disk, or what an upload has at its server.
    func discarding(_ resume: ResumePoint?) -> QueueAction {
        guard spec.direction == .down else {
            var request = ConnectionRequest(
                connection: ConnectionID(transfer: id), url: url, folder: spec.folder, name: spec.name,
                settings: spec.settings, resume: resume)
            request.upload = spec.upload
            return .withdraw(request)
        }
        return .discard(id, resume, folder: spec.folder, addresses: Array(spec.urls))
    }

    /// Puts another address in the place of the one in use, as if it had not been tried.
    mutating func replaceURL(with url: TransferURL) {
        spec.urls[mirror] = url
        spec.settings = spec.settings.givingLogin(to: url)
        hostKey = url.hostKey
        history.hasNewAddress = resume != nil || closing != nil
        history.tries = 0
        history.failedMirrors.remove(mirror)
        history.triedMirrors.remove(mirror)
        history.earliestRetry[mirror] = nil
        history.refusedAt[mirror] = nil
    }

    /// When the body will have come; `nil` without an honest answer.
    func finish(at now: Moment) -> Moment? {
        guard isMoving, let left = size.known.map({ $0 - have }) else { return nil }
        guard let end = estimator?.finish(of: left, at: now) else { return nil }
        // A limit that was just lowered is not yet in what was measured.
        return appliedLimit?.time(for: left).map { max(end, now + $0) } ?? end
    }

    /// The limiter lets it move no byte now.
    func isHeldBack(at now: Moment) -> Bool { connections.areHeldBack(at: now) }
}
