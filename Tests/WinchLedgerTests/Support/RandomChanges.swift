@testable import WinchLedger
@testable import WinchModel

/// Random changes in a plausible order, with entries of every shape.
struct RandomChanges {
    private var random: SplitMix64
    private var model = LedgerModel()
    private let firstKey: Int64
    private var count: Int64 = 0
    private let settings: [Shared<TransferSettings>]

    init(seed: UInt64, firstKey: LedgerKey) {
        random = SplitMix64(seed: seed)
        self.firstKey = firstKey.number
        var special = TransferSettings()
        special.headers = ["X-A: 1", "Accept: */*"]
        special.userAgent = "agent \"quoted\" 😀"
        special.maxTime = .milliseconds(1500)
        special.rateLimit = ByteRate(perSecond: 0.1)
        special.onConflict = .skip
        special.caFile = "/etc/ca.pem"
        settings = [Shared(TransferSettings()), Shared(special)]
    }

    mutating func batches() throws -> [[LedgerChange]] {
        try (0..<pick(1...8)).map { _ in try (0..<pick(1...20)).map { _ in try change() } }
    }

    private mutating func change() throws -> LedgerChange {
        let change: LedgerChange
        if let key = model.entries.keys.sorted().randomElement(using: &random), pick(0...3) > 0 {
            switch pick(0...10) {
            case 0: change = .removed(key)
            case 10: change = .detailed(key, try details(of: key))
            case 1: change = .ranked(key, pick(-5...50))
            case 2...5 where model.entries[key]?.standing.isSettled == false:
                change = .advanced(key, onDisk: ranges(), durable: ranges(), received: bytes())
            default: change = .put(try entry(key))
            }
        } else {
            count += 1
            change = .put(try entry(LedgerKey(firstKey + count)))
        }
        model.apply(change)
        return change
    }

    private mutating func entry(_ key: LedgerKey) throws -> LedgerEntry {
        var spec = TransferSpec(
            urls: try (1...pick(1...3)).map { try TransferURL("https://mirror\($0).example/a%20b?x=\(key.number)") },
            direction: pick(0...5) == 0 ? .up : .down, folder: pick(0...1) == 0 ? "/tmp/ä b" : "/srv/'; DROP TABLE",
            name: pick(0...2) == 0 ? try TargetPath("sub/näme.bin") : nil, settings: settings[pick(0...1)],
            startsPaused: pick(0...4) == 0)
        if pick(0...3) == 0 {
            var own = spec.settings.value
            own.checksum = Checksum("sha-1=" + String(repeating: "ab", count: 20))
            spec.settings = Shared(own)
        }
        if pick(0...3) == 0 {
            spec.listedChecksum = Checksum("md5=" + String(repeating: "cd", count: 16))
            spec.listedOrigin = pick(0...1) == 0 ? .metalink : .list
        }
        if pick(0...3) == 0 {
            spec.pieces = PieceHashes(
                length: ByteCount(bytes: 1 << 18), algorithm: .md5, digests: (0..<48).map { _ in UInt8(pick(0...255)) })
        }
        if spec.direction == .up { spec.upload = upload() } else if pick(0...3) == 0 { spec.listedSize = bytes() }
        if spec.direction == .down { addToTree(&spec) }
        let standing = standing()
        var entry = LedgerEntry(
            key: key, rank: pick(0...50), spec: spec, standing: standing, name: "näme\u{1B}[2J\(key.number)",
            resume: pick(0...1) == 0 ? spec.upload == nil ? resume() : place() : nil, size: size(),
            attempts: pick(0...9), received: bytes(),
            addedAt: noon, startedAt: pick(0...1) == 0 ? noon.later(seconds: 1) : nil,
            settledAt: standing.isSettled ? noon.later(seconds: Int64(pick(2...9000))) : nil,
            worked: pick(0...1) == 0 ? .milliseconds(pick(0...9_000_000)) : nil,
            warning: pick(0...5) == 0 ? .page(expected: ".zip \"ü\"") : nil)
        if standing.isFinished, entry.resume == nil { entry.validator = validator() }
        return entry
    }

    /// A file that a listing has named, or a folder that is listed.
    private mutating func addToTree(_ spec: inout TransferSpec) {
        spec.namedParts = pick(0...2)
        if pick(0...1) == 0 {
            let precisions: [ListedTime.Precision] = [.second, .minute, .day]
            spec.listedVersion = ListedVersion(
                size: ListedSize(bytes: Int64(pick(0...9)), tolerance: Int64(pick(0...1))),
                time: ListedTime(
                    seconds: Int64(pick(-9...9)), precision: precisions[pick(0...2)], isZoned: pick(0...1) == 0),
                tag: pick(0...1) == 0 ? UInt64.max - UInt64(pick(0...9)) : nil)
        }
        guard pick(0...3) == 0, let start = spec.urls.first else { return }
        var rules = FolderRules(tree: UInt64.max - UInt64(pick(0...1)), start: start)
        rules.globs = [GlobRule(includes: pick(0...1) == 0, pattern: [0xFF, 0x2A])]
        rules.mostFiles = pick(0...1) == 0 ? 5 : nil
        var order = FolderOrder(rules: Shared(rules))
        order.form = pick(0...1) == 0 ? .mlsd : nil
        order.path = pick(0...1) == 0 ? "a%20b%2F" : nil
        order.ancestors = [.max, 0]
        spec.folderOrder = order
    }

