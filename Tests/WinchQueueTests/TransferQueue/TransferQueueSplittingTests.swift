import TestSupport
import Testing

@testable import WinchModel
@testable import WinchProgress
@testable import WinchQueue

@Suite struct `Splitting a file` {
    /// A file of 256 MiB over as many connections as are open, each of which brings 4 MiB a second.
    struct Line {
        var run: QueueRun
        private var chunks: ChunkMap?
        private var isAskingNoMore = false
        /// Connections that found nothing to ask for.
        private var needless: [Int] = []
        /// Numbers of the connections that asked for a range, in order.
        private(set) var opened: [Int] = []
        /// The hosts of those that were opened.
        private(set) var hosts: [String] = []
        /// How further connections to these hosts end.
        var failures: [String: TransportEvent] = [:]

        static let size: Int64 = 256 << 20

        static func opening(obstacle: SplitObstacle? = nil) -> TransportEvent {
            var point = ResumePoint.sample(0, of: size)
            point.validator = .strongETag("\"a\"")
            return .opened(
                Opening(status: 200, offset: .zero, total: ByteCount(bytes: size), part: point, obstacle: obstacle))
        }

        /// A file at several hosts, each of which lets in four connections.
        init(mirrors: [String], hasChecksum: Bool) {
            run = QueueRun { $0.perHost = 4 }
            var settings = TransferSettings()
            if hasChecksum { settings.checksum = Checksum("md5=d41d8cd98f00b204e9800998ecf8427e") }
            run.add(TransferSpec.sample(hosts: mirrors, settings: settings))
            begin()
        }

        init(slots: Int = 4, perHost: Int = 8, files: Int = 1, obstacle: SplitObstacle? = nil, url: String? = nil) {
            run = QueueRun {
                $0.slots = slots
                $0.perHost = perHost
            }
            if let url = url.flatMap({ try? TransferURL($0) }) {
                run.add(TransferSpec(urls: [url]))
            } else {
                run.add(files)
            }
            note()
            for number in 1...min(files, slots) {
                run.report(number, Self.opening(obstacle: obstacle))
                if number == 1 { start(1) }
            }
        }

        private mutating func start(_ number: Int) {
            chunks = ChunkMap(total: Self.size)
            _ = chunks?.assign(number, isOpenEnded: true, at: run.now)
            isAskingNoMore = false
        }

        /// The first connection of an attempt is answered.
        mutating func begin() {
            let first = run.queue[TransferID(1)]?.lastConnection.number ?? 1
            run.report(1, Self.opening())
            start(first)
            note()
        }

        /// Takes the actions of the last event that are about the first file.
        mutating func note() {
            for action in run.actions {
                switch action {
                case .open(let request) where request.transfer == TransferID(1) && request.isFurther:
                    chunks?.expected = request.expected
                    hosts.append(request.url.hostAndPort)
                    if !ask(request.connection.number) { needless.append(request.connection.number) }
                case .retire(let id, let atOnce) where id.transfer == TransferID(1):
                    _ = atOnce ? chunks?.drop(id.number) : chunks?.retire(id.number, at: run.now)
                case .askNoMore(TransferID(1)):
                    isAskingNoMore = true
                    _ = chunks?.widen()
                default: break
                }
            }
        }

        private mutating func ask(_ number: Int) -> Bool {
            guard chunks?.assign(number, at: run.now) != nil else { return false }
            opened.append(number)
            return true
        }

        private mutating func release(_ number: Int) {
            _ = chunks?.release(number)
            if isAskingNoMore { _ = chunks?.widen() }
        }

        mutating func report(_ number: Int, _ event: TransportEvent) {
            if case .failed = event { release(number) }
            if case .wrongPiece(let range, _, _) = event { chunks?.forget(ByteRanges(range)) }
            run.report(1, event, of: id(number))
            note()
        }

        /// Of a connection of the present attempt.
        private func id(_ number: Int) -> ConnectionID {
            let epoch = run.queue[TransferID(1)]?.lastConnection.epoch ?? 0
            return ConnectionID(transfer: TransferID(1), epoch: epoch, number: number)
        }

