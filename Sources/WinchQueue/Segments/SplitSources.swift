import WinchModel

/// Which of a file's URLs its connections use at the same time: all of them under a checksum, which tells in the end whether
/// their bytes belong together, else only the one in use.
package struct SplitSources: Hashable, Sendable {
    /// A URL that a new connection could use.
    struct Candidate: Hashable {
        /// In the transfer's URLs.
        var source: Int
        var host: String
        /// Connections of this file that use it.
        var open: Int
        /// Connections that its host would take now.
        var places: Int
    }

    /// The hosts of the URLs that may be used, by their places in the transfer's list.
    private var hosts: [Int: String]
    /// Times in a row that a connection to a source failed.
    private var failures: [Int: Int] = [:]
    /// Sources that sent something else than the file's bytes.
    private var wrong: Set<Int> = []
    /// Pieces with a wrong hash, in this attempt.
    private var wrongPieces = 0
    /// The only source has sent no wrong piece yet.
    private var hasSecondTry = true
    /// Sources that bytes of this attempt came from.
    private var used: Set<Int> = []

    /// So often in a row a source may fail before it is left alone.
    private static let mostFailures = 2
    /// So many wrong pieces, and the file is given up: bytes of a source that lies are in many pieces at first.
    private static let mostWrongPieces = 1000

    /// - Parameter first: the source of the first connection.
    init(hosts: [Int: String], first: Int) {
        self.hosts = hosts
        used = [first]
    }

    /// Before an attempt.
    init() { hosts = [:] }

    /// More of the file's URLs may be used.
    mutating func add(_ others: SplitSources) { hosts.merge(others.hosts) { known, _ in known } }

    /// Bytes came from several, so that it is not known which of them sent wrong ones.
    var areMixed: Bool { used.count > 1 }

    /// There is a choice.
    package var areSeveral: Bool { hosts.count > 1 }

    /// The sources that may be used now, the first of the list first.
    var usable: [(source: Int, host: String)] {
        hosts.filter { failures[$0.key, default: 0] < Self.mostFailures && !wrong.contains($0.key) }
            .sorted { $0.key < $1.key }.map { (source: $0.key, host: $0.value) }
    }

    /// Those of the usable ones that bytes of this attempt came from.
    var proven: Set<Int> { used.intersection(usable.map { $0.source }) }

    /// The connections are spread evenly, and the first of the list come first.
    static func choice(among candidates: [Candidate]) -> Candidate? {
        candidates.filter { $0.places > 0 }.min { ($0.open, $0.source) < ($1.open, $1.source) }
    }

    /// A connection to the source failed.
    mutating func failed(_ source: Int) { failures[source, default: 0] += 1 }

    /// A connection to the source brings bytes.
    mutating func served(_ source: Int) {
        failures[source] = nil
        used.insert(source)
    }

    /// A piece from the source has a wrong hash.
    ///
    /// - Parameter source: `nil`: it is not known.
    /// - Returns: whether a source is left that may be right, and whether this one is left alone from now on. The only one gets
    ///   a second try: bytes may also go wrong on their way.
    mutating func sentWrongPiece(_ source: Int?) -> (isUsable: Bool, isLeftAlone: Bool) {
        wrongPieces += 1
        guard wrongPieces <= Self.mostWrongPieces else { return (false, false) }
        guard let source else { return (true, false) }
        guard usable.contains(where: { $0.source != source }) else {
            defer { hasSecondTry = false }
            return (hasSecondTry, false)
        }
        wrong.insert(source)
        return (true, true)
    }

    /// The source sends another file.
    mutating func exclude(_ source: Int) { wrong.insert(source) }
}
