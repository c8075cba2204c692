/// The most connections for one file.
public enum SplitLimit: Hashable, Sendable, Codable {
    /// As many as help, up to eight.
    case auto
    /// At least 1; as many as help, and no more than this.
    case atMost(Int)

    /// The largest number that is accepted: servers ban clients for more.
    public static let most = 16

    /// The user named a number.
    package var isNamed: Bool { self != .auto }

    /// The bound as a number.
    package var connections: Int {
        switch self {
        case .auto: 8
        case .atMost(let count): min(Self.most, max(1, count))
        }
    }

    /// As `--split` takes it.
    package var text: String {
        switch self {
        case .auto: "auto"
        case .atMost(let count): "\(count)"
        }
    }

    /// - Parameter text: `auto`, or a number from 1 to 16.
    package init(reading text: some StringProtocol) throws(InvalidValue) {
        if text.lowercased() == "auto" {
            self = .auto
        } else if let count = Int(text), (1...Self.most).contains(count) {
            self = .atMost(count)
        } else {
            throw InvalidValue("\(text.quoted) is not a number of connections; use auto, or 1 to \(Self.most)")
        }
    }
}
