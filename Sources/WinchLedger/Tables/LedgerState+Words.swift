import FoundationEssentials
import WinchModel
import WinchSystem

extension Found {
    /// Its numbers with commas between; those at the end that are 0 are left out, but for the first.
    fileprivate var stored: String {
        var numbers = [Int64(files), Int64(folders), Int64(unchanged), unchangedBytes, Int64(refused)]
        while numbers.count > 1, numbers.last == 0 { numbers.removeLast() }
        return numbers.map { "\($0)" }.joined(separator: ",")
    }

    fileprivate init(stored text: Substring) {
        let numbers = text.split(separator: ",").map { Int64($0) ?? 0 } + Array(repeating: 0, count: 5)
        self.init(files: Int(numbers[0]))
        (folders, unchanged) = (Int(numbers[1]), Int(numbers[2]))
        (unchangedBytes, refused) = (numbers[3], Int(numbers[4]))
    }
}

extension LedgerState {
    /// The transfer has ended.
    var isSettled: Bool { !isOpen }

    var isFinished: Bool {
        if case .finished = self { true } else { false }
    }

    /// The stored word, and its detail: a path, or a failure as JSON.
    var words: (word: String, detail: String?) {
        switch self {
        case .unfinished, .paused, .cancelled: (word, nil)
        case .finished(.listed(let path, let found)): ("listed", "\(found.stored) \(path)")
        case .finished(let outcome): (outcome.word, outcome.path)
        case .failed(let failure): ("failed", StoredJSON.text(failure))
        }
    }

    /// - Returns: `nil` for an unknown word.
    init?(word: String, detail: String?, _ failures: inout FailureReader) {
        switch word {
        case "unfinished": self = .unfinished
        case "paused": self = .paused
        case "listed":
            let parts = (detail ?? "").split(separator: " ", maxSplits: 1)
            self = .finished(
                .listed(path: parts.count == 2 ? String(parts[1]) : "", Found(stored: parts.first ?? "")))
        case "failed": self = .failed(failures.read(detail ?? ""))
        case "cancelled": self = .cancelled
        default:
            guard let kind = TransferPhase.Outcome.Kind(rawValue: word) else { return nil }
            self = .finished(.init(kind, path: detail ?? "", found: nil))
        }
    }
}

/// Decodes failures. A queue has few different ones: each is decoded once.
struct FailureReader {
    private var known: [String: TransferFailure] = [:]

    mutating func read(_ json: String) -> TransferFailure {
        if let failure = known[json] { return failure }
        // Written by another version, or damaged: the transfer is still known to have failed.
        let failure: TransferFailure = StoredJSON.value(json) ?? .other("the reason was not kept")
        if known.count < 1000 { known[json] = failure }
        return failure
    }
}

/// Values that a column has as JSON; equal values give equal texts.
enum StoredJSON {
    /// Made once: a list may have many thousand uploads.
    private static let encoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return encoder
    }()
    private static let decoder = JSONDecoder()

    static func encode(_ value: some Encodable) throws -> String {
        String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    static func text(_ value: some Encodable) -> String? { try? encode(value) }

    /// - Returns: `nil` for what another version wrote, and for a damaged text.
    static func value<Value: Decodable>(_ text: String) -> Value? {
        try? decoder.decode(Value.self, untrusted: Data(text.utf8))
    }
}

/// What the ledger keeps of an upload besides the columns that all transfers have.
struct StoredUpload: Codable {
    var order: UploadOrder
    /// `nil`: nothing was sent yet.
    var place: UploadPlace?
}
