import TestSupport

@testable import WinchModel
@testable import WinchQueue

/// Random streams of events: half of them plausible for the transfer's phase, the others late, duplicated or
/// invalid.
struct RandomEvents {
    private(set) var random: SplitMix64
    /// Everything reported so far, to be repeated.
    private var past: [TransportReport] = []
    private let most: Int
    private var listings = 0
    /// What is being let in.
    private var found: [QueueEvent] = []
    private var uploads = 0
    /// Those that an earlier run left.
    private var lastKey: Int64 = 1_000_000

    /// - Parameter most: transfers at the same time.
    init(seed: UInt64, most: Int = 6) {
        random = SplitMix64(seed: seed)
        self.most = most
    }

    mutating func settings() -> QueueSettings {
        var settings = QueueSettings()
        settings.slots = pick(1...4)
        settings.perHost = pick(1...3)
        settings.perNewHost = pick(1...3)
        settings.spaceWait = [nil, .zero, .seconds(10)][pick(0...2)]
        settings.mode = chance(50) ? .accurate : .simple
        settings.isHeld = chance(10)
        settings.failsFast = chance(10)
        settings.rateLimit = chance(20) ? ByteRate(perSecond: 1000) : nil
        settings.undoSpan = chance(50) ? .seconds(10) : .zero
        settings.seed = random.next()
        return settings
    }

    /// Mostly short: most faults need few events.
    mutating func length() -> Int { pick(5...pick(8...30)) }

    mutating func span() -> Duration { .milliseconds([0, 0, 1, 50, 100, 300, 2000, 20_000][pick(0...7)]) }

    mutating func event(for queue: TransferQueue, at now: Moment) -> QueueEvent {
        if queue.rows.count == 0 || queue.rows.count < most && chance(15) { return .added([addition()]) }
        if !found.isEmpty, chance(40) {
            let index = pick(0...found.count - 1)
            return found.remove(at: index)
        }
        switch pick(0...99) {
        case ..<70: return .report(report(for: queue, at: now))
        case ..<90: return .command(command(for: queue))
        case ..<95: return .space(folder: ".", chance(80) ? reading() : nil)
        case ..<96: return .woke
        default: return .tick
        }
    }

    /// What the queue wants let in comes back later, in any order.
    mutating func note(_ actions: [QueueAction]) {
        for case .admit(let specs, let connection, let isLast) in actions {
            found.append(.admitted(Admitted(specs.map { Addition(spec: $0) }), by: connection, isLast: isLast))
        }
    }

    private mutating func reading() -> DiskSpaceReading {
        DiskSpaceReading(device: UInt64(pick(1...2)), free: size(), size: ByteCount(1 << 30))
    }

    mutating func addition() -> Addition {
        var settings = TransferSettings()
        settings.maxTries = pick(0...3)
        settings.retryWait = .seconds(pick(0...2))
        settings.maxTime = chance(10) ? .seconds(5) : nil
        settings.rateLimit = chance(10) ? ByteRate(perSecond: 100) : nil
        let hosts = ["a.example", "b.example", "c.example"].prefix(chance(80) ? 1 : pick(2...3))
        var spec = TransferSpec.sample(
            hosts: chance(60) ? Array(hosts) : hosts.reversed(), direction: chance(40) ? .up : .down,
            settings: settings, isPaused: chance(5))
        if spec.direction == .up {
            spec.upload = order()
            uploads += 1
            // Of two that replace the same file one would fail.
            spec.urls = MirrorList(spec.urls.prefix(1).compactMap { try? TransferURL("\($0.text)\(uploads)") })
        }
        var addition = Addition(spec: spec, resume: chance(20) ? kept() : nil)
        if spec.direction == .down, chance(20) { addition = Addition(spec: Self.folder(spec)) }
        if chance(20) { addition = Addition(entry(of: addition)) }
        return addition
    }

