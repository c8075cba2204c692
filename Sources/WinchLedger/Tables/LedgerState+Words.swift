import FoundationEssentials
import WinchModel

extension LedgerState {
    /// The transfer has ended.
    var isSettled: Bool { !isOpen }

    var isFinished: Bool {
        if case .finished = self { true } else { false }
    }

    /// The stored word, and its detail: a path, or a failure as JSON.
    var words: (word: String, detail: String?) {
        switch self {
        case .unfinished: (Self.unfinishedWord, nil)
        case .paused: (Self.pausedWord, nil)
        case .finished(.saved(let path)): ("saved", path)
        case .finished(.skipped(let path)): ("skipped", path)
        case .finished(.alreadyComplete(let path)): ("alreadyComplete", path)
        case .finished(.sent(let path)): ("sent", path)
        case .finished(.listed(let path, let files)): (Self.listedWord, "\(files) \(path)")
        case .failed(let failure): (Self.failedWord, failure.json)
        case .cancelled: (Self.cancelledWord, nil)
        }
    }

    /// - Parameter readFailure: decodes the detail of a failure.
    /// - Returns: `nil` for an unknown word.
    init?(word: String, detail: String?, readFailure: (String) -> TransferFailure) {
        switch word {
        case Self.unfinishedWord: self = .unfinished
        case Self.pausedWord: self = .paused
        case "saved": self = .finished(.saved(path: detail ?? ""))
        case "skipped": self = .finished(.skipped(path: detail ?? ""))
        case "alreadyComplete": self = .finished(.alreadyComplete(path: detail ?? ""))
        case "sent": self = .finished(.sent(path: detail ?? ""))
        case Self.listedWord:
            let parts = (detail ?? "").split(separator: " ", maxSplits: 1)
            self = .finished(
                .listed(path: parts.count == 2 ? String(parts[1]) : "", files: parts.first.flatMap { Int($0) } ?? 0))
        case Self.failedWord: self = .failed(readFailure(detail ?? ""))
        case Self.cancelledWord: self = .cancelled
        default: return nil
        }
    }

    static let unfinishedWord = "unfinished"
    static let pausedWord = "paused"
    static let listedWord = "listed"
    static let failedWord = "failed"
    static let cancelledWord = "cancelled"
}

/// Decodes failures. A queue has few different ones: each is decoded once.
struct FailureReader {
    private var known: [String: TransferFailure] = [:]

    mutating func read(_ json: String) -> TransferFailure {
        if let failure = known[json] { return failure }
        // Written by another version, or damaged: the transfer is still known to have failed.
        let failure =
            (try? JSONDecoder().decode(TransferFailure.self, from: Data(json.utf8)))
            ?? .other("the reason was not kept")
        if known.count < 1000 { known[json] = failure }
        return failure
    }
}

extension TransferFailure {
    var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}

extension TransferWarning {
    var json: String? {
        (try? JSONEncoder().encode(self)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// - Returns: `nil` for a warning that this version does not know: the downloaded file is complete all the same.
    init?(json: String) {
        guard let warning = try? JSONDecoder().decode(TransferWarning.self, from: Data(json.utf8)) else { return nil }
        self = warning
    }
}

/// What the ledger keeps of an upload besides the columns that all transfers have.
struct StoredUpload: Codable {
    var order: UploadOrder
    /// `nil`: nothing was sent yet.
    var place: UploadPlace?

    init(order: UploadOrder, place: UploadPlace?) { (self.order, self.place) = (order, place) }

    /// Made once: a list may have many thousand uploads.
    private static let encoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return encoder
    }()
    private static let decoder = JSONDecoder()

    var json: String? { (try? Self.encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } }

    /// - Returns: `nil` for what another version wrote, or a damaged text.
    init?(json: String) {
        guard let stored = try? Self.decoder.decode(Self.self, from: Data(json.utf8)) else { return nil }
        self = stored
    }
}