    private mutating func upload() -> UploadOrder {
        var order = UploadOrder(.file("/home/ü/\"a\".iso"), method: pick(0...1) == 0 ? .put : .post)
        if pick(0...3) == 0 {
            order = UploadOrder(
                .form([FormField(name: "ä", value: .text("x\n")), FormField(name: "f", value: .file(path: "/b"))]))
        }
        if pick(0...5) == 0 { order.content = .folder("/home/ü/empty") }
        order.httpProtocol = pick(0...1) == 0 ? .tus : .plain
        order.createsFolders = pick(0...1) == 0
        order.contentType = pick(0...1) == 0 ? "text/plain" : nil
        order.usesTemporaryName = pick(0...1) == 0
        order.listedParts = pick(0...1) == 0 ? pick(0...3) : nil
        return order
    }

    private mutating func place() -> ResumePoint {
        let source = FileIdentity(device: 1, node: 2, length: 3, modified: -4)
        let place = UploadPlace(name: "https://a.example/files/1", source: pick(0...1) == 0 ? source : nil)
        return ResumePoint(upload: place, have: bytes(), total: pick(0...1) == 0 ? bytes() : nil, name: "ä.iso")
    }

    /// Attempts follow the last recorded one, which may be repeated.
    private mutating func details(of key: LedgerKey) throws -> StoredDetails {
        let last = model.details[key]?.attempts.last?.number ?? 0
        let numbers = max(1, last + pick(0...1))...(last + pick(1...25))
        let outcomes: [AttemptOutcome] = [
            .running, .complete, .paused, .cancelled, .interrupted, .failed(.httpStatus(503)),
        ]
        let attempts = numbers.map { number in
            StoredAttempt(
                number: number, host: "höst:\(number)", began: noon,
                ended: pick(0...1) == 0 ? noon.later(days: 1) : nil,
                from: bytes(), have: bytes(), outcome: outcomes[pick(0...5)])
        }
        let facts = ConnectionFacts(
            address: "2001:db8::1", port: pick(0...9), protocolName: "HTTP/2",
            tlsVersion: pick(0...1) == 0 ? "TLSv1.3" : nil, tlsCipher: "c", status: 206,
            headers: [HeaderField(name: "etag", value: "\"a: b\""), HeaderField(name: "via", value: "ü")],
            validator: [nil, .strongETag("\"x\""), .lastModified("Sun, 06 Nov 1994 08:49:37 GMT")][pick(0...2)])
        return StoredDetails(
            attempts: attempts.suffix(StoredDetails.most), location: pick(0...1) == 0 ? "http://led/to" : nil,
            facts: pick(0...2) > 0 ? facts : nil,
            reply: pick(0...2) > 0
                ? nil : ServerReply(status: pick(0...599), location: "/ü", text: "a\u{0}\n", isCut: pick(0...1) == 0))
    }

    private mutating func standing() -> LedgerState {
        switch pick(0...9) {
        case 0: .paused
        case 1: .finished(.saved(path: "sub/näme.bin"))
        case 2: .finished(.skipped(path: "x"))
        case 3: .finished(.alreadyComplete(path: "y"))
        case 4: .failed(.httpStatus(pick(400...599)))
        case 5: .failed(.cutShort(have: bytes(), expected: nil))
        case 6: .cancelled
        default: .unfinished
        }
    }

    private mutating func resume() -> ResumePoint {
        var point = ResumePoint(
            partPath: "näme.part", targetPath: "näme", total: pick(0...1) == 0 ? bytes() : nil,
            validator: validator())
        point.onDisk = ranges()
        point.durable = ranges()
        point.isAfterReboot = pick(0...4) == 0
        return point
    }

    private mutating func validator() -> Validator? {
        [nil, .strongETag("\"a,b\""), .lastModified("Sun, 06 Nov 1994 08:49:37 GMT")][pick(0...2)]
    }

    private mutating func size() -> SizeKnowledge {
        switch pick(0...3) {
        case 0: .unknown(estimate: bytes())
        case 1: .probed(bytes())
        case 2: .declared(bytes())
        default: .exact(bytes())
        }
    }

    /// From the start, behind gaps, both or none.
    private mutating func ranges() -> ByteRanges {
        var ranges = ByteRanges(prefix: bytes())
        for _ in 0..<pick(0...2) {
            let start = Int64(pick(0...9_000_000))
            ranges.insert(contentsOf: start..<start + Int64(pick(1...1_000_000)))
        }
        return ranges
    }

    /// Small, huge and nothing.
    private mutating func bytes() -> ByteCount {
        [.zero, ByteCount(bytes: 1), ByteCount(bytes: Int64(pick(2...5_000_000))), ByteCount(bytes: .max)][pick(0...3)]
    }

    mutating func pick(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
}