    private static func folder(_ spec: TransferSpec) -> TransferSpec {
        var spec = spec
        spec.urls = MirrorList(Array(spec.urls.prefix(1)))
        if let start = spec.urls.first {
            spec.folderOrder = FolderOrder(rules: Shared(FolderRules(tree: 1, start: start)))
        }
        return spec
    }

    private mutating func order() -> UploadOrder {
        let contents: [UploadOrder.Content] = [.file("/f"), .file("/f"), .standardInput, .form([])]
        var order = UploadOrder(contents[pick(0...3)], method: chance(30) ? .post : .put)
        order.httpProtocol = chance(25) ? .tus : .plain
        return order
    }

    /// As an earlier run or a bad sector may have left it.
    private mutating func entry(of addition: Addition) -> LedgerEntry {
        let standings: [LedgerState] = [
            .unfinished, .unfinished, .paused, .finished(outcome(of: addition.spec)), .failed(.httpStatus(404)),
            .cancelled,
            .failed(.checksum(type: "md5", expected: "0", got: "1")),
        ]
        let sizes: [SizeKnowledge] = [.unknown(estimate: size()), .probed(size()), .declared(size()), .exact(size())]
        lastKey += 1
        return LedgerEntry(
            key: LedgerKey(lastKey), rank: [pick(0...9) << 30, .max, .min, 0][pick(0...3)],
            spec: addition.spec, standing: standings[pick(0...standings.count - 1)], name: "file",
            resume: addition.resume,
            size: sizes[pick(0...3)], attempts: pick(0...9), addedAt: UnixTime(milliseconds: 1))
    }

    private mutating func command(for queue: TransferQueue) -> Command {
        let ids = [id(in: queue)]
        switch pick(0...20) {
        case 20 where chance(10): return .shareHosts(chance(20) ? [:] : shares())
        case 20: return .changeConnections(ids, by: [-1, 1, .min, .max][pick(0...3)])
        case 0, 1: return .pause(ids)
        case 2, 3: return .resume(ids)
        case 4: return .pauseAll
        case 5: return .resumeAll
        case 6, 7: return .cancel(ids)
        case 8, 9: return .retry(ids)
        case 10: return .retryFailed
        case 11: return .remove(ids)
        case 16: return .restore
        case 17: return .shift(ids + [id(in: queue)], QueueShift.allCases[pick(0...3)])
        case 18: return .setRateLimitEach(ids + [id(in: queue)], rate())
        case 12: return .setSlots(pick(-1...5))
        case 13: return .setMode(chance(50) ? .accurate : .simple)
        case 14: return .move(ids[0], by: [-1, 1, -3, 3, .min, .max][pick(0...5)])
        case 15: return TransferURL.samples["b.example"].map { .setURL(ids[0], $0) } ?? .retryFailed
        default:
            return chance(50)
                ? .resumed(at: Moment(nanoseconds: 0)) : chance(50) ? .setRateLimit(rate()) : .setUploadLimit(rate())
        }
    }

    mutating func report(for queue: TransferQueue, at now: Moment) -> TransportReport {
        if !past.isEmpty, chance(15) { return past[pick(0...past.count - 1)] }
        let id = id(in: queue)
        guard let transfer = queue[id] else {
            return TransportReport(ConnectionID(transfer: id), at: now, event: anyEvent())
        }
        let event = chance(75) ? nextEvent(of: transfer) : anyEvent()
        let connection = transfer.closing?.id ?? transfer.lastConnection
        let report = TransportReport(connection, at: now, event: event)
        // Repeated later, it would depend on whether its file is still in the list.
        switch event {
        case .listed, .found: break
        default: past.append(report)
        }
        return report
    }

