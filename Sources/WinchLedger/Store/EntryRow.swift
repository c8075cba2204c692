import WinchModel

/// One transfer as a row of `transfers`.
enum EntryRow {
    static let columns = [
        "key", "run", "rank", "direction", "urls", "folder", "outName", "settings", "checksum", "startsPaused",
        "standing", "detail", "name", "partPath", "targetPath", "ranges", "total", "etag", "lastModified", "durable",
        "isAfterReboot", "size", "confidence", "attempts", "hauled", "addedAt", "startedAt", "settledAt", "worked",
        "warning", "listed", "upload",
    ]

    static let insertion = """
        INSERT OR REPLACE INTO transfers (\(columns.joined(separator: ", ")))
        VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
        """

    /// - Parameters:
    ///   - entry: as `kept(in:)` returns it.
    ///   - settings: the key of their row.
    static func arguments(_ entry: LedgerEntry, run: Int64, settings: Int64) -> Arguments {
        let (spec, resume) = (entry.spec, entry.resume)
        let (word, detail) = entry.standing.words
        let validator = resume?.validator?.columns
        let (confidence, size) = entry.size.numbers
        return [
            entry.key.number, run, entry.rank, spec.direction.rawValue,
            spec.urls.count == 1 ? spec.urls[0].text : spec.urls.map(\.text).joined(separator: "\n"), spec.folder,
            spec.name?.text, settings, spec.settings.value.checksum?.text, spec.startsPaused, word, detail, entry.name,
            resume?.partPath, resume?.targetPath, resume.map { RangesText.encode($0.onDisk) }, resume?.total?.bytes,
            validator?.etag,
            validator?.lastModified, RangesText.column(resume?.durable ?? ByteRanges()), resume?.isAfterReboot ?? false,
            size, confidence,
            entry.attempts,
            entry.received.bytes, entry.addedAt.milliseconds, entry.startedAt?.milliseconds,
            entry.settledAt?.milliseconds, entry.worked?.milliseconds, entry.warning?.json,
            spec.listedChecksum?.text, spec.upload.flatMap { StoredUpload(order: $0, place: resume?.upload).json },
        ]
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
