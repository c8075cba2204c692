import CTransport
import Glibc
import Synchronization
package import WinchBatch
package import WinchModel
import WinchSystem

/// The transport over several threads, each a `CurlTransport`: one thread cannot decrypt and copy for all cores.
package final class TransportThreads: Sendable {
    private let threads: [CurlTransport]
    private let files: FileServices
    private let shared: SharedByThreads

    /// As many as there are cores. 4 at most: so many move more bytes than disks and networks do, and each needs memory.
    package static var usualCount: Int { min(4, max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

    /// The parameters are those of `CurlTransport`.
    ///
    /// - Parameter report: called on several threads; reports of one transfer come from one of them, in order.
    /// - Throws: `.other` when libcurl or the system gives no means to begin.
    package init(
        count: Int = TransportThreads.usualCount, files: FileServices, listedChecksums: ChecksumLists = ChecksumLists(),
        clock: @escaping @Sendable () -> Moment = SystemClock.moment,
        wallClock: @escaping @Sendable () -> Int64 = SystemClock.wallSeconds,
        lookUp: @escaping @Sendable (String) -> NameLookup.Answer = NameLookup.ask,
        report: @escaping @Sendable ([TransportReport]) -> Void
    ) throws(TransferFailure) {
        let shared = SharedByThreads(count: count)
        var threads: [CurlTransport] = []
        for _ in 0..<max(1, count) {
            threads.append(
                try CurlTransport(
                    files: files, listedChecksums: listedChecksums, shared: shared, clock: clock,
                    wallClock: wallClock, lookUp: lookUp
                ) { reports in
                    // First, so that what the engine does next is sent to the right thread.
                    shared.choice.withLock { choice in
                        for report in reports { choice.take(report.connection, report.event) }
                    }
                    report(reports)
                })
        }
        (self.threads, self.files, self.shared) = (threads, files, shared)
    }

    /// Ends all threads, as `CurlTransport.end` does.
    package func end(within span: Duration) -> Bool {
        let deadline = SystemClock.moment() + span
        // All close their connections at the same time.
        for thread in threads { thread.stop() }
        return threads.reduce(true) { hasEnded, thread in
            thread.end(within: max(.zero, deadline - SystemClock.moment())) && hasEnded
        }
    }
}

extension TransportThreads: TransportPort {
    package func open(_ request: ConnectionRequest) {
        let server = request.url.server
        let file = request.isFurther ? nil : request.wishedPath
        let isUpload = request.upload != nil
        let place = shared.choice.withLock {
            $0.open(request.connection, of: file, to: server, isUpload: isUpload)
        }
        makeRoom(for: place, at: server)
        threads[place.thread].post { $0.open(request) }
    }

    package func close(_ id: ConnectionID, discarding: Bool) {
        thread(of: id.transfer)?.post { $0.end(id, discarding: discarding) }
    }

    package func proceed(_ id: ConnectionID) { thread(of: id.transfer)?.post { $0.proceed(upload: id) } }

    package func withdraw(_ request: ConnectionRequest) {
        // Before the thread carries it out: the transfer may be opened again meanwhile.
        if let place = request.resume?.upload { shared.forget(place) }
        // Nothing of the transfer is open: any thread will do.
        let thread = shared.choice.withLock { $0.thread(of: request.transfer) } ?? 0
        threads[thread].post { $0.cancel(upload: request) }
    }

    package func retire(_ id: ConnectionID, atOnce: Bool) {
        thread(of: id.transfer)?.post { $0.retire(id, atOnce: atOnce) }
    }

    package func askNoMore(_ id: TransferID) { thread(of: id)?.post { $0.askNoMore(id) } }

    package func discard(
        _ id: TransferID, _ resume: ResumePoint?, folder: String, namedParts: Int = 0, addresses: [TransferURL]
    ) {
        let thread = shared.choice.withLock { $0.discard(id) }
        threads[thread].post {
            $0.remove(id, PartClaim(addresses, lastKnown: resume), in: folder, named: namedParts)
        }
    }

    package func probe(_ request: ProbeRequest) {
        let server = request.url.server
        let (before, place) = shared.choice.withLock { choice in
            (choice.endProbe(of: request.id), choice.probe(request.id, at: server))
        }
        if let before { threads[before].post { $0.stop(probe: request.id) } }
        makeRoom(for: place, at: server)
        threads[place.thread].post { $0.start(probe: request) }
    }

    package func stopProbe(_ id: TransferID) {
        guard let thread = shared.choice.withLock({ $0.endProbe(of: id) }) else { return }
        threads[thread].post { $0.stop(probe: id) }
    }

    package func limit(_ id: ConnectionID, to rate: ByteRate?) {
        thread(of: id.transfer)?.post { $0.limit(id, to: rate) }
    }

    package func trust(_ key: SSHHostKey, remembering: Bool) {
        // To all, since each carries out its orders by itself: a connection that is opened next must find the key.
        for thread in threads { thread.post { $0.sshHome.trust(key, remembering: remembering) } }
    }

    package func unlock(keyFile: String, _ passphrase: Secret) {
        for thread in threads { thread.post { $0.sshHome.unlock(keyFile, passphrase) } }
    }

    package func logIn(at origin: String, user: String, _ password: Secret, instead refused: Set<String?>) {
        for thread in threads { thread.post { $0.logIn(at: origin, user, password, instead: refused) } }
    }

    package func space(in folder: String) async -> DiskSpaceReading? { await files.space(in: folder) }

    package func shutDown() async { await shutDown(within: .seconds(10)) }

    /// Closes all connections and keeps what is there. Returns when the threads have reported it, or do not within `span`: one may
    /// wait for a disk or an SSH agent that is silent.
    func shutDown(within span: Duration) async {
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        for thread in threads {
            Task {
                await thread.shutDown()
                end.yield()
            }
        }
        let limit = Task {
            try await Task.sleep(for: span)
            end.finish()
        }
        var count = 0
        for await _ in ends {
            count += 1
            if count == threads.count { break }
        }
        limit.cancel()
    }

    /// `nil`: nothing of the transfer is open, and the reports that say so are on their way to the engine.
    private func thread(of id: TransferID) -> CurlTransport? {
        shared.choice.withLock { $0.thread(of: id) }.map { threads[$0] }
    }

    private func makeRoom(for place: ThreadChoice.Place, at server: String) {
        if let keeper = place.closesKept { threads[keeper].post { $0.loop.sockets.closeKept(to: server) } }
    }
}

extension ConnectionRequest {
    /// The path that the file gets unless the server names it otherwise or another file has it.
    fileprivate var wishedPath: String {
        if upload != nil { return url.text }
        return folder + "/" + (resume?.targetPath ?? name?.text ?? TargetName(url: url).text)
    }
}

/// Threads that use libraries whose data `exit` frees, such as OpenSSL: the process may end once they have ended.
final class ThreadGroup: Sendable {
    private let threads = Mutex<[pthread_t]>([])

    deinit {
        // The last reference may be held by one of the threads.
        for thread in threads.withLock({ $0 }) { pthread_detach(thread) }
    }

    /// - Returns: false when the system gives no thread.
    func start(_ run: @escaping @Sendable () -> Void) -> Bool {
        guard let thread = Threads.startJoinable(run) else { return false }
        threads.withLock { threads in
            // Threads that live for a few files do not pile up.
            threads.removeAll { winch_join_thread($0, 0) }
            threads.append(thread)
        }
        return true
    }

    /// Waits until all have ended. Not from one of the threads.
    ///
    /// - Returns: false when one still runs after `span`.
    func join(within span: Duration) -> Bool {
        let deadline = SystemClock.moment() + span
        // The lock is not held while waiting: one of the threads may be starting another.
        while let thread = threads.withLock({ $0.popLast() }) {
            let left = max(.zero, deadline - SystemClock.moment())
            guard winch_join_thread(thread, Int32(clamping: left.nanoseconds / 1_000_000)) else {
                threads.withLock { $0.append(thread) }
                return false
            }
        }
        return true
    }
}

/// What the threads of one transport have in common.
final class SharedByThreads: Sendable {
    /// Which thread has a transfer. Takes the orders and the reports of all of them.
    let choice: Mutex<ThreadChoice>
    let streams = OpenStreams()
    let sshHome = SSHHome()
    let cookies = TransferCookies()
    let knownFolders = KnownFolders()
    let copiedFolders = CopiedFolders()
    /// The temporary names of uploads that go on or may be tried again: removals that were to be tried again leave them alone.
    let wantedNames = Mutex<Set<String>>([])
    /// What HEAD said of transfers that are not finished. The thread that asked may be another than the one that downloads.
    private let probed = Mutex<[TransferID: ProbedFile]>([:])
    private let busyThreads = Atomic<Int>(0)

    init(count: Int) { choice = Mutex(ThreadChoice(count: count)) }

    func note(_ file: ProbedFile, of id: TransferID) {
        probed.withLock { files in
            // Those that are never downloaded stay. It is of use against pages in place of files, and can be missed.
            if files.count >= Self.mostProbed { files = [:] }
            files[id] = file
        }
    }

    /// A few hundred KiB.
    private static let mostProbed = 10_000

    func probedFile(of id: TransferID) -> ProbedFile? { probed.withLock { $0[id] } }

    /// No attempt goes on with what is there.
    func forget(_ place: UploadPlace) { wantedNames.withLock { _ = $0.remove(place.name) } }

    /// The transfer is finished or its part removed: what was kept for another attempt is not needed.
    func forget(_ id: TransferID) {
        probed.withLock { _ = $0.removeValue(forKey: id) }
        cookies.forget(id)
    }

    /// A thread has opened its first connection, or closed its last one.
    func note(isBusy: Bool) { busyThreads.add(isBusy ? 1 : -1, ordering: .relaxed) }

    var isIdle: Bool { busyThreads.load(ordering: .relaxed) == 0 }
}

/// How many listings have repeated a folder above them, by `ListingReader.copied`.
final class CopiedFolders: Sendable {
    private let counts = Mutex<[UInt64: Int]>([:])

    /// 1 MiB. Beyond it counting begins anew: a loop ends later then.
    private static let most = 30_000

    /// Counts one more.
    ///
    /// - Returns: how many there were before.
    func add(_ key: UInt64) -> Int {
        counts.withLock { counts in
            if counts.count >= Self.most { counts = [:] }
            let before = counts[key] ?? 0
            counts[key] = before + 1
            return before
        }
    }
}

/// The cookies of transfers between two of their requests. libcurl keeps those of one request and its redirects, and sends them
/// by their own rules of domain and path.
///
/// A transfer begins with those of its cookie file, or with none, and no other transfer gets what it was given.
final class TransferCookies: Sendable {
    private let lines = Mutex<[TransferID: [String]]>([:])

    /// Transfers with cookies at a time. Of those that failed or were removed nothing is heard: beyond this all begin anew.
    private static let most = 10_000

    /// Each a line of a cookie file.
    func cookies(of id: TransferID) -> [String] { lines.withLock { $0[id] ?? [] } }

    func keep(_ cookies: [String], of id: TransferID) {
        lines.withLock {
            if $0.count >= Self.most { $0.removeAll() }
            $0[id] = cookies.isEmpty ? nil : cookies
        }
    }

    func forget(_ id: TransferID) { lines.withLock { _ = $0.removeValue(forKey: id) } }
}