    /// A plausible next event of a transport.
    private mutating func nextEvent(of transfer: TransferState) -> TransportEvent {
        if transfer.closing != nil { return chance(20) ? finished() : .stopped(kept: chance(50) ? kept() : nil) }
        let have = transfer.have.bytes
        if transfer.spec.direction == .up, transfer.holdsSlot { return nextOfUpload(transfer) }
        if transfer.isListing, transfer.holdsSlot { return nextOfListing() }
        switch transfer.stage {
        case .connecting: return chance(60) ? .requested : opened(have)
        case .requested: return chance(85) ? opened(have) : failed()
        case .moving:
            let end = transfer.size.known?.bytes ?? have &+ 500
            switch pick(0...9) {
            case ..<5: return .moving(to: min(end, have &+ Int64(pick(0...600))))
            case 5: return .moving(to: have &+ Int64(pick(0...600)))
            case 6, 7: return .bodyEnded(size: ByteCount(end))
            default: return failed()
            }
        case .replying: return anyEvent()
        case .delivered, .closing, nil: break
        }
        switch transfer.phase {
        case .verifying: return chance(70) ? .finished(.saved(path: "f"), size: transfer.have) : failed()
        case .waiting: return .probed(chance(70) ? size() : nil)
        case .active, .paused, .backoff, .finished, .failed, .cancelled: return anyEvent()
        }
    }

    private mutating func nextOfListing() -> TransportEvent {
        switch pick(0...9) {
        case 0: return .requested
        case ..<5: return .found([namedSpec(), namedSpec()])
        case ..<8:
            let specs = chance(50) ? [] : [namedSpec(), Self.folder(namedSpec())]
            return .listed(specs, size: size(), warning: nil)
        default: return failed()
        }
    }

    private mutating func nextOfUpload(_ transfer: TransferState) -> TransportEvent {
        let have = transfer.have.bytes
        let end = transfer.size.known?.bytes ?? have &+ 500
        switch (transfer.stage, pick(0...9)) {
        case (.connecting, 0), (.connecting, 1), (.requested, 0), (.moving, 0): return placed()
        case (.connecting, 2...4): return .requested
        case (.replying, 0...3): return .finished(outcome(of: transfer.spec), size: transfer.have)
        case (.replying, 4): return .replied(ServerReply(status: 201))
        case (.replying, 5), (.replying, 6), (.moving, 5): return unsent(downTo: ByteCount(chance(50) ? 0 : have / 2))
        case (.moving, 6), (.moving, 7): return .bodyEnded(size: ByteCount(end))
        case (_, 8), (_, 9): return failed()
        case (.moving, _): return .sent(ByteCount(min(end, have &+ Int64(pick(0...600)))), of: nil)
        default: return .sent(ByteCount(Int64(pick(0...600))), of: chance(70) ? ByteCount(Int64(pick(0...2000))) : nil)
        }
    }

    private mutating func unsent(downTo have: ByteCount) -> TransportEvent {
        .unsent(downTo: have, because: [.sentAgain, .appendRefused, .remoteFileGone][pick(0...2)])
    }

    private func outcome(of spec: TransferSpec) -> TransferPhase.Outcome {
        spec.direction == .up ? .sent(path: "f") : .saved(path: "f")
    }

    private mutating func placed() -> TransportEvent {
        let source = FileIdentity(device: 1, node: UInt64(pick(1...2)), length: 0, modified: 0)
        let place = UploadPlace(name: chance(50) ? "" : "https://a.example/place", source: source)
        return .placed(
            ResumePoint(upload: place, have: size(), total: chance(80) ? size() : nil, name: "f"), isHeld: chance(30))
    }

    private mutating func anyEvent() -> TransportEvent {
        switch pick(0...16) {
        case 15: placed()
        case 16: .replied(ServerReply(status: 201))
        case 13: .mirrors(["b.example", "c.example"].compactMap { TransferURL.samples[$0] }, metalink: nil)
        case 14: listed()
        case 12: .connected(ConnectionFacts(address: "192.0.2.1", port: 80, protocolName: "HTTP/1.1"))
        case 10: .sent(size(), of: chance(50) ? size() : nil)
        case 11: unsent(downTo: chance(50) ? .zero : size())
        case 0: .requested
        case 1: .redirected("http://x.example/")
        case 2: opened(Int64(pick(0...1500)))
        case 3: .moving(to: size().bytes)
        case 4: .durable(ByteRanges(prefix: size()))
        case 5: .bodyEnded(size: size())
        case 6: finished()
        case 7: failed()
        case 8: .stopped(kept: chance(50) ? kept() : nil)
        default: .probed(chance(70) ? size() : nil)
        }
    }

