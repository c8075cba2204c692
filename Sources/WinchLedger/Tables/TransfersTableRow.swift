import WinchModel

enum TransfersTableRow {
    static let columns = [
        "key", "run", "rank", "direction", "urls", "folder", "outName", "settings", "checksum", "startsPaused",
        "standing", "detail", "name", "partPath", "targetPath", "ranges", "total", "etag", "lastModified", "durable",
        "isAfterReboot", "size", "confidence", "attempts", "hauled", "addedAt", "startedAt", "settledAt", "worked",
        "warning", "listed", "upload", "listedFrom", "pieceHash", "pieceLength", "pieces", "listedSize",
        "namedParts", "versionSize", "versionTolerance", "versionTime", "versionFacts", "versionTag", "folderOrder",
    ]

    static let insertion = """
        INSERT OR REPLACE INTO transfers (\(columns.joined(separator: ", ")))
        VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
        """

    /// The arguments of the `insertion`.
    ///
    /// - Parameters:
    ///   - entry: as `kept(in:)` returns it.
    ///   - settings: the key of their row.
    static func values(of entry: LedgerEntry, run: Int64, settings: Int64) -> Arguments {
        let (spec, resume) = (entry.spec, entry.resume)
        let (word, detail) = entry.standing.words
        // A finished download has no part.
        let validator = (resume?.validator ?? entry.validator)?.columns
        let (confidence, size) = (entry.size.confidence, entry.size.guess.bytes)
        let urls = spec.urls.count == 1 ? spec.urls[0].text : spec.urls.map(\.text).joined(separator: "\n")
        let ranges: String? = resume.map { RangesText.encode($0.onDisk) }
        let durable = RangesText.encode(resume?.durable ?? ByteRanges())
        let isAfterReboot = resume?.isAfterReboot ?? false
        let warning: String? = entry.warning.flatMap { StoredJSON.text($0) }
        let upload: String? = spec.upload.flatMap { order in
            StoredJSON.text(StoredUpload(order: order, place: resume?.upload))
        }
        let listedFrom: String? = spec.listedOrigin == .metalink ? "metalink" : nil
        // Of an upload it is the size of the source as it was.
        let listedSize: Int64? = spec.direction == .down ? spec.listedSize?.bytes : nil
        let version = spec.listedVersion
        let folderOrder: String? = spec.folderOrder.flatMap { StoredJSON.text($0) }
        let namedParts: Int64? = spec.namedParts > 0 ? Int64(spec.namedParts) : nil
        let tag: Int64? = version?.tag.map { Int64(bitPattern: $0) }
        let wanted: Arguments = [
            entry.key.number, run, entry.rank, spec.direction.rawValue, urls, spec.folder, spec.name?.text, settings,
            spec.settings.value.checksum?.text, spec.startsPaused,
        ]
        let part: Arguments = [
            word, detail, entry.name, resume?.partPath, resume?.targetPath, ranges, resume?.total?.bytes,
            validator?.etag, validator?.lastModified, durable, isAfterReboot,
        ]
        let course: Arguments = [
            size, confidence, entry.attempts, entry.received.bytes, entry.addedAt.milliseconds,
            entry.startedAt?.milliseconds, entry.settledAt?.milliseconds, entry.worked?.milliseconds, warning,
        ]
        let listed: Arguments = [
            spec.listedChecksum?.text, upload, listedFrom, spec.pieces?.algorithm.rawValue, spec.pieces?.length.bytes,
            spec.pieces?.digests, listedSize,
        ]
        let found: Arguments = [
            namedParts, version?.size?.bytes, version?.size?.tolerance, version?.time?.seconds, version?.time?.facts,
            tag, folderOrder,
        ]
        return wanted + part + course + listed + found
    }
}

extension Validator {
    /// One of the two is `nil`.
    var columns: (etag: String?, lastModified: String?) {
        switch self {
        case .strongETag(let tag): (tag, nil)
        case .lastModified(let date): (nil, date)
        }
    }

    init?(etag: String?, lastModified: String?) {
        guard let validator = etag.map(Self.strongETag) ?? lastModified.map(Self.lastModified) else { return nil }
        self = validator
    }
}

