import TestSupport
import Testing
import WinchProgress

@testable import WinchModel
@testable import WinchQueue

@Suite struct `A transfer that lists a folder` {
    private static func folder(
        _ path: String = "pub/", settings: TransferSettings = .sample(),
        _ change: (inout FolderRules) -> Void = { _ in }
    ) throws -> TransferSpec {
        let url = try TransferURL("http://h.example/\(path)")
        var spec = TransferSpec(urls: [url], folder: "dl/\(path.dropLast())", settings: Shared(settings))
        var rules = FolderRules(tree: 7, start: try TransferURL("http://h.example/pub/"))
        change(&rules)
        spec.folderOrder = FolderOrder(rules: Shared(rules))
        spec.namedParts = 1
        return spec
    }

    private static func files(_ names: String..., size: ListedSize? = nil) throws -> [TransferSpec] {
        try names.map { name in
            var spec = TransferSpec(urls: [try TransferURL("http://h.example/pub/\(name)")], folder: "dl/pub")
            spec.namedParts = 1
            spec.listedVersion = ListedVersion(size: size)
            return spec
        }
    }

    private static func listed(_ specs: [TransferSpec] = [], warning: TransferWarning? = nil) -> TransportEvent {
        .listed(specs, size: ByteCount(500), warning: warning)
    }

    private func found(_ run: QueueRun) -> Found? { run.queue[TransferID(1)]?.row(at: run.now).found }

    private func totals(_ run: QueueRun) -> QueueTotals { run.queue.totals(at: run.now) }

    @Test func `has its files started while it goes on, and its folders listed`() throws {
        var run = QueueRun {
            $0.slots = 4
            $0.perHost = 16
        }
        run.add(try Self.folder())
        expectEqual(run.request?.folderOrder?.rules.value.tree, 7)
        expectEqual(run.queue[TransferID(1)]?.name, "pub/")
        run.report(1, .requested)
        run.report(1, .found(try Self.files("a", "b")))
        expectEqual(run.running, [1, 2, 3])
        expectEqual(run.queue[TransferID(1)]?.row(at: run.now).phase, .moving)
        expectEqual(found(run)?.files, 2)
        run.report(1, Self.listed(try Self.files("c") + [Self.folder("pub/sub/")]))
        expectEqual(run.phase(1), .finished(.listed(path: "pub/", Self.found(files: 3, folders: 1))))
        expectEqual(run.queue.order.map(\.number), [1, 2, 3, 4, 5])
        expectEqual(run.running, [2, 3, 4, 5])
    }

    @Test func `that the user names once more has its folders listed again`() throws {
        var run = QueueRun()
        let (start, below) = (try Self.folder(), try Self.folder("pub/sub/"))
        run.add(start)
        run.report(1, Self.listed([below]))
        run.report(2, Self.listed())
        run.name(start)
        expectEqual(run.running, [1])
        run.report(1, Self.listed([below]))
        expectEqual(run.phase(1), .finished(.listed(path: "pub/", Self.found(files: 0, folders: 1))))
        expectEqual(run.running, [2])
        expectEqual(run.queue.order.count, 2)
    }

    private static func found(files: Int, folders: Int = 0) -> Found {
        var found = Found(files: files)
        found.folders = folders
        return found
    }

    @Test func `counts in no sum, but nothing is complete before it has ended`() throws {
        for mode in [ProgressMode.simple, .accurate] {
            var run = QueueRun { $0.mode = mode }
            run.add(try Self.folder())
            expectEqual(run.bar, "0/0 ~")
            run.report(1, .found(try Self.files("a", size: ListedSize(bytes: 10))))
            run.fetch(2, of: 10)
            expect(totals(run).fraction < 1 && !totals(run).allSettled && totals(run).isEstimated)
            expectEqual(totals(run).listings, QueueTotals.Listings(open: 1, done: 0, failed: 0, active: 1))
            expectEqual(totals(run).count, 1)
            run.report(1, Self.listed())
            expect(run.events.contains { $0.kind == .queueFinished })
            expectEqual(run.bar, mode == .simple ? "1/1" : "10/10")
            expect(totals(run).fraction == 1 && totals(run).allSettled)
            expectEqual(totals(run).listings, QueueTotals.Listings(open: 0, done: 1, failed: 0))
            expectEqual(RunSummary(run.queue).finished, 1)
        }
    }

