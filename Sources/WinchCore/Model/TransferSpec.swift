/// One file that somebody wants: where from, where to, and how.
public struct TransferSpec: Hashable, Sendable, Codable {
    /// Mirrors of the same file, tried in order; at least one.
    public var urls: MirrorList
    public var direction: Direction
    public var startsPaused: Bool
    /// The target folder as given; made when missing.
    public var folder: String
    /// From `out=` or `-o`: a path below the folder. `nil`: the server or the URL names it.
    public var name: TargetPath?
    public var settings: Shared<TransferSettings>
    /// From a list of hashes (`--sums`); must hold besides that of the settings. Apart from these, which all files of a
    /// list share.
    @Boxed public var listedChecksum: Checksum? = nil

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

    /// The name the file will get unless the server says otherwise.
    public var expectedName: String {
        name?.text ?? urls.first.map { TargetName(url: $0).text } ?? TargetName.fallback
    }
}

/// An immutable value on the heap, so that a hundred thousand rows with the same settings hold one copy.
public final class Shared<Value: Hashable & Sendable & Codable>: Hashable, Sendable, Codable {
    public let value: Value

    public init(_ value: Value) {
        self.value = value
    }

    public static func == (left: Shared, right: Shared) -> Bool { left === right || left.value == right.value }

    public func hash(into hasher: inout Hasher) { value.hash(into: &hasher) }

    public init(from decoder: any Decoder) throws {
        value = try Value(from: decoder)
    }

    public func encode(to encoder: any Encoder) throws {
        try value.encode(to: encoder)
    }
}