        /// Lets time pass in steps of 20 ms.
        ///
        /// - Parameter rate: of each connection in bytes a second, by how many are open.
        mutating func pass(_ seconds: Double, rate: (Int) -> Double = { _ in 4 * 1_048_576 }) {
            for _ in 0..<Int(seconds / 0.02) {
                let rate = rate(max(1, open))
                run.now = run.now + .milliseconds(20)
                for number in needless {
                    needless.removeFirst()
                    report(number, .ended)
                }
                if !isAskingNoMore { _ = chunks?.takeBack(at: run.now) }
                for number in chunks?.chunks.map(\.number).sorted() ?? [] {
                    guard let range = chunks?[number]?.range else { continue }
                    let connection = run.queue[TransferID(1)]?.connections[id(number)]
                    if number > 1, let failure = connection.flatMap({ failures[$0.host] }) {
                        report(number, failure)
                        continue
                    }
                    if connection?.phase.isBeforeAnswer == true { report(number, .joining(range)) }
                    let next = min(range.upperBound, range.lowerBound + Int64(rate * 0.02))
                    chunks?.moved(number, through: next, at: run.now)
                    if next > range.lowerBound { report(number, .moved(range.lowerBound..<next, of: range)) }
                    guard chunks?[number]?.range.isEmpty != false else { continue }
                    if run.queue[TransferID(1)]?.have.bytes == Line.size {
                        report(number, .bodyEnded(size: ByteCount(bytes: Line.size)))
                        return
                    }
                    if chunks?.chunks.count == 1 || !isAskingNoMore, ask(number) {
                        report(number, .requested)
                    } else {
                        release(number)
                        report(number, .ended)
                    }
                }
                run.apply(.tick)
                note()
            }
        }

        /// - Returns: a connection that has asked for a range and has no answer yet; `nil`: none did within 100 seconds.
        mutating func passUntilOneAsks() -> Connection? {
            for _ in 0..<5000 {
                pass(0.02)
                let asking = run.queue[TransferID(1)]?.connections.open.first { $0.phase.isBeforeAnswer }
                if let asking { return asking }
            }
            return nil
        }

        mutating func command(_ command: Command) {
            run.command(command)
            note()
        }

        mutating func add() {
            run.add(1)
            note()
        }

        var open: Int { run.queue[TransferID(1)]?.counts.open ?? 0 }

        /// Of a further connection, with a Retry-After that nothing must wait for.
        var wrongAnswer: TransportEvent {
            .failed(
                .badResponse("status 200 instead of a part of the file"), retryAfter: .seconds(30),
                kept: run.queue[TransferID(1)]?.resume)
        }
    }

    @Test func `opens more connections while each brings more, up to eight`() {
        var line = Line()
        line.pass(2.5)
        expectEqual(line.open, 8)
        line.pass(9)
        expectEqual(line.run.phase(1), .verifying(isCancelling: false))
        expectEqual(line.run.queue.progress.completed, Line.size)
    }

    @Test func `opens as many as the user names as soon as a new host answers, unless files wait`() {
        var settings = TransferSettings()
        settings.split = .atMost(8)
        for files in [1, 3] {
            var run = QueueRun {
                $0.slots = 3
                $0.perHost = 8
                $0.perNewHost = 1
            }
            run.add(files, settings: settings)
            run.report(1, Line.opening())
            for step in 1...5 {
                run.now = run.now + .milliseconds(20)
                run.report(
                    1, .moving(to: Int64(step) << 17), of: ConnectionID(transfer: TransferID(1), number: 1))
            }
            expect(run.queue[TransferID(1)]?.counts.open == (files == 1 ? 8 : 1))
        }
    }

    @Test func `divides the file's rate limit among its connections`() {
        var line = Line()
        line.pass(2.5)
        expectEqual(line.open, 8)
        line.command(.setRateLimitEach([TransferID(1)], ByteRate(perSecond: 8e6)))
        var limits: [Double] = []
        for case .limit(_, let limit?) in line.run.actions { limits.append(limit.perSecond) }
        expectEqual(limits, Array(repeating: 1e6, count: 8))
    }

    @Test func `is left alone where the address is signed for one request`() {
        var line = Line(url: "http://a.example/file?X-Amz-Signature=5")
        line.pass(4)
        expect(line.opened.isEmpty)
    }

    @Test func `takes only the places that no waiting file could take`() {
        var line = Line(slots: 8, perHost: 2, files: 2)
        line.pass(3)
        expect(line.opened.isEmpty)
        expectEqual(line.run.running, [1, 2])
    }

    @Test func `yields its places to a file that is added`() {
        var line = Line(slots: 4, perHost: 4)
        line.pass(2.5)
        expectEqual(line.open, 4)
        line.add()
        line.pass(0.1)
        expectEqual(line.open, 3)
        expectEqual(line.run.running, [1, 2])
    }