    @Test func `that fails or is cancelled counts as one, and leaves its files`() throws {
        for isFailing in [true, false] {
            var run = QueueRun { $0.mode = .simple }
            run.add(try Self.folder())
            run.report(1, .found(try Self.files("a")))
            if isFailing { run.fail(1, .httpStatus(404)) } else { run.command(.cancel([TransferID(1)])) }
            run.fetch(2, of: 10)
            if !isFailing { run.report(1, .stopped(kept: nil)) }
            expectEqual(run.bar, "2/2")
            expectEqual(totals(run).listings?.failed, 1)
            expectEqual(RunSummary(run.queue).exitCode, isFailing ? 3 : 0)
            expectEqual(RunSummary(run.queue).reasons, isFailing ? ["pub/: 404 not found"] : [])
            run.command(.retry([TransferID(1)]))
            expectEqual(run.running, [1])
            run.report(1, Self.listed(try Self.files("a", "b")))
            expectEqual(run.queue.order.count, 3)
            expectEqual(run.phase(1), .finished(.listed(path: "pub/", Self.found(files: 2))))
        }
    }

    @Test(arguments: [(1, 1), (3, 1), (4, 1), (8, 2)])
    func `runs beside the files that take all slots, a quarter as many at a time`(slots: Int, listings: Int) throws {
        var run = QueueRun {
            $0.slots = slots
            $0.perHost = 16
        }
        for number in 1...10 { run.add(.sample(hosts: ["f\(number)"])) }
        expectEqual(run.running.count, slots)
        for number in 1...4 { run.add(try Self.folder("pub/\(number)/")) }
        expectEqual(run.running.count { $0 > 10 }, listings)
        expectEqual(run.running.count, slots + listings)
        expectEqual(totals(run).active, slots)
        // It has taken no slot, and leaves none.
        run.report(11, Self.listed())
        expectEqual(run.running.count { $0 <= 10 }, slots)
    }

    @Test func `takes slots beyond its share, which files get back one by one`() throws {
        var run = QueueRun { $0.perHost = 8 }
        for number in 1...5 { run.add(try Self.folder("pub/\(number)/")) }
        expectEqual(run.running, [1, 2, 3, 4])
        for number in 1...3 { run.add(.sample(hosts: ["f\(number)"])) }
        expectEqual(run.running, [1, 2, 3, 4, 6])
        run.report(1, Self.listed())
        expectEqual(run.running, [2, 3, 4, 6, 7])
    }

    @Test func `has a place kept at its host, which a file gets when the last folder is listed`() throws {
        var run = QueueRun {
            $0.slots = 16
            $0.perHost = 4
        }
        run.add(try Self.folder())
        run.report(1, .found(try Self.files("a", "b", "c", "d", "e")))
        expectEqual(run.running, [1, 2, 3, 4])
        run.report(1, Self.listed([try Self.folder("pub/sub/")]))
        expectEqual(run.running, [2, 3, 4, 7])
        run.report(7, Self.listed())
        expectEqual(run.running, [2, 3, 4, 5])
    }

    @Test func `has no place kept while it is paused, and waits for the next that is free`() throws {
        var run = QueueRun {
            $0.slots = 16
            $0.perHost = 4
        }
        run.add(try Self.folder())
        run.report(1, .found(try Self.files("a", "b", "c", "d", "e")))
        run.command(.pause([TransferID(1)]))
        run.report(1, .stopped(kept: nil))
        expectEqual(run.running, [2, 3, 4, 5])
        run.command(.resume([TransferID(1)]))
        expectEqual(run.running, [2, 3, 4, 5])
        run.fetch(2, of: 1)
        expectEqual(run.running, [1, 3, 4, 5])
    }

