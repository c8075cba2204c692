/// What the controller concluded, for the log.
package struct SplitDecision: Hashable, Sendable {
    package enum Verdict: Hashable, Sendable {
        case kept
        case givenBack
        /// The arrivals are too far apart to tell yet; another level is tried meanwhile.
        case undecided
        case refused(SplitRefusal)
    }

    /// The connections that were tried: the third and fourth are 3...4.
    package var tried: ClosedRange<Int>
    /// The whole rate of the host against the level below, as a fraction: 0.93 is +93 %; `nil` when it was not measured.
    package var gain: Double?
    package var verdict: Verdict
    /// Connections from now on.
    package var level: Int

    /// E.g. `second connection: +93 %, kept`.
    package var text: String {
        let percent = gain.map { gain in
            let number = Int(max(-999, min(gain * 100, 99_999)).rounded())
            return "\(number < 0 ? "" : "+")\(number) %"
        }
        let verdict =
            switch verdict {
            case .kept: "kept"
            case .givenBack: "given back"
            case .undecided: "measuring"
            case .refused(let refusal): "refused (\(refusal.text)), \(level) from now on"
            }
        return "\(Self.name(of: tried)): \([percent, verdict].compactMap { $0 }.joined(separator: ", "))"
    }

    private static func name(of tried: ClosedRange<Int>) -> String {
        guard tried.count == 1 else { return "connections \(tried.lowerBound) to \(tried.upperBound)" }
        let words = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"]
        let index = tried.lowerBound - 1
        return words.indices.contains(index) ? "\(words[index]) connection" : "connection \(tried.lowerBound)"
    }
}

/// Why a file has no more connections than it has, for its row and its details.
package enum SplitNote: Hashable, Sendable {
    /// More were tried and brought less than 5 %.
    case moreDidNotHelp(connections: Int)
    /// The host refuses more.
    case serverAllows(Int)
    /// The URL is valid for one request.
    case oneRequestOnly
    /// The server cannot serve ranges of this file.
    case noRanges

    /// After the number of connections: `more did not help`.
    package var reason: String {
        switch self {
        case .moreDidNotHelp: "more did not help"
        case .serverAllows(let count): "the server allows \(count)"
        case .oneRequestOnly: "the URL may be valid only once"
        case .noRanges: "the server cannot serve parts"
        }
    }
}