    @Test func `yields a place to a listing of its host, although it has the only slot`() throws {
        var line = Line(slots: 1, perHost: 4)
        line.pass(2.5)
        expectEqual(line.open, 4)
        let url = try TransferURL("http://a.example/pub/")
        var spec = TransferSpec(urls: [url])
        spec.folderOrder = FolderOrder(rules: Shared(FolderRules(tree: 1, start: url)))
        line.run.add(spec)
        line.note()
        line.pass(0.1)
        expectEqual(line.open, 3)
        expectEqual(line.run.running, [1, 2])
    }

    @Test func `goes on at once when all its connections are lost after bytes, although one was refused`() throws {
        var line = Line()
        line.pass(2.5)
        let asking = line.passUntilOneAsks()
        line.report(try require(asking).id.number, .failed(.httpStatus(503), retryAfter: nil, kept: nil))
        for connection in line.run.queue[TransferID(1)]?.connections.open ?? [] {
            let kept = line.run.queue[TransferID(1)]?.resume
            line.report(connection.id.number, .failed(.connectionLost("reset"), retryAfter: nil, kept: kept))
        }
        expectEqual(line.run.phase(1), .active)
        expectEqual(line.open, 1)
    }

    @Test(arguments: [true, false])
    func `opens no other for a while after one that was not needed`(isGivenBack: Bool) {
        var line = Line()
        for _ in 0..<50 where line.opened.isEmpty { line.pass(0.02) }
        expectEqual(line.opened, [2])
        let id = ConnectionID(transfer: TransferID(1), number: 2)
        line.run.queue.update(id.transfer) { $0.connections.change(id) { $0.isRetiring = isGivenBack } }
        line.report(2, .ended)
        expectEqual(line.open, isGivenBack ? 2 : 1)
    }

    @Test func `waits no longer when several that were opened together were not needed`() {
        let now = Moment(seconds: 1)
        var splitting = Splitting(isSigned: false, allowance: nil, at: now)
        for _ in 1...7 { splitting.noteEnough(at: now) }
        expect(splitting.isEnough(at: now + .milliseconds(19)))
        expect(!splitting.isEnough(at: now + .milliseconds(20)))
    }

    @Test func `closes all connections for a pause`() {
        var line = Line()
        line.pass(2.5)
        line.run.command(.pause([TransferID(1)]))
        let closed = line.run.actions.count { if case .close = $0 { true } else { false } }
        expectEqual(closed, 8)
        expectEqual(line.open, 0)
    }

    @Test func `opens others when one of many parts is answered wrongly`() {
        var line = Line()
        line.pass(2.5)
        let asking = line.passUntilOneAsks()
        let before = line.opened.count
        line.report(asking?.id.number ?? 0, line.wrongAnswer)
        expectEqual(line.run.queue[TransferID(1)]?.splitting?.isRefused, false)
        line.pass(60)
        expectLess(before, than: line.opened.count)
        expectEqual(line.run.phase(1), .verifying(isCancelling: false))
    }

    @Test func `comes whole over the connections that run when two parts are refused`() {
        var line = Line()
        line.pass(2.5)
        let first = line.passUntilOneAsks()
        line.report(first?.id.number ?? 0, line.wrongAnswer)
        let asking = line.passUntilOneAsks()
        let before = line.opened.count
        line.report(asking?.id.number ?? 0, line.wrongAnswer)
        line.pass(60)
        expectEqual(line.opened.count, before, "nothing else is asked for")
        expectEqual(line.run.phase(1), .verifying(isCancelling: false))
    }

    @Test(arguments: [FileChange.restart, .fail])
    func `begins anew when the server has cut off the old version and sends another`(onChange: FileChange) {
        var line = Line()
        var settings = line.run.queue[TransferID(1)]?.settings ?? TransferSettings()
        settings.onChange = onChange
        line.run.queue.update(TransferID(1)) { $0.spec.settings = Shared(settings) }
        line.pass(2.5)
        line.report(line.opened[0], .failed(.connectionLost("reset"), retryAfter: nil, kept: nil))
        line.report(line.opened.last ?? 0, line.wrongAnswer)
        expect(line.run.phase(1) == (onChange == .restart ? .waiting : .active))
        expectEqual((line.open == 0), (onChange == .restart))
        expectAtMost((line.run.queue[TransferID(1)]?.history.tries ?? 9), 1)
    }

