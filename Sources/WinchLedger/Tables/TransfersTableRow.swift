import WinchModel

/// One transfer as a row of `transfers`.
enum TransfersTableRow {
    static let columns = [
        "key", "run", "rank", "direction", "urls", "folder", "outName", "settings", "checksum", "startsPaused",
        "standing", "detail", "name", "partPath", "targetPath", "ranges", "total", "etag", "lastModified", "durable",
        "isAfterReboot", "size", "confidence", "attempts", "hauled", "addedAt", "startedAt", "settledAt", "worked",
        "warning", "listed", "upload", "listedFrom", "pieceHash", "pieceLength", "pieces",
    ]

    static let insertion = """
        INSERT OR REPLACE INTO transfers (\(columns.joined(separator: ", ")))
        VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
        """

    /// - Parameters:
    ///   - entry: as `kept(in:)` returns it.
    ///   - settings: the key of their row.
    ///   - binder: of the `insertion`.
    static func bind(_ entry: LedgerEntry, run: Int64, settings: Int64, to binder: inout ArgumentBinder) {
        let (spec, resume) = (entry.spec, entry.resume)
        let (word, detail) = entry.standing.words
        let validator = resume?.validator?.columns
        let (confidence, size) = entry.size.numbers
        binder.bind(entry.key.number)
        binder.bind(run)
        binder.bind(entry.rank)
        binder.bind(spec.direction.rawValue)
        binder.bind(spec.urls.count == 1 ? spec.urls[0].text : spec.urls.map(\.text).joined(separator: "\n"))
        binder.bind(spec.folder)
        binder.bind(spec.name?.text)
        binder.bind(settings)
        binder.bind(spec.settings.value.checksum?.text)
        binder.bind(spec.startsPaused)
        binder.bind(word)
        binder.bind(detail)
        binder.bind(entry.name)
        binder.bind(resume?.partPath)
        binder.bind(resume?.targetPath)
        binder.bind(resume.map { RangesText.encode($0.onDisk) })
        binder.bind(resume?.total?.bytes)
        binder.bind(validator?.etag)
        binder.bind(validator?.lastModified)
        RangesText.bind(column: resume?.durable ?? ByteRanges(), to: &binder)
        binder.bind(resume?.isAfterReboot ?? false)
        binder.bind(size)
        binder.bind(confidence)
        binder.bind(entry.attempts)
        binder.bind(entry.received.bytes)
        binder.bind(entry.addedAt.milliseconds)
        binder.bind(entry.startedAt?.milliseconds)
        binder.bind(entry.settledAt?.milliseconds)
        binder.bind(entry.worked?.milliseconds)
        binder.bind(entry.warning?.json)
        binder.bind(spec.listedChecksum?.text)
        binder.bind(spec.upload.flatMap { StoredUpload(order: $0, place: resume?.upload).json })
        binder.bind(spec.listedOrigin == .metalink ? "metalink" : nil)
        binder.bind(spec.pieces?.algorithm.rawValue)
        binder.bind(spec.pieces?.length.bytes)
        binder.bind(spec.pieces?.digests)
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

extension Duration {
    /// Rounded toward zero.
    var milliseconds: Int64 { nanoseconds / 1_000_000 }
}

extension Checksum {
    /// `sha-256=HEX`.
    fileprivate var text: String { algorithm.rawValue + "=" + hex }
}

extension SizeKnowledge {
    fileprivate var numbers: (confidence: Int, size: Int64) {
        switch self {
        case .unknown(let estimate): (confidence, estimate.bytes)
        case .probed(let size), .declared(let size), .exact(let size): (confidence, size.bytes)
        }
    }

    init?(confidence: Int64, size: ByteCount) {
        switch confidence {
        case 0: self = .unknown(estimate: size)
        case 1: self = .probed(size)
        case 2: self = .declared(size)
        case 3: self = .exact(size)
        default: return nil
        }
    }
}