extension ListedTime {
    /// The precision, and 4 with a zone.
    fileprivate var facts: Int64 { Int64(precision.rawValue) + (isZoned ? 4 : 0) }

    /// `nil` for facts that another version wrote.
    fileprivate init?(seconds: Int64, facts: Int64) {
        guard (0..<8).contains(facts), let precision = Precision(rawValue: UInt8(facts % 4)) else { return nil }
        self.init(seconds: seconds, precision: precision, isZoned: facts >= 4)
    }
}

extension Duration {
    /// Rounded toward zero.
    var milliseconds: Int64 { nanoseconds / 1_000_000 }
}

extension Checksum {
    /// `sha-256=HEX`.
    fileprivate var text: String { algorithm.rawValue + "=" + hex }
}

extension SizeKnowledge {
    init?(confidence: Int64, size: ByteCount) {
        guard (0...3).contains(confidence) else { return nil }
        self.init(Source.allCases[Int(confidence)], size)
    }
}

/// Reads rows of `transfers`. Values that many rows have in common are decoded once and shared.
struct TransfersTableReader {
    static let selection = """
        SELECT \(TransfersTableRow.columns.map { "transfers.\($0)" }.joined(separator: ", ")), json
        FROM transfers LEFT JOIN settings ON settings.id = transfers.settings
        """

    private var settings: [Int64: Shared<TransferSettings>] = [:]
    private var failures = FailureReader()
    /// By tree: its folders share them.
    private var rules: [UInt64: Shared<FolderRules>] = [:]
    private var folder = ""

    static func key(_ row: Row) -> LedgerKey { LedgerKey(row[0] ?? 0) }
    static func run(_ row: Row) -> Int64 { row[1] ?? 0 }

    /// - Returns: `nil` when the row has invalid values.
    mutating func read(_ row: Row) -> LedgerEntry? {
        guard let urls = Self.urls(row[4] ?? ""), let settings = settings(row),
            let direction = Direction(rawValue: row[3] ?? ""),
            let standing = LedgerState(word: row[10] ?? "", detail: row[11], &failures),
            let size = SizeKnowledge(confidence: row[22] ?? 0, size: Self.count(row[21]))
        else { return nil }
        if let folder = row[5] as String?, !folder.utf8.elementsEqual(self.folder.utf8) { self.folder = folder }
        var spec = TransferSpec(
            urls: urls, direction: direction, folder: folder,
            name: (row[6] as String?).flatMap { try? TargetPath($0) }, settings: settings,
            startsPaused: row[9] ?? false)
        if let listed = row[30] as String? {
            guard let checksum = Checksum(listed) else { return nil }
            spec.listedChecksum = checksum
            if row[32] == "metalink" { spec.listedOrigin = .metalink }
        }
        if let digests = row[35] as [UInt8]? {
            // A transfer whose hashes are unreadable must not be fetched unchecked.
            guard let pieces = Self.pieces(row, digests) else { return nil }
            spec.pieces = pieces
        }
        if let size = row[36] as Int64? { spec.listedSize = Self.count(size) }
        if let parts = row[37] as Int64?, parts > 0 { spec.namedParts = Int(clamping: parts) }
        if let version = Self.version(row) { spec.listedVersion = version }
        if let text = row[43] as String? {
            // A folder of which is not known what is wanted of it is no file either.
            guard let order = order(text) else { return nil }
            spec.folderOrder = order
        }
        let upload: StoredUpload? = (row[31] as String?).flatMap { StoredJSON.value($0) }
        spec.upload = upload?.order
        // An upload of which is not known what it sends cannot be made again.
        guard direction == .down || upload != nil else { return nil }
        let resume = Self.resume(row, upload)
        return LedgerEntry(
            key: Self.key(row), rank: row[2] ?? 0, spec: spec,
            standing: standing, name: row[12] ?? "", resume: resume, size: size,
            attempts: row[23] ?? 0,
            received: Self.count(row[24]), addedAt: UnixTime(milliseconds: row[25] ?? 0), startedAt: Self.time(row[26]),
            settledAt: Self.time(row[27]), worked: (row[28] as Int64?).map { .milliseconds(max(0, $0)) },
            warning: (row[29] as String?).flatMap { StoredJSON.value($0) },
            validator: standing.isFinished && resume == nil ? Self.validator(row) : nil)
    }