    @Test func `keeps its turn while its connection closes, and files theirs`() throws {
        var run = QueueRun { $0.slots = 1 }
        for number in 1...2 { run.add(try Self.folder("pub/\(number)/")) }
        run.add(.sample(hosts: ["f"]))
        expectEqual(run.running, [1, 3])
        run.command(.pauseAll)
        run.command(.resumeAll)
        expectEqual(run.started, [])
        for number in [3, 1] {
            run.report(number, .stopped(kept: nil))
            expectEqual(run.started, [number])
        }
    }

    @Test func `has a place kept at its host while its connection closes`() throws {
        var run = QueueRun {
            $0.slots = 16
            $0.perHost = 4
        }
        run.add(try Self.folder())
        run.report(1, .found(try Self.files("a", "b", "c", "d", "e")))
        expectEqual(run.running, [1, 2, 3, 4])
        run.command(.pauseAll)
        run.command(.resumeAll)
        expectEqual(run.started, [])
        for number in [4, 2, 1, 3] {
            run.report(number, .stopped(kept: nil))
            expectEqual(run.started, [number])
        }
    }

    @Test func `waits for the files of a host that takes one connection`() throws {
        var run = QueueRun { $0.perHost = 1 }
        for spec in try Self.files("a", "b") { run.add(spec) }
        run.add(try Self.folder())
        expectEqual(run.running, [1])
        run.fetch(1, of: 1)
        expectEqual(run.running, [2])
        run.fetch(2, of: 1)
        expectEqual(run.running, [3])
    }

    @Test func `takes little of the rate limit`() throws {
        var run = QueueRun()
        run.add(try Self.folder())
        run.add(.sample(hosts: ["f"]))
        run.command(.setRateLimit(ByteRate(perSecond: 1000)))
        expectEqual(run.queue[TransferID(1)]?.connections.open.first?.limit, ByteRate(perSecond: 125))
        expectEqual(run.queue[TransferID(2)]?.connections.open.first?.limit, ByteRate(perSecond: 875))
    }

    @Test func `asks for no size, and takes those that are listed`() throws {
        var run = QueueRun {
            $0.mode = .accurate
            $0.slots = 1
        }
        run.add(try Self.folder())
        run.report(1, .found(try Self.files("a", size: ListedSize(bytes: 10))))
        run.report(1, .found(try Self.files("b", size: ListedSize(bytes: 1000, tolerance: 50))))
        expectEqual(run.queue[TransferID(2)]?.size, .probed(ByteCount(10)))
        expectEqual(run.queue[TransferID(3)]?.size, .unknown(estimate: ByteCount(1000)))
        expectEqual(run.queue.progress.total, 1010)
        run.wait(.seconds(1))
        expect(!run.actions.contains { if case .probe = $0 { true } else { false } })
    }

    @Test func `leaves out more files than the user wants, and lists no further folder`() throws {
        var run = QueueRun { $0.slots = 1 }
        run.add(try Self.folder { $0.mostFiles = 2 })
        run.report(1, Self.listed(try Self.files("a", "b", "c") + [Self.folder("pub/sub/") { $0.mostFiles = 2 }]))
        expectEqual(run.phase(1), .finished(.listed(path: "pub/", Self.found(files: 2, folders: 1))))
        expectEqual(run.queue[TransferID(1)]?.warning, .filesLeftOut(1))
        run.fetch(2, of: 1)
        run.fetch(3, of: 1)
        expectEqual(run.phase(4), .finished(.listed(path: "sub/", Found())))
        expectEqual(run.queue[TransferID(4)]?.attempts, 0)
        expectEqual(RunSummary(run.queue).exitCode, 1)
    }

