package import WinchModel

/// How many connections one file has, and which of its sources they use. The transport spreads the bytes over them.
package struct Splitting: Sendable {
    /// The first connection of an attempt brings bytes, and others may join it.
    package private(set) var isOpen = false
    package internal(set) var controller: SplitController
    /// Why the file has one connection at a time; `nil`: it may have more.
    package private(set) var obstacle: SplitObstacle?
    /// Which of its URLs the connections of this attempt use.
    package internal(set) var sources = SplitSources()
    /// Bytes of several sources did not belong together: from now on one is used at a time.
    private(set) var usesOneSource = false
    /// Connections that brought bytes were lost, and none was let in since.
    private var hasLostConnections = false
    /// A server has sent a part of the file in this attempt.
    private var hasPart = false
    /// The source in use has answered a request for a part with something else in this attempt.
    private var hasWrongAnswer = false
    /// The attempt ends because a range was refused.
    private var endsForRefusal = false
    /// Attempts in a row that ended so and brought nothing.
    private var fruitlessRefusals = 0
    /// Until then no other connection is opened: the last one found nothing that was worth a request.
    private var isEnoughUntil: Moment?
    private var enoughFor = Self.firstEnough

    /// - Parameter allowance: connections that the host was found to allow for one file; `nil`: it is not known.
    init(isSigned: Bool, allowance: Int?, at now: Moment) {
        controller = SplitController(mayRepeatRequest: !isSigned, allowance: allowance, at: now)
        if isSigned { obstacle = .signedAddress }
    }

    /// Why there are not more connections, for the user; `nil`: more are tried, or not needed.
    var reason: String? {
        obstacle?.words ?? (controller.lacksPlaces ? controller.circumstances.fullHost : nil) ?? controller.note
    }

    /// Why only one of several mirrors is used, for the user; `nil`: more are.
    var mirrorReason: String? {
        if usesOneSource { return "one mirror at a time: the checksum was wrong" }
        return sources.areSeveral ? nil : "one mirror at a time: no checksum is demanded"
    }

    /// The first connection of an attempt brings the bytes from the first gap on.
    mutating func begin(
        _ number: Int, obstacle found: SplitObstacle?, sources: SplitSources, openedAt: Moment, at now: Moment
    ) {
        if let found, obstacle == nil { refuse(found, at: now) }
        (isOpen, self.sources) = (true, sources)
        expectMore()
        _ = controller.apply(.opened(number), at: openedAt)
        _ = controller.apply(.answered(number), at: now)
    }

    /// A connection found nothing that was worth a request: the next is opened after a while, twice as long each time. Several
    /// that were opened together count as one.
    mutating func noteEnough(at now: Moment) {
        guard !isEnough(at: now) else { return }
        isEnoughUntil = now + enoughFor
        enoughFor = min(Self.longestEnough, enoughFor * 2)
    }

    /// The connections have changed: another may find something to bring.
    private mutating func expectMore() { (isEnoughUntil, enoughFor) = (nil, Self.firstEnough) }

    /// The user wants so many.
    mutating func demand(_ count: Int, at now: Moment) {
        expectMore()
        controller.demand(count, at: now)
    }

    func isEnough(at now: Moment) -> Bool { isEnoughUntil.map { now < $0 } ?? false }

    /// The rates of the others are not known yet when a file begins.
    private static let firstEnough = Duration.milliseconds(20)
    private static let longestEnough = Duration.seconds(8)

    /// A request for a part of the file was refused: no further one is made, and those that run bring all they can.
    var isRefused: Bool { if case .refused? = obstacle { true } else { false } }

    /// The server sends another version of the file, and has cut off connections that brought this one.
    var isReplaced: Bool { isRefused && hasLostConnections }

    /// A connection was let in, or was lost after it had brought bytes.
    ///
    /// - Parameter isNew: it has brought nothing before.
    mutating func noteConnection(isLost: Bool, isNew: Bool = false) {
        hasLostConnections = isLost
        if !isLost { hasPart = true }
        if isLost || isNew { expectMore() }
    }

    /// A request for a part was answered with something else.
    ///
    /// - Returns: whether it may be chance, as of one of several machines behind an address: the first after right answers,
    ///   while no connection is lost.
    mutating func noteWrongAnswer() -> Bool {
        defer { hasWrongAnswer = true }
        return hasPart && !hasWrongAnswer && !hasLostConnections
    }

    /// The server of a source sends no more parts of the file. The others that have sent some go on without it.
    ///
    /// - Returns: these; where there is none, nothing is changed.
    mutating func leave(_ source: Int) -> Set<Int> {
        let others = obstacle == nil ? sources.proven.subtracting([source]) : []
        guard !others.isEmpty else { return [] }
        sources.exclude(source)
        hasWrongAnswer = false
        return others
    }

    /// The attempt ends because a range was refused: the next asks for all that is missing, over one connection.
    mutating func endForRefusal(_ reason: String, at now: Moment) {
        if !isRefused { refuse(.refused(reason: reason), at: now) }
        endsForRefusal = true
    }

    /// - Returns: whether the attempt has ended because a range was refused, and the next is not to be counted.
    mutating func takeRefusal(hasProgress: Bool) -> Bool {
        guard endsForRefusal else { return false }
        (endsForRefusal, hasLostConnections) = (false, false)
        if hasProgress { fruitlessRefusals = 0 }
        fruitlessRefusals += 1
        return fruitlessRefusals == 1
    }

    /// The file has one connection at a time from now on.
    mutating func refuse(_ obstacle: SplitObstacle, at now: Moment) {
        self.obstacle = obstacle
        _ = controller.apply(.unsplittable, at: now)
    }

    /// A piece of the file has a wrong hash.
    ///
    /// - Returns: as `SplitSources.sentWrongPiece`; `nil`: no gap of the file can be filled.
    mutating func takeWrongPiece(from source: Int?) -> (isUsable: Bool, isLeftAlone: Bool)? {
        isOpen && obstacle == nil ? sources.sentWrongPiece(source) : nil
    }

    /// The file has a wrong checksum.
    ///
    /// - Returns: whether it may be because of a source other than the one in use: then the file is fetched from one source alone.
    mutating func distrustSources() -> Bool {
        guard sources.areMixed else { return false }
        usesOneSource = true
        sources = SplitSources()
        return true
    }

    mutating func endAttempt(at now: Moment) {
        for number in controller.connections.keys.sorted() { _ = controller.apply(.closed(number), at: now) }
        (isOpen, hasPart, hasWrongAnswer) = (false, false, false)
    }
}

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
