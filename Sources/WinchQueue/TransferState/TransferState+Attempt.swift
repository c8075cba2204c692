import WinchModel
import WinchProgress

/// One attempt: its bytes, its mirror, its request and its end.
extension TransferState {
    /// A connection has brought bytes of the file.
    ///
    /// Bytes behind a gap may arrive once more: they count for the rate, and not for `have`.
    mutating func take(
        _ bytes: Range<Int64>, of connection: ConnectionID, in chunk: Range<Int64>? = nil, at now: Moment
    ) {
        let before = have
        resume?.onDisk.insert(contentsOf: bytes)
        setHave(resume?.have ?? ByteCount(bytes: bytes.upperBound))
        let again = Int64(bytes.count) - (have - before).bytes
        connections.change(connection) { $0.move(bytes, of: chunk, again: again, at: now) }
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
                hostAndPort = url.hostAndPort
                return true
            }
        }
        return false
    }

    /// It closes its connections and waits, with the bytes it has, and the attempt is not counted.
    mutating func waitAgain() {
        connections.close(.keeping)
        phase = .waiting
        history.forgetTry()
    }

    func request(_ connection: Connection) -> ConnectionRequest {
        var request = ConnectionRequest(
            connection: connection.id, url: spec.urls[connection.source], folder: spec.folder, name: spec.name,
            settings: spec.settings.sent(to: spec.urls[connection.source]), resume: resume, rateLimit: connection.limit)
        request.isFurther = connection.asksForPart
        if request.isFurther { request.expected = splitting?.controller.expected ?? 1 }
        request.listedChecksum = spec.listedChecksum
        request.listedOrigin = spec.listedOrigin
        request.pieces = spec.pieces
        request.upload = spec.upload
        request.folderOrder = spec.folderOrder
        request.listedVersion = spec.listedVersion
        request.namedParts = spec.namedParts
        if connection.source == 0 { request.finishedFile = spec.finishedFile }
        if spec.upload == nil, !spec.hasHashes { request.listedSize = spec.listedSize }
        request.isNewAddress = history.hasNewAddress
        request.followsRefusal =
            switch history.lastFailure {
            // An attempt that brought bytes has not failed, and one that slept does not count.
            case .connectionLost?, .cutShort?: history.tries > 1
            case let failure: failure?.httpStatus != nil
            }
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
        return .discard(id, resume, folder: spec.folder, namedParts: spec.namedParts, addresses: Array(spec.urls))
    }

    /// Puts another address in the place of the one in use, as if it had not been tried.
    mutating func replaceURL(with url: TransferURL) {
        spec.urls[mirror] = url
        if spec.finishedFile != nil { spec.finishedFile = nil }
        spec.settings = spec.settings.givingLogin(to: url)
        hostAndPort = url.hostAndPort
        history.hasNewAddress = resume != nil || closing != nil
        history.tries = 0
        history.failedMirrors.remove(mirror)
        history.triedMirrors.remove(mirror)
        history.earliestRetry[mirror] = nil
        history.refusedAt[mirror] = nil
    }

    /// It lists a folder from now on, as if it had not been tried. What is in the folder goes into a folder of the same name.
    mutating func becomeListing(of url: TransferURL, _ order: FolderOrder) {
        let name = spec.name?.text ?? TargetName(folder: url).text
        spec.settings = spec.settings.keepingLogin(at: spec.urls)
        spec.urls = MirrorList([url])
        spec.folder = spec.folder == "." ? name : spec.folder + (spec.folder.hasSuffix("/") ? "" : "/") + name
        spec.namedParts += 1
        (spec.name, spec.listedVersion, spec.folderOrder) = (nil, nil, order)
        (mirror, hostAndPort) = (0, url.hostAndPort)
        beginAsListing()
    }

    /// When the body will have come; `nil` without an honest answer.
    func finish(at now: Moment) -> Moment? {
        guard isMoving, let left = size.known.map({ $0 - have }) else { return nil }
        guard let end = estimator?.finish(of: left, at: now) else { return nil }
        // A limit that was just lowered is not yet in what was measured.
        return appliedLimit?.time(for: left).map { max(end, now + $0) } ?? end
    }
}