    @Test func `is ended as soon as it names more files than the user wants`() throws {
        var run = QueueRun()
        run.add(try Self.folder { $0.mostFiles = 2 })
        let connection = try require(run.queue[TransferID(1)]).lastConnection
        run.report(1, .found(try Self.files("a", "b")))
        expectEqual(run.phase(1), .active)
        run.report(1, .found(try Self.files("c")))
        expectEqual(run.phase(1), .finished(.listed(path: "pub/", Self.found(files: 2))))
        expect(run.actions.contains { if case .close(let id, _) = $0 { id == connection } else { false } })
        expectEqual(run.queue[TransferID(1)]?.warning, .filesLeftOut(0))
        expectEqual(
            TransferWarning.filesLeftOut(0).message,
            "not listed to its end: enough files of its tree are known (--max-files)")
        // What the transport had named before it closed it.
        run.report(1, .found(try Self.files("d")), of: connection)
        run.report(1, .stopped(kept: nil), of: connection)
        expectEqual(run.queue.order.count, 3)
        for number in 2...3 { run.fetch(number, of: 1) }
        expectEqual(RunSummary(run.queue).exitCode, 1)
    }

    @Test func `leaves out more folders than a tree may have, and goes on with the others and its files`() throws {
        var run = QueueRun()
        run.add(try Self.folder())
        run.queue.trees.countFolder(of: 7, by: FolderRules.mostFolders - 2)
        let folders = try ["x", "y", "z"].map { try Self.folder("pub/\($0)/") }
        run.report(1, Self.listed(try folders + Self.files("a")))
        expectEqual(run.phase(1), .finished(.listed(path: "pub/", Self.found(files: 1, folders: 1))))
        expectEqual(run.queue[TransferID(1)]?.warning, .foldersLeftOut(2))
        expectEqual(run.running, [2, 3])
        run.report(2, Self.listed())
        run.fetch(3, of: 1)
        expectEqual(RunSummary(run.queue).exitCode, 1)
        expectEqual(
            TransferWarning.foldersLeftOut(2).message,
            "2 folders were left out: a tree has at most 100,000 folders, or as many as --max-files if that is more")
    }

    @Test(arguments: [(nil, 100_000), (5, 100_000), (200_000, 200_000)] as [(Int?, Int)])
    func `may have 100,000 folders in its tree, or as many as files are wanted`(files: Int?, folders: Int) throws {
        var rules = FolderRules(tree: 7, start: try TransferURL("http://h.example/pub/"))
        rules.mostFiles = files
        expectEqual(rules.mostFolders, folders)
    }

    @Test func `is not counted in its tree while it is removed`() throws {
        var run = QueueRun { $0.undoSpan = .seconds(10) }
        run.add(try Self.folder())
        run.report(1, Self.listed())
        expectEqual(run.queue.trees.folders(of: 7), 1)
        run.command(.remove([TransferID(1)]))
        expectEqual(run.queue.trees.folders(of: 7), 0)
        run.command(.restore)
        expectEqual(run.queue.trees.folders(of: 7), 1)
    }

    @Test func `is not made of a link when its tree has as many folders as it may have`() throws {
        var run = QueueRun()
        run.add(try Self.folder())
        run.report(1, Self.listed(try Self.files("link")))
        run.queue.trees.countFolder(of: 7, by: FolderRules.mostFolders - 1)
        run.report(2, Self.isFolder)
        expectEqual(run.phase(2), .finished(.listed(path: "link/", Found())))
        expectEqual(run.queue[TransferID(2)]?.warning, .foldersLeftOut(0))
        expectEqual(RunSummary(run.queue).exitCode, 1)
    }

    @Test func `with names that no file may have is no success`() throws {
        var run = QueueRun()
        run.add(try Self.folder())
        run.report(1, Self.listed(warning: .namesRefused(2, first: "..")))
        expectEqual(run.queue[TransferID(1)]?.isSettled, true)
        let summary = RunSummary(run.queue)
        expect(summary.exitCode == 1 && summary.leftOut == 2)
        let message = TransferWarning.namesRefused(2, first: "..").message
        expectEqual(summary.listingWarnings, ["pub/: warning: \(message)"])
    }

