package import WinchModel

/// The value of `--shard`.
package enum ShardChoice: Hashable, Sendable {
    case fixed(Shard)
    /// The environment that a scheduler gives to its tasks says which.
    ///
    /// - Parameter count: of all parts, where it was given; `nil`: the environment says that as well.
    case automatic(count: Int?)

    /// - Parameter text: `3/8`, `auto` or `auto/8`.
    package init(reading text: some StringProtocol) throws(InvalidValue) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        if parts.first?.lowercased() == "auto" {
            guard parts.count == 2 else {
                self = .automatic(count: nil)
                return
            }
            guard let count = Self.number(parts[1]) else { throw Self.invalid(text) }
            // Checks the number.
            self = .automatic(count: try Shard(0, of: count).count)
            return
        }
        guard parts.count == 2, let index = Self.number(parts[0]), let count = Self.number(parts[1]) else {
            throw Self.invalid(text)
        }
        self = .fixed(try Shard(index, of: count))
    }

    /// - Parameter environment: of the process.
    /// - Throws: when the environment does not say which part it is, or contradicts itself.
    package func shard(in environment: [String: String]) throws(InvalidValue) -> Shard {
        switch self {
        case .fixed(let shard): shard
        case .automatic(let count): try ArrayTask.shard(count: count, in: environment)
        }
    }

    private static func invalid(_ text: some StringProtocol) -> InvalidValue {
        InvalidValue("'\(text.prefix(40))' is no shard; use 3/8 (counted from 0), auto, or auto/8")
    }

    /// Digits only: no sign, no blanks.
    static func number(_ text: some StringProtocol) -> Int? {
        let isNumber = !text.isEmpty && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return isNumber ? Int(text) : nil
    }
}