    @Test(arguments: [FileChange.restart, .fail])
    func `begins anew over one connection when two have brought other bytes for one place`(
        onChange: FileChange
    ) throws {
        var line = Line()
        var settings = line.run.queue[TransferID(1)]?.settings ?? TransferSettings()
        settings.onChange = onChange
        line.run.queue.update(TransferID(1)) { $0.spec.settings = Shared(settings) }
        line.pass(2.5)
        let moving = try require(line.run.queue[TransferID(1)]?.connections.open.first { $0.phase == .moving })
        line.report(moving.id.number, .failed(.mixed, retryAfter: nil, kept: nil))
        expectEqual(line.open, 0)
        let isFailing = line.run.queue[TransferID(1)]?.isFailing ?? false
        expectEqual(isFailing || line.run.phase(1) == .failed(.mixed), onChange == .fail)
        expectNil(line.run.queue[TransferID(1)]?.resume)
        expectAtMost((line.run.queue[TransferID(1)]?.history.tries ?? 9), 1)
    }

    @Test func `is asked for in one request when its last connection is refused a part`() throws {
        var line = Line()
        line.pass(2.5)
        func open() -> [Connection] { line.run.queue[TransferID(1)]?.connections.open ?? [] }
        for _ in 1...2 {
            let asking = line.passUntilOneAsks()
            line.report(try require(asking).id.number, line.wrongAnswer)
        }
        let last = try require(open().last { $0.phase == .moving }).id.number
        for number in open().map(\.id.number) where number != last {
            line.report(number, .failed(.connectionLost("reset"), retryAfter: nil, kept: nil))
        }
        expectEqual(open().map(\.id.number), [last])
        let again = line.passUntilOneAsks()
        line.report(try require(again).id.number, line.wrongAnswer)
        expectEqual(line.run.phase(1), .active)
        let requests = line.run.actions.compactMap { if case .open(let request) = $0 { request } else { nil } }
        expectEqual(requests.map(\.isFurther), [false])
        expectAtMost((line.run.queue[TransferID(1)]?.history.tries ?? 9), 1)
    }

    @Test func `asks for no more when a connection that brought a part is refused the next`() {
        var line = Line()
        line.pass(2.5)
        var asking: Connection?
        for _ in 0..<500 where asking == nil {
            line.pass(0.02)
            let open = line.run.queue[TransferID(1)]?.connections.open ?? []
            asking = open.first { $0.phase == .requested && $0.position > 0 }
        }
        let before = line.opened.count
        line.report(asking?.id.number ?? 0, .failed(.httpStatus(403), retryAfter: nil, kept: nil))
        expectEqual(line.run.queue[TransferID(1)]?.splitting?.isRefused, true)
        line.pass(60)
        expectEqual(line.opened.count, before)
        expectEqual(line.run.phase(1), .verifying(isCancelling: false))
    }

    @Test(arguments: [429, 503])
    func `leaves its host the places of what it has let in when a further connection is asked to wait`(
        status: Int
    ) throws {
        var line = Line(perHost: 4, files: 2)
        let asking = line.passUntilOneAsks()
        let refused = try require(asking)
        line.report(refused.id.number, .failed(.httpStatus(status), retryAfter: .seconds(30), kept: nil))
        expect(line.run.queue.hosts.closed.isEmpty)
        expectEqual(line.run.queue.hosts.places(at: refused.host), 2, "one of each file")
    }

    @Test(arguments: [(429, nil), (429, 300), (503, 300), (503, 86_400)] as [(Int, Int?)])
    func `opens another after a refusal no sooner than the server asked, and within an hour`(
        status: Int, wait: Int?
    ) throws {
        var line = Line()
        let asking = line.passUntilOneAsks()
        let refused = try require(asking)
        line.report(
            refused.id.number,
            .failed(.httpStatus(status), retryAfter: wait.map { .seconds($0) }, kept: nil))
        let before = line.hosts.count
        line.run.now = line.run.now + .seconds(200)
        // Whatever else it answers meanwhile.
        for _ in 1...10 {
            _ = line.run.queue.hosts.answered(refused.host, together: 1, served: nil, at: line.run.now)
        }
        line.pass(1)
        expectEqual(line.hosts.count > before, wait == nil)
        line.run.now = line.run.now + .seconds(max(0, min(wait ?? 0, 3600) - 200))
        line.pass(1)
        expectMore(line.hosts.count, than: before)
    }
}