    @Test func `of an earlier run counts towards the files that the user wants`() throws {
        let entries = try ([nil, 2] as [Int?]).map { mostFiles in
            LedgerEntry(
                key: LedgerKey(1), rank: 1 << 30, spec: try Self.folder { $0.mostFiles = mostFiles },
                standing: .finished(.listed(path: "pub/", Self.found(files: 2))), name: "pub/",
                addedAt: UnixTime(milliseconds: 0))
        }
        expectEqual(entries.map(\.isResumed), [false, true])
        var run = QueueRun()
        run.apply(.added([Addition(entries[1])]))
        run.add(try Self.folder("pub/sub/") { $0.mostFiles = 2 })
        expectEqual(run.phase(2), .finished(.listed(path: "sub/", Found())))
    }

    @Test func `counts what it names late towards the files that the user wants`() throws {
        var run = QueueRun()
        run.admitsAtOnce = false
        run.add(try Self.folder { $0.mostFiles = 1 })
        let connection = try require(run.queue[TransferID(1)]).lastConnection
        let files = try Self.files("a")
        run.report(1, .found(files))
        run.fail(1, .httpStatus(404))
        run.apply(.admitted(Admitted(files.map { Addition(spec: $0) }), by: connection, isLast: false))
        expectEqual(run.queue.order.count, 2)
        run.command(.retry([TransferID(1)]))
        expectEqual(run.phase(1), .finished(.listed(path: "pub/", Self.found(files: 1))))
    }

    @Test func `adds nothing after a pause, and lists anew`() throws {
        var run = QueueRun()
        run.admitsAtOnce = false
        run.add(try Self.folder())
        let connection = try require(run.queue[TransferID(1)]).lastConnection
        run.report(1, .found(try Self.files("a")))
        run.command(.pause([TransferID(1)]))
        let admitted = Admitted(try Self.files("a").map { Addition(spec: $0) })
        run.apply(.admitted(admitted, by: connection, isLast: false))
        expectEqual(run.queue.order.count, 1)
        run.report(1, .stopped(kept: nil))
        run.command(.resume([TransferID(1)]))
        expectEqual(run.running, [1])
        run.report(1, Self.listed(try Self.files("a")))
        // A piece of the attempt before is no answer to this one.
        run.apply(.admitted(admitted, by: connection, isLast: true))
        expectEqual(run.phase(1), .verifying(isCancelling: false))
        let second = try require(run.queue[TransferID(1)]).lastConnection
        run.apply(.admitted(admitted, by: second, isLast: true))
        expectEqual(run.queue.order.count, 2)
        expect(run.queue[TransferID(1)]?.isSettled ?? false)
    }

    @Test(arguments: [true, false])
    func `adds nothing after the failure of another with --fail-fast`(hasEnded: Bool) throws {
        var run = QueueRun { $0.failsFast = true }
        run.admitsAtOnce = false
        run.add(try Self.folder())
        run.add(.sample(hosts: ["f"]))
        let connection = try require(run.queue[TransferID(1)]).lastConnection
        let files = try Self.files("a")
        run.report(1, hasEnded ? Self.listed(files) : .found(files))
        run.fail(2, .httpStatus(404))
        run.apply(.admitted(Admitted(files.map { Addition(spec: $0) }), by: connection, isLast: hasEnded))
        expectEqual(run.queue.order.count, 2)
        if !hasEnded { run.report(1, .stopped(kept: nil)) }
        expectEqual(run.phase(1), .failed(.stoppedByFailFast))
    }

    @Test func `waits for all pieces that it has named`() throws {
        var run = QueueRun()
        run.admitsAtOnce = false
        run.add(try Self.folder())
        let connection = try require(run.queue[TransferID(1)]).lastConnection
        run.report(1, .found(try Self.files("a")))
        run.report(1, Self.listed())
        run.apply(.admitted(Admitted([]), by: connection, isLast: true))
        expectEqual(run.phase(1), .verifying(isCancelling: false))
        var piece = Admitted([])
        (piece.unchanged, piece.unchangedBytes) = (1, 10)
        run.apply(.admitted(piece, by: connection, isLast: false))
        guard case .finished(.listed(_, let found))? = run.phase(1) else {
            Issue.record("\(String(describing: run.phase(1)))")
            return
        }
        expect(found.files == 0 && found.unchanged == 1 && found.unchangedBytes == 10)
    }