/// What the attempts at a transfer have come to so far. One that waits for its first has none of this.
package struct AttemptHistory: Emptiable, Equatable, Sendable {
    /// Attempts since bytes last came.
    var tries = 0
    /// Why the last attempt failed; `nil` when it did not, or when it counts no more.
    var lastFailure: TransferFailure?
    /// Bytes on disk when the attempt began: an attempt that went beyond made progress.
    var haveAtStart = ByteCount.zero
    /// The most bytes that ever were on disk.
    var largestHave = ByteCount.zero
    /// Of the complete body, hashed.
    var verified: ByteCount?
    /// The user replaced the address that the kept bytes came from.
    var hasNewAddress = false
    /// The server of the last answer does not offer parts of the file.
    var cannotContinue = false
    /// Mirrors that failed for good.
    var failedMirrors: Set<Int> = []
    /// A mirror sent a file with a wrong checksum: when all have failed, that is the reason, whatever the last one said.
    private(set) var wrongChecksum: TransferFailure?
    /// The host that sent all of that file; `nil`: bytes of another may be in it.
    private var wrongFileHost: String?
    /// Mirrors that failed since the last wait.
    var triedMirrors: Set<Int> = []
    /// When each mirror that asked for patience may be asked again.
    var earliestRetry: [Int: Moment] = [:]
    /// Times in a row that its host refused it for the number of its connections.
    var consecutiveRefusals = 0
    /// Refusals in a row of this transfer alone: see `RetryPolicy.Attempt.timesSingledOut`.
    var timesSingledOut = 0
    /// So often its refusals were not counted, because its host limits requests.
    var timesRationed = 0
    /// When each mirror refused it last, if it has brought nothing since.
    var refusedAt: [Int: Moment] = [:]
    /// Since when every attempt has failed for want of the network, and how many have.
    var networkLost: Moment?
    var timesWithoutNetwork = 0
    /// The file system of its folder, in the queue's list, while it writes there or waits for space.
    var disk: Int?
    /// Time used by attempts and waits before `clockStarted`, for `--max-time`.
    var timeSpent = Duration.zero
    var clockStarted: Moment?
    /// What `timeSpent` came to before the user tried it again.
    var spentBefore = Duration.zero

    static let emptyBox = HeapBox(Self())

    /// Whether it is as before the first attempt.
    var isEmpty: Bool { self == Self() }

    /// The attempt is not counted.
    mutating func forgetTry() { tries = max(0, tries - 1) }

    /// Counts the attempts in a row that failed for want of the network.
    mutating func noteNetwork(isAway: Bool, at now: Moment) {
        guard isAway else {
            (networkLost, timesWithoutNetwork) = (nil, 0)
            return
        }
        networkLost = networkLost ?? now
        timesWithoutNetwork += 1
    }

    /// Notes a wrong checksum. A mirror that sent one is not asked again, so that a second server with the same file has sent
    /// each of its bytes, too: then the expected checksum is wrong, and a third would send the same.
    ///
    /// - Returns: why the transfer fails without asking further mirrors; `nil`: another may have the right file.
    mutating func noteWrongFile(_ failure: TransferFailure, from host: String) -> TransferFailure? {
        guard case .checksum(let type, let expected, let got, _) = failure else { return nil }
        if failure == wrongChecksum, let wrongFileHost, wrongFileHost != host {
            let agreed = TransferFailure.checksum(
                type: type, expected: expected, got: got, servers: "\(wrongFileHost) and \(host)")
            wrongChecksum = agreed
            return agreed
        }
        (wrongChecksum, wrongFileHost) = (failure, haveAtStart == .zero ? host : nil)
        return nil
    }

    /// The user tries it again: what went wrong before counts no more.
    mutating func resetForRetry() {
        var next = AttemptHistory()
        (next.haveAtStart, next.largestHave) = (haveAtStart, largestHave)
        next.spentBefore = spentBefore + timeSpent
        (next.verified, next.hasNewAddress, next.disk) = (verified, hasNewAddress, disk)
        self = next
    }
}

extension TransferState {
    /// Its meter leaves out the time before `now`.
    mutating func restartMeter(at now: Moment) {
        estimator?.pause()
        estimator?.resume(at: now)
    }

    /// What has happened by now and has no date yet happened at `date`.
    ///
    /// - Parameter firstAttempt: when its first attempt in this run began; `nil`: at `date`.
    mutating func setDates(_ date: UnixTime, firstAttempt: UnixTime?) {
        record.addedAt = record.addedAt ?? date
        if attempts > 0 { record.startedAt = record.startedAt ?? firstAttempt ?? date }
        record.settledAt = isSettled ? record.settledAt ?? date : nil
    }
}
