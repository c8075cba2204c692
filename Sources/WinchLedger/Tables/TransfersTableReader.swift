import WinchModel

/// Reads rows of `transfers`. Values that many rows have in common are decoded once and shared.
struct TransfersTableReader {
    static let selection = """
        SELECT \(TransfersTableRow.columns.map { "transfers.\($0)" }.joined(separator: ", ")), json
        FROM transfers LEFT JOIN settings ON settings.id = transfers.settings
        """

    private var settings: [Int64: Shared<TransferSettings>] = [:]
    /// Of settings that an earlier version has limited to hosts.
    private var loginHosts: [Int64: Set<String>] = [:]
    private var limited: [LimitedSettings: Shared<TransferSettings>] = [:]
    private var failures = FailureReader()
    private var folder = ""

    static func key(_ row: Row) -> LedgerKey { LedgerKey(row[0] ?? 0) }
    static func run(_ row: Row) -> Int64 { row[1] ?? 0 }

    /// - Returns: `nil` when the row has invalid values.
    mutating func read(_ row: Row) -> LedgerEntry? {
        guard let urls = Self.urls(row[4] ?? ""), let settings = settings(row, of: urls),
            let direction = Direction(rawValue: row[3] ?? ""),
            let standing = LedgerState(
                word: row[10] ?? "", detail: row[11], readFailure: { failures.read($0) }),
            let size = SizeKnowledge(confidence: row[22] ?? 0, size: Self.count(row[21]))
        else { return nil }
        if let folder = row[5] as String?, folder != self.folder { self.folder = folder }
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
        let upload = (row[31] as String?).flatMap(StoredUpload.init(json:))
        spec.upload = upload?.order
        // An upload of which is not known what it sends cannot be made again.
        guard direction == .down || upload != nil else { return nil }
        return LedgerEntry(
            key: Self.key(row), rank: row[2] ?? 0, spec: spec,
            standing: standing, name: row[12] ?? "", resume: Self.resume(row, upload), size: size,
            attempts: row[23] ?? 0,
            received: Self.count(row[24]), addedAt: UnixTime(milliseconds: row[25] ?? 0), startedAt: Self.time(row[26]),
            settledAt: Self.time(row[27]), worked: (row[28] as Int64?).map { .milliseconds(max(0, $0)) },
            warning: (row[29] as String?).flatMap(TransferWarning.init(json:)))
    }

    private struct LimitedSettings: Hashable {
        var id: Int64
        var origins: [String]
    }

    private mutating func settings(_ row: Row, of urls: [TransferURL]) -> Shared<TransferSettings>? {
        guard let common = commonSettings(row, of: urls) else { return nil }
        guard let given = row[8] as String? else { return common }
        // A transfer whose checksum is unreadable must not be fetched unchecked.
        guard let checksum = Checksum(given) else { return nil }
        var own = common.value
        own.checksum = checksum
        return Shared(own)
    }

    private mutating func commonSettings(_ row: Row, of urls: [TransferURL]) -> Shared<TransferSettings>? {
        let id: Int64 = row[7] ?? 0
        if settings[id] == nil {
            let text: String = row[36] ?? ""
            guard let value = SettingsText.decode(text) else { return nil }
            settings[id] = Shared(value)
            loginHosts[id] = SettingsText.loginHosts(text)
        }
        guard let common = settings[id], let hosts = loginHosts[id] else { return settings[id] }
        // By which scheme a host may get the login is not known: by that of the transfer's own URL, and by no other.
        let origins = Set(urls.filter { hosts.contains($0.hostKey) }.map(\.origin)).sorted()
        let key = LimitedSettings(id: id, origins: origins)
        if let known = limited[key] { return known }
        var value = common.value
        value.loginOrigins = origins
        let shared = Shared(value)
        limited[key] = shared
        return shared
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
        resume.durable = RangesText.decode(column: row[19] ?? "")
        resume.isAfterReboot = row[20] ?? false
        return resume
    }

    /// A part file.
    private static func part(_ row: Row) -> ResumePoint? {
        guard let partPath = row[13] as String?, let targetPath = row[14] as String?,
            (try? TargetPath(partPath)) != nil, (try? TargetPath(targetPath)) != nil
        else { return nil }
        return ResumePoint(
            partPath: partPath, targetPath: targetPath, total: (row[16] as Int64?).map { count($0) },
            validator: Validator(etag: row[17], lastModified: row[18]))
    }

    /// What an upload has at its server.
    private static func place(_ row: Row, _ place: UploadPlace?) -> ResumePoint? {
        place.map {
            ResumePoint(upload: $0, have: .zero, total: (row[16] as Int64?).map { count($0) }, name: row[14] ?? "")
        }
    }

    /// Counts of bytes are never negative.
    private static func count(_ bytes: Int64?) -> ByteCount { ByteCount(bytes: max(0, bytes ?? 0)) }

    private static func time(_ milliseconds: Int64?) -> UnixTime? { milliseconds.map(UnixTime.init(milliseconds:)) }
}