    @Test func `calls no hook`() throws {
        var settings = TransferSettings.sample()
        (settings.onDone, settings.onFail) = (HookCommand("done"), HookCommand("fail"))
        for event in [Self.listed(), .failed(.httpStatus(404), retryAfter: nil, kept: nil)] {
            var run = QueueRun()
            run.add(try Self.folder(settings: settings))
            run.report(1, event)
            expect(run.queue[TransferID(1)]?.isSettled ?? false)
            expectEqual(run.hookCalls.count, 0)
        }
    }

    private static let isFolder = TransportEvent.failed(
        .remoteFile(.folder, path: "pub/link"), retryAfter: nil, kept: nil)

    /// As `~`, for which an FTP server opens a home folder.
    @Test func `has no folder listed in place of a file that is listed with its size`() throws {
        var run = QueueRun()
        run.add(try Self.folder())
        run.report(1, Self.listed(try Self.files("link", size: ListedSize(bytes: 5))))
        run.report(2, Self.isFolder)
        expectEqual(run.phase(2), .failed(.remoteFile(.folder, path: "pub/link")))
        expectEqual(run.queue[TransferID(2)]?.isListing, false)
    }

    @Test(arguments: [nil, 1] as [Int?])
    func `has a link to a folder listed by the same rules, unless it is too deep`(depth: Int?) throws {
        var run = QueueRun()
        run.add(try Self.folder { $0.depth = depth })
        run.report(1, .listed(try Self.files("link"), size: ByteCount(500), warning: nil, fingerprint: 5))
        run.report(2, Self.isFolder)
        let row = try require(run.queue[TransferID(2)])
        expect(row.spec.folder == "dl/pub/link" && row.name == "link/" && row.spec.namedParts == 2)
        expectEqual(row.spec.folderOrder?.rules.value.tree, 7)
        expectEqual(row.spec.folderOrder?.level, 1)
        // It may be the folder that the link is in.
        expectEqual(row.spec.folderOrder?.ancestors, [5])
        expectEqual(row.isSettled, depth != nil)
        guard depth == nil else { return }
        expectEqual(run.request?.url.text, "http://h.example/pub/link/")
        run.report(2, Self.listed())
        expectEqual(run.phase(2), .finished(.listed(path: "link/", Found())))
        // Named once more, it is no second listing.
        run.name(try Self.folder { $0.depth = depth })
        run.report(1, Self.listed(try Self.files("link")))
        run.report(3, Self.isFolder)
        expectEqual(run.phase(3), .finished(.listed(path: "link/", Found())))
        expectEqual(run.running, [2])
    }

    @Test func `has a link listed under the names that have led to it where the server redirects`() throws {
        var run = QueueRun()
        var folder = try Self.folder()
        folder.folderOrder?.path = "latest%2F"
        run.add(folder)
        run.report(1, Self.listed(try Self.files("l%20k")))
        run.report(2, Self.isFolder)
        expectEqual(run.queue[TransferID(2)]?.spec.folderOrder?.path, "latest%2Fl%20k/")
    }

    @Test(arguments: ["http://h.example/pub", "http://h.example/pub/"])
    func `is made of a failed transfer whose URL is that of a folder`(url: String) throws {
        var run = QueueRun()
        run.add(TransferSpec(urls: [try TransferURL(url)], folder: "dl"))
        let failure = TransferFailure.remoteFolder(path: "/pub/", files: 1, folders: 0, isMore: false)
        run.report(1, .failed(failure, retryAfter: nil, kept: nil))
        run.command(.list([TransferID(1)]))
        expect(run.request?.folderOrder != nil && run.request?.folder == "dl/pub")
        expectEqual(run.request?.url.text, "http://h.example/pub/")
        run.report(1, .found(try Self.files("a")))
        run.command(.list([TransferID(1), TransferID(2)]))
        expectEqual(run.queue.ignored, 2)
    }
}
