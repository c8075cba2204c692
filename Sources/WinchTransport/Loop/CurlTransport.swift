import WinchBatch
import WinchModel

/// Moves the bytes with libcurl, on one thread; `TransportThreads` has several.
///
/// The actor lives on the connections' own thread: between two waits in `curl_multi_poll` it takes a turn, in which it
/// carries out its orders, lets libcurl work, and sends the reports together.
actor CurlTransport {
    let loop: LoopExecutor
    private let threads = ThreadGroup()
    nonisolated let inbox: OrderInbox
    nonisolated let files: FileServices
    let outbox: Outbox
    let shared: SharedByThreads
    var sshHome: SSHHome { shared.sshHome }
    let clock: @Sendable () -> Moment
    let wallClock: @Sendable () -> Int64

    let handles = Handles()

    /// Guard: used, and freed, on the loop's thread only. A handle that is freed on another thread while libcurl works on
    /// it, or closes its connection, is a crash.
    final class Handles: @unchecked Sendable {
        /// Each with its handle.
        var connections: [ConnectionID: (connection: any FileConnection, easy: EasyHandle)] = [:]
        /// With those that wait, which have no handle.
        var uploads: [ConnectionID: UploadConnection] = [:]
        var listings: [ConnectionID: ListingConnection] = [:]
        /// Of what cancelled uploads have left at their servers, with those that wait for another attempt, which have no handle.
        var removals: [ObjectIdentifier: (removal: UploadRemoval, easy: EasyHandle?)] = [:]
        var probes: [TransferID: (probe: Probe, easy: EasyHandle)] = [:]
        /// Requests for the Metalinks of files.
        var descriptions: [TransferID: (description: DescriptionRequest, easy: EasyHandle)] = [:]
        /// Free for the next transfers.
        var idle: [EasyHandle] = []

        /// No connection of a transfer is open.
        var areIdle: Bool { connections.isEmpty && uploads.isEmpty && listings.isEmpty }

        func free() {
            (connections, uploads, removals, listings) = ([:], [:], [:], [:])
            (probes, descriptions, idle) = ([:], [:], [])
        }
    }

    /// Logins that the user has typed, by origin.
    var logins: [String: TypedLogin] = [:]
    /// The files of the connections, and those that wait for another one.
    var downloads: [TransferID: Download] = [:]
    /// Transfers whose files may be there already; the checker reads them.
    var checking: [TransferID: (request: ConnectionRequest, file: ExistingFile)] = [:]
    /// Bodies that are complete and with the finisher.
    var finishing: [TransferID: Finishing] = [:]
    var finishJobs: [FinishJob] = []
    var nextTick: Moment
    /// When the bytes of files whose connections are new are to be reported; `nil`: there are none.
    var nextGlance: Moment?
    var isShuttingDown = false
    /// Checksums of files that get their names from servers.
    let listedChecksums: ChecksumLists
    /// It has open connections, as `shared` was told.
    private var isBusy = false
    /// Since then no connection is open; `nil`: one is, or what it needed has been closed.
    private var idleSince: Moment?
    var waitingForEnd: [CheckedContinuation<Void, Never>] = []
    /// Hosts that the system is asked about, and the attempts that wait for its answer.
    var pendingLookups: [String: [(connection: any FileConnection, failure: TransferFailure)]] = [:]
    nonisolated let lookUp: @Sendable (String) -> NameLookup.Answer

    struct Finishing {
        var claim: FinishClaim
        var folder: TargetFolder
        var resume: ResumePoint

        func kept(_ partName: String, after failure: TransferFailure?) -> ResumePoint {
            var kept = resume
            kept.partPath = folder.below + partName
            kept.mark = folder.status(of: partName).map { FileIdentity($0) }
            // After a failed sync it was cut.
            if let length = kept.mark?.length {
                kept.onDisk.remove(contentsOf: length..<Int64.max)
                kept.durable.remove(contentsOf: length..<Int64.max)
            }
            // With a wrong hash none of the bytes can be used: the next attempt fetches the whole.
            if case .checksum? = failure {
                (kept.onDisk, kept.total, kept.validator, kept.durable) = (ByteRanges(), nil, nil, ByteRanges())
            }
            return kept
        }
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// - Parameters:
    ///   - files: shared by all transports of the engine.
    ///   - shared: by the threads of one transport.
    ///   - clock: for the instants in reports, stalls and time limits.
    ///   - listedChecksums: for files that servers give their names; the others' are in their settings.
    ///   - wallClock: seconds since 1970, for dates that servers name.
    ///   - lookUp: asks the system about a host; may block, is called on a thread of its own.
    ///   - report: what happened, in order, at most one call for each turn of the loop; on the loop's thread, so it must not
    ///     wait for anything.
    /// - Throws: `.other` when libcurl or the system gives no means to begin.
    init(
        files: FileServices, listedChecksums: ChecksumLists, shared: SharedByThreads,
        clock: @escaping @Sendable () -> Moment, wallClock: @escaping @Sendable () -> Int64,
        lookUp: @escaping @Sendable (String) -> NameLookup.Answer,
        report: @escaping @Sendable ([TransportReport]) -> Void
    ) throws(TransferFailure) {
        guard let loop = LoopExecutor() else { throw .other("libcurl cannot be initialised") }
        self.loop = loop
        self.files = files
        self.shared = shared
        inbox = OrderInbox(of: loop)
        self.clock = clock
        self.listedChecksums = listedChecksums
        self.wallClock = wallClock
        self.lookUp = lookUp
        nextTick = clock()
        outbox = Outbox(now: nextTick, send: report)
        let isRunning = loop.run(in: threads) { [weak self] in
            self?.assumeIsolated { $0.turn() } ?? Self.turnWithoutActor
        }
        guard isRunning else { throw .other("cannot create a thread") }
    }

    /// While the actor is being freed: its `deinit` ends the wait.
    private static let turnWithoutActor = LoopExecutor.Pause(longest: 1000)

    deinit {
        loop.stop { [handles] in handles.free() }
    }

    /// Closes the connections that are kept for later and ends the thread that uses libcurl, OpenSSL and libssh2, whose
    /// data `exit` frees. Nothing is fetched after it, and nothing reported. `FileServices.end` ends the other threads.
    ///
    /// - Parameter span: waits no longer for servers that do not answer the closing of their connections.
    /// - Returns: false when a thread is still at work: then the process must not end by `exit`.
    nonisolated func end(within span: Duration) -> Bool {
        stop()
        return threads.join(within: span)
    }

    /// The same without waiting for the thread.
    nonisolated func stop() { loop.stop() }

    /// Closes everything and keeps what is there; returns when all of it was reported.
    nonisolated func shutDown() async {
        await withCheckedContinuation { continuation in post { $0.end(continuation) } }
    }

    nonisolated func post(_ order: @escaping TransportOrder) { inbox.post(order) }
}

/// One turn of the loop.
extension CurlTransport {
    /// Ten counts a second: more changes than that cannot be seen.
    static let tickSpan: Duration = .milliseconds(100)
    /// Nothing is due, and a call wakes the loop anyway.
    private static let idle = LoopExecutor.Pause(longest: 60_000)
    /// 20 ms: bytes of slow connections that come within it are handled in one turn, because a turn costs more than the bytes.
    private static let gatherSpan: Int32 = 20

    private func turn() -> LoopExecutor.Pause {
        outbox.now = clock()
        for order in inbox.take() { order(self) }
        var nextRelease = release()
        loop.perform()
        while let (easy, code) = loop.nextEnded() { ended(easy, code) }
        // A tick is too long for what was held just now: the first piece of a small file, as a rule.
        if loop.hasHeld { nextRelease = release() }
        if outbox.now >= nextTick { tick() }
        if let due = nextGlance, outbox.now >= due { glance() }
        // The reports first, so that the engine can fill the slots meanwhile.
        let nextFlush = outbox.flushDue()
        if isBusy == handles.areIdle {
            isBusy.toggle()
            shared.note(isBusy: isBusy)
            idleSince = isBusy ? nil : outbox.now
        }
        if !finishJobs.isEmpty {
            files.finisher.finish(finishJobs, isUrgent: shared.isIdle)
            finishJobs = []
        }
        if handles.areIdle, handles.removals.isEmpty, handles.probes.isEmpty, handles.descriptions.isEmpty {
            outbox.flush()
            return rest()
        }
        let nextTurn = handles.listings.values.contains { $0.awaitsTurn } ? outbox.now : nextTick
        let due = min(nextTick, nextTurn, nextRelease ?? nextTick, nextGlance ?? nextTick, nextFlush ?? nextTick)
        // Rounded up: a wait that ends before the instant would be followed by another.
        let longest = Int32(clamping: max(1, ((due - outbox.now).nanoseconds + 999_999) / 1_000_000))
        return LoopExecutor.Pause(longest: longest, gathering: mayGather ? min(Self.gatherSpan, longest) : 0)
    }

    /// Nothing is due. After a while the folders are closed: a disk that a session has filled can be unmounted.
    private func rest() -> LoopExecutor.Pause {
        guard let since = idleSince else { return Self.idle }
        let left = since + Self.folderSpan - outbox.now
        guard left <= .zero else {
            return LoopExecutor.Pause(longest: Int32(clamping: (left.nanoseconds + 999_999) / 1_000_000))
        }
        idleSince = nil
        if shared.isIdle { files.folders.close() }
        return Self.idle
    }

    private static let folderSpan = Duration.seconds(2)

    /// Nothing but bodies of files comes, and slowly.
    private var mayGather: Bool {
        handles.uploads.isEmpty && handles.listings.isEmpty && handles.removals.isEmpty && handles.probes.isEmpty
            && handles.descriptions.isEmpty && handles.connections.values.allSatisfy { $0.connection.bytesMayWait }
    }

    /// Resumes the held connections whose limits allow it.
    ///
    /// - Returns: when the next one may go on; `nil`: none is held.
    private func release() -> Moment? {
        var next: Moment?
        func resume(_ connection: some TransferConnection) {
            // libcurl hands on the bytes that it holds within this call; they may have to wait again.
            if connection.speed.release(at: outbox.now) { connection.easy?.release() }
            if let due = connection.speed.nextRelease(at: outbox.now) { next = min(next ?? due, due) }
        }
        for (connection, easy) in handles.connections.values where connection.speed.isHeld {
            easy.boundReceiveBuffer(to: connection.speed.limit)
            resume(connection)
        }
        for upload in handles.uploads.values where upload.speed.isHeld { resume(upload) }
        for listing in handles.listings.values where listing.speed.isHeld { resume(listing) }
        return next
    }

    private func ended(_ easy: EasyHandle, _ code: CurlCode) {
        loop.remove(easy)
        switch easy.receiver {
        case let connection as any FileConnection:
            settle(connection, easy) { () throws(TransferFailure) in try connection.end(code, easy) }
        case let upload as UploadConnection: settle(upload, upload.end(code, easy))
        case let listing as ListingConnection: settle(listing, listing.end(code, easy))
        case let removal as UploadRemoval: settle(removal, code, easy)
        case let description as DescriptionRequest: ended(description, code, easy)
        case let probe as Probe:
            guard let request = probe.end(code, easy) else {
                if let file = probe.file { shared.note(file, of: probe.request.id) }
                handles.probes[probe.request.id] = nil
                giveBack(easy)
                return
            }
            do throws(TransferFailure) {
                try easy.prepare(request, for: probe)
                _ = loop.add(easy)
            } catch {
                handles.probes[probe.request.id] = nil
                probe.answer()
            }
        default: break
        }
    }
}

/// Handles and their way in and out of the loop.
extension CurlTransport {
    /// Handles kept for later; each may hold a receive buffer.
    private static let maxIdleHandles = 32

    /// - Parameter server: as in `TransferURL.server`, of the transfer's URL: redirects may lead to others.
    func begin(
        _ request: EasyRequest, for receiver: any ResponseReceiver, at server: String
    ) throws(TransferFailure) -> EasyHandle {
        guard let easy = handles.idle.popLast() ?? EasyHandle(loop: loop) else { throw .other("out of memory") }
        easy.server = server
        try easy.prepare(
            request, for: receiver, cookies: receiver.transfer.map { shared.cookies.cookies(of: $0) } ?? [])
        guard loop.add(easy) else { throw .other("libcurl refuses another transfer") }
        return easy
    }

    /// Makes the next request of a connection, on its handle if it has one.
    func ask(_ request: EasyRequest, for connection: some TransferConnection) throws(TransferFailure) {
        guard let easy = connection.easy else {
            connection.easy = try begin(request, for: connection, at: connection.request.url.server)
            return
        }
        try easy.prepare(request, for: connection)
        guard loop.add(easy) else { throw .other("libcurl refuses another transfer") }
    }

    /// The next requests of the transfer send the cookies that this one was given.
    func keepCookies(of easy: EasyHandle) {
        // Those of a file come from there again, and a size that is asked for ahead is not a part of the transfer.
        guard easy.isReusable, let receiver = easy.receiver, !(receiver is Probe), let id = receiver.transfer else {
            return
        }
        shared.cookies.keep(easy.cookies, of: id)
    }

    /// Takes a handle out of the loop before its time: the connection is closed.
    func withdraw(_ easy: EasyHandle) {
        loop.remove(easy)
        giveBack(easy)
    }

    /// Takes the handle of a connection, if it has one, which ends the request under way.
    func drop(_ connection: some TransferConnection) {
        guard let easy = connection.easy else { return }
        connection.easy = nil
        withdraw(easy)
    }

    func giveBack(_ easy: EasyHandle) {
        keepCookies(of: easy)
        easy.receiver = nil
        guard easy.isReusable, easy.hasFreedBuffer, handles.idle.count < Self.maxIdleHandles else { return }
        handles.idle.append(easy)
    }
}
