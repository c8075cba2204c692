/// The URLs of one file. Nearly every file has a single URL, which is stored without an array: a hundred thousand arrays of
/// one element would take megabytes.
public struct MirrorList: Hashable, Sendable {
    private var main: TransferURL?
    private var others: [TransferURL]

    package init(_ urls: [TransferURL]) {
        main = urls.first
        others = Array(urls.dropFirst())
    }
}

extension MirrorList: RandomAccessCollection, MutableCollection {
    /// The index of the URL that is used first, 0.
    public var startIndex: Int { 0 }
    /// The number of URLs.
    public var endIndex: Int { main == nil ? 0 : 1 + others.count }

    /// The URL at `position`, which must be in `startIndex..<endIndex`.
    public subscript(position: Int) -> TransferURL {
        get {
            guard position == 0, let main else { return others[position - 1] }
            return main
        }
        set {
            if position == 0 { main = newValue } else { others[position - 1] = newValue }
        }
    }
}

extension MirrorList: Codable {
    /// Decodes an array of URLs.
    ///
    /// - Throws: when one is no usable URL.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode([TransferURL].self))
    }

    /// Encodes an array of URLs.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Array(self))
    }
}
