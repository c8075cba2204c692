/// The order for one transfer: the URLs, the target and the settings.
public struct TransferSpec: Hashable, Sendable, Codable {
    /// The URL and its mirrors, tried in order; at least one.
    public var urls: MirrorList
    /// `.down`; uploads are not supported by the library yet.
    public var direction: Direction
    /// The transfer waits until it is resumed.
    public var startsPaused: Bool
    /// The target folder as given; created when missing.
    public var folder: String
    /// The path below the folder, from `out=` or `-o`; `nil`: the server or the URL determines the name.
    public var name: TargetPath?
    /// How the file is downloaded; one copy for all transfers with the same settings.
    public var settings: Shared<TransferSettings>
    /// From a checksum list (`--sums`) or a Metalink; must match in addition to `settings.checksum`.
    public var listedChecksum: Checksum? {
        get { listed?.checksum }
        set { change { $0.checksum = newValue } }
    }
    /// The hashes of the file's pieces, from a Metalink.
    public var pieces: PieceHashes? {
        get { listed?.pieces }
        set { change { $0.pieces = newValue } }
    }
    /// The size of the file according to a Metalink, until the server declares it.
    public var listedSize: ByteCount? {
        get { listed?.size }
        set { change { $0.size = newValue } }
    }
    @HeapOptional private var listed: ListedFacts? = nil

    private enum CodingKeys: String, CodingKey {
        case urls, direction, startsPaused, folder, name, settings, listed
    }

    private mutating func change(_ change: (inout ListedFacts) -> Void) {
        var facts = listed ?? ListedFacts()
        change(&facts)
        listed = facts.isEmpty ? nil : facts
    }

    /// - Parameters:
    ///   - urls: the URL and its mirrors, tried in order; at least one.
    ///   - folder: the target folder; a relative path begins at the working folder of the process.
    ///   - name: the path below the folder; `nil`: the server or the URL determines the name.
    public init(
        urls: [TransferURL], direction: Direction = .down, folder: String = ".", name: TargetPath? = nil,
        settings: Shared<TransferSettings> = Shared(TransferSettings()), startsPaused: Bool = false
    ) {
        self.urls = MirrorList(urls)
        self.direction = direction
        self.folder = folder
        self.name = name
        self.settings = settings
        self.startsPaused = startsPaused
    }

    /// The name that the file will get unless the server names it.
    public var expectedName: String {
        name?.text ?? urls.first.map { TargetName(url: $0).text } ?? TargetName.fallback
    }
}

/// An immutable value on the heap, so that a hundred thousand transfers with the same settings share one copy.
public final class Shared<Value: Hashable & Sendable & Codable>: Hashable, Sendable, Codable {
    /// The shared value.
    public let value: Value

    /// Puts the value on the heap.
    public init(_ value: Value) {
        self.value = value
    }

    /// Whether the values are equal; the same object is not compared.
    public static func == (left: Shared, right: Shared) -> Bool { left === right || left.value == right.value }

    /// Hashes the value.
    public func hash(into hasher: inout Hasher) { value.hash(into: &hasher) }

    /// Decodes a value of its own.
    public init(from decoder: any Decoder) throws {
        value = try Value(from: decoder)
    }

    /// Encodes the value.
    public func encode(to encoder: any Encoder) throws {
        try value.encode(to: encoder)
    }
}
