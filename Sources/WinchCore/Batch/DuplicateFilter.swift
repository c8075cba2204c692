/// Finds entries that ask for the same file as an earlier one: equal address, folder and name.
///
/// Remembers 16 bytes for each entry, and nothing of the entries themselves: a list may have a million.
public struct DuplicateFilter: Sendable {
    /// Places of entries by a hash of what they ask for.
    private var places: [Int: Int32] = [:]

    public init() {}

    /// The earlier entry that asks for the same; `nil`: there is none, and this one counts as the first from now on.
    ///
    /// - Parameters:
    ///   - specs: all entries that were asked about and not found to be duplicates, in their order; `spec` comes next.
    public mutating func earlier(than spec: TransferSpec, in specs: [TransferSpec]) -> Int? {
        guard let wanted = spec.wanted else { return nil }
        let hash = wanted.hashValue
        // Equal hashes of different entries: both are kept.
        if let place = places[hash].map(Int.init) {
            return specs.indices.contains(place) && specs[place].wanted == wanted ? place : nil
        }
        places[hash] = Int32(clamping: specs.count)
        return nil
    }
}

/// What an entry asks for: the first of its addresses, in the form in which equal ones are equal, and where the file goes.
struct WantedFile: Hashable {
    private let url: String
    private let folder: String
    private let name: String?

    init(url: TransferURL, folder: String, name: TargetPath?) {
        (self.url, self.folder, self.name) = (url.normal, folder, name?.text)
    }
}

extension TransferSpec {
    /// `nil` without an address.
    var wanted: WantedFile? { urls.first.map { WantedFile(url: $0, folder: folder, name: name) } }
}