    private mutating func opened(_ have: Int64) -> TransportEvent {
        let startsOver = chance(20)
        if !startsOver, chance(10) { return filling(have) }
        return .opening(
            at: startsOver ? have / 2 * Int64(pick(0...1)) : have, of: chance(70) ? have &+ Int64(pick(0...2000)) : nil,
            startedOver: startsOver ? .rangeIgnored : nil)
    }

    /// A body that fills a gap.
    private mutating func filling(_ have: Int64) -> TransportEvent {
        let island = have.addingReportingOverflow(Int64(pick(1...300))).partialValue
        guard have >= 0, island > have, island < .max - 200 else { return .requested }
        let part = ResumePoint.sample([0..<have, island..<island + Int64(pick(1...200))], of: nil)
        return .opened(Opening(status: 206, offset: ByteCount(have), total: nil, part: part))
    }

    /// Each with a file of its own.
    private mutating func listed() -> TransportEvent {
        .listed([namedSpec()], size: size(), warning: nil)
    }

    private mutating func namedSpec() -> TransferSpec {
        listings += 1
        return .sample(hosts: ["m\(listings).example"])
    }

    private mutating func finished() -> TransportEvent { .finished(.saved(path: "f"), size: size()) }

    private mutating func failed() -> TransportEvent {
        let failures: [TransferFailure] = [
            .connectionLost("x"), .httpStatus(404), .httpStatus(503), .diskFull(folder: "."), .stalled(seconds: 30),
            .checksum(type: "md5", expected: "0", got: "1"),
        ]
        let failure = failures[pick(0...failures.count - 1)]
        var part = chance(60) ? kept() : nil
        // Bytes with a wrong hash are no beginning of a right file.
        if case .checksum = failure, chance(80) { part?.onDisk = ByteRanges() }
        return .failed(failure, retryAfter: chance(20) ? .seconds(pick(0...5000)) : nil, kept: part)
    }

    /// Occasionally negative, or the largest possible number.
    private mutating func size() -> ByteCount {
        ByteCount(chance(95) ? Int64(pick(0...3000)) : [-1, .max, .min][pick(0...2)])
    }

    private mutating func kept() -> ResumePoint {
        let have = size().bytes
        var ranges = [min(0, max(-100, have))..<max(0, have)]
        // Behind a gap.
        if chance(20) { ranges.append(4000..<4000 + Int64(pick(1...500))) }
        if chance(5) { ranges.removeFirst() }
        return .sample(ranges, of: chance(60) ? size().bytes : nil)
    }

    private mutating func shares() -> [String: HostShare] {
        var shares: [String: HostShare] = [:]
        for host in ["a.example", "b.example", "c.example"] where chance(70) {
            shares[host] = HostShare(
                places: pick(-1...3), elsewhere: pick(0...2), refusals: chance(80) ? 100 : pick(0...3),
                generation: pick(0...3), isEnforced: chance(30))
        }
        return shares
    }

    private mutating func rate() -> ByteRate? { chance(50) ? ByteRate(perSecond: Double(pick(0...5000))) : nil }

    /// Occasionally one that was never used.
    private mutating func id(in queue: TransferQueue) -> TransferID {
        TransferID(chance(98) ? pick(1...max(1, queue.rows.count)) : [0, -1, .min, .max, 99][pick(0...4)])
    }

    mutating func pick(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(random.next() % UInt64(range.upperBound - range.lowerBound + 1))
    }

    mutating func chance(_ percent: Int) -> Bool { random.next() % 100 < percent }
}