    private mutating func settings(_ row: Row) -> Shared<TransferSettings>? {
        guard let common = commonSettings(row) else { return nil }
        guard let given = row[8] as String? else { return common }
        // A transfer whose checksum is unreadable must not be fetched unchecked.
        guard let checksum = Checksum(given) else { return nil }
        var own = common.value
        own.checksum = checksum
        return Shared(own)
    }

    private mutating func commonSettings(_ row: Row) -> Shared<TransferSettings>? {
        let id: Int64 = row[7] ?? 0
        if let known = settings[id] { return known }
        let text: String = row[Int32(TransfersTableRow.columns.count)] ?? ""
        guard let value: TransferSettings = StoredJSON.value(text) else { return nil }
        let shared = Shared(value)
        settings[id] = shared
        return shared
    }

    private mutating func order(_ text: String) -> FolderOrder? {
        guard var order: FolderOrder = StoredJSON.value(text) else { return nil }
        let tree = order.rules.value.tree
        if let known = rules[tree], known == order.rules { order.rules = known } else { rules[tree] = order.rules }
        return order
    }

    private static func version(_ row: Row) -> ListedVersion? {
        let size = (row[38] as Int64?).map { ListedSize(bytes: max(0, $0), tolerance: max(0, row[39] ?? 0)) }
        let time = (row[40] as Int64?).flatMap { ListedTime(seconds: $0, facts: row[41] ?? -1) }
        let tag = (row[42] as Int64?).map { UInt64(bitPattern: $0) }
        guard size != nil || time != nil || tag != nil else { return nil }
        return ListedVersion(size: size, time: time, tag: tag)
    }

    private static func urls(_ text: String) -> [TransferURL]? {
        guard text.utf8.contains(UInt8(ascii: "\n")) else { return (try? TransferURL(text)).map { [$0] } }
        let urls = text.utf8.split(separator: UInt8(ascii: "\n")).compactMap { try? TransferURL(Substring($0)) }
        return urls.isEmpty ? nil : urls
    }

    private static func pieces(_ row: Row, _ digests: [UInt8]) -> PieceHashes? {
        Checksum.Algorithm(rawValue: row[33] ?? "").flatMap { algorithm in
            PieceHashes(length: count(row[34]), algorithm: algorithm, digests: digests)
        }
    }

    private static func resume(_ row: Row, _ upload: StoredUpload?) -> ResumePoint? {
        guard var resume = upload == nil ? part(row) : place(row, upload?.place) else { return nil }
        resume.onDisk = RangesText.decode(row[15] ?? "")
        resume.durable = RangesText.decode(row[19] ?? "")
        resume.isAfterReboot = row[20] ?? false
        return resume
    }

    private static func part(_ row: Row) -> ResumePoint? {
        guard let partPath = row[13] as String?, let targetPath = row[14] as String?,
            (try? TargetPath(partPath)) != nil, (try? TargetPath(targetPath)) != nil
        else { return nil }
        return ResumePoint(
            partPath: partPath, targetPath: targetPath, total: (row[16] as Int64?).map { count($0) },
            validator: validator(row))
    }

    /// Of the part, or of the finished file.
    private static func validator(_ row: Row) -> Validator? { Validator(etag: row[17], lastModified: row[18]) }

    /// What an upload has at its server.
    private static func place(_ row: Row, _ place: UploadPlace?) -> ResumePoint? {
        place.map {
            ResumePoint(upload: $0, have: .zero, total: (row[16] as Int64?).map { count($0) }, name: row[14] ?? "")
        }
    }

    /// Counts of bytes are never negative.
    static func count(_ bytes: Int64?) -> ByteCount { ByteCount(bytes: max(0, bytes ?? 0)) }

    private static func time(_ milliseconds: Int64?) -> UnixTime? { milliseconds.map(UnixTime.init(milliseconds:)) }
}

