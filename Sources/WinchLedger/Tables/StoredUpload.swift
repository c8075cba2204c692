import FoundationEssentials
import WinchModel

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