extension LedgerEntry {
    /// The form that is stored: absolute folders, and no logins once the transfer is finished.
    ///
    /// - Parameter settings: the kept form of `spec.settings`.
    func kept(in identity: RunIdentity) -> LedgerEntry {
        var entry = self
        if !spec.hasNoFolder { entry.spec.folder = identity.absolute(spec.folder) }
        if let upload = spec.upload { entry.spec.upload = upload.kept(in: identity) }
        if standing.isFinished, spec.urls.contains(where: \.mayHaveLogin) {
            entry.spec.urls = MirrorList(spec.urls.map(\.withoutLogin))
        }
        if standing.isFinished, var order = spec.folderOrder, order.rules.value.start.mayHaveLogin {
            var rules = order.rules.value
            rules.start = rules.start.withoutLogin
            order.rules = Shared(rules)
            entry.spec.folderOrder = order
        }
        return entry
    }
}

extension TransferSettings {
    /// The form that is stored: absolute paths.
    ///
    /// - Parameter isFinished: drops what only a further request needs and other users must not see, such as passwords.
    func kept(in identity: RunIdentity, isFinished: Bool) -> TransferSettings {
        var settings = self
        settings.cookieFile = cookieFile.map(identity.absolute)
        settings.caFile = caFile.map(identity.absolute)
        settings.certificateFile = certificateFile.map(identity.absolute)
        settings.keyFile = keyFile.map { $0.hasPrefix("~/") ? $0 : identity.absolute($0) }
        guard isFinished else { return settings }
        settings.user = nil
        settings.password = nil
        // Any header may be a credential: Authorization, Cookie, X-Api-Key and the like.
        settings.headers = []
        settings.sums = nil
        settings.referer = referer.map(Self.withoutLogin)
        settings.proxy = proxy.map(Self.withoutLogin)
        return settings
    }

    /// A proxy may have any scheme or none: the part before the last `@` of its authority is removed.
    private static func withoutLogin(_ address: String) -> String {
        let bytes = address.utf8
        let slashes = bytes.firstRange(of: "://".utf8)
        let start = slashes?.upperBound ?? bytes.startIndex
        let end = bytes[start...].firstIndex { "/?#".utf8.contains($0) } ?? bytes.endIndex
        guard let at = bytes[start..<end].lastIndex(of: UInt8(ascii: "@")) else { return address }
        return String(address[..<start]) + address[bytes.index(after: at)...]
    }
}

extension TransferURL {
    fileprivate var mayHaveLogin: Bool { text.utf8.contains(UInt8(ascii: "@")) }

    /// Itself when the redacted text is not a URL, which only a missing login could cause.
    fileprivate var withoutLogin: TransferURL {
        mayHaveLogin ? (try? TransferURL(redacted)) ?? self : self
    }
}

extension UploadOrder {
    /// The form that is stored: absolute paths.
    fileprivate func kept(in identity: RunIdentity) -> UploadOrder {
        var order = self
        switch content {
        case .file(let path): order.content = .file(identity.absolute(path))
        case .folder(let path): order.content = .folder(identity.absolute(path))
        case .form(let fields):
            order.content = .form(
                fields.map { field in
                    guard case .file(let path, let name, let type) = field.value else { return field }
                    return FormField(
                        name: field.name, value: .file(path: identity.absolute(path), name: name, type: type))
                })
        case .standardInput, .open: break
        }
        return order
    }
}

/// Ranges of bytes as text: inclusive positions as HTTP writes them, `0-1233,2000-2999`; empty for none.
///
/// - Source: RFC 9110, section 14.1.2.
enum RangesText {
    static func encode(_ ranges: ByteRanges) -> String {
        ranges.ranges.map { "\($0.lowerBound)-\($0.upperBound - 1)" }.joined(separator: ",")
    }

    /// No bytes for an invalid text.
    static func decode(_ text: String) -> ByteRanges {
        var ranges = ByteRanges()
        for range in text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            let positions = range.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
            guard positions.count == 2, let first = Int64(Substring(positions[0])),
                let last = Int64(Substring(positions[1])), first >= 0, (first..<Int64.max).contains(last)
            else { return ByteRanges() }
            ranges.insert(contentsOf: first..<last + 1)
        }
        return ranges
    }
}
