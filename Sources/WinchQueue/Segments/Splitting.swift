package import WinchModel
package import WinchProgress

/// How the bytes of one file are spread over its connections, and how many connections are worth it.
package struct Splitting: Sendable {
    /// `nil` between two attempts.
    package private(set) var map: ChunkMap?
    package internal(set) var controller: SplitController
    /// Why the file has one connection at a time; `nil`: it may have more.
    package private(set) var obstacle: SplitObstacle?
    /// Which of its URLs the connections of this attempt use.
    package internal(set) var sources = SplitSources()
    /// Bytes of several sources did not belong together: from now on one is used at a time.
    private(set) var usesOneSource = false
    /// Connections that brought bytes were lost, and none was let in since.
    private var hasLostConnections = false
    /// The attempt ends because a range was refused.
    private var endsForRefusal = false
    /// Attempts in a row that ended so and brought nothing.
    private var fruitlessRefusals = 0

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

    /// Connections that have bytes to bring or may get some.
    var lanes: Int { map?.chunks.count { !$0.isRetiring } ?? 0 }

    /// Connections that are about to end.
    var retiring: Int { map?.chunks.count(where: \.isRetiring) ?? 0 }

    /// - Parameter numbers: only these are counted.
    func retiring(of numbers: Set<Int>) -> Int {
        map?.chunks.count { $0.isRetiring && numbers.contains($0.number) } ?? 0
    }

    /// The first connection of an attempt brings the bytes from the first gap on.
    ///
    /// - Parameters:
    ///   - sources: that its connections may use.
    ///   - openedAt: when the connection was opened.
    /// - Returns: where the connection is to end; `nil`: at the end of the file.
    mutating func begin(
        _ number: Int, _ opening: Opening, total: Int64, minSplit: ByteCount, sources: SplitSources,
        openedAt: Moment, at now: Moment
    ) -> Int64? {
        if let found = opening.obstacle, obstacle == nil { refuse(found, at: now) }
        var map = ChunkMap(total: total, onDisk: opening.part.onDisk, minSplit: minSplit.bytes)
        guard let first = map.assign(number, isOpenEnded: true, at: now),
            first.range.lowerBound == opening.offset.bytes
        else { return nil }
        (self.map, self.sources) = (map, sources)
        _ = controller.apply(.opened(number), at: openedAt)
        _ = controller.apply(.answered(number), at: now)
        guard first.range.upperBound < total else { return nil }
        // Requests for ranges are refused: this one goes on over what is on disk.
        let end = isRefused ? self.map?.widen().last?.end : nil
        return end ?? first.range.upperBound
    }

    /// A request for a part of the file was refused: no further one is made, and those that run bring all they can.
    var isRefused: Bool { if case .refused? = obstacle { true } else { false } }

    /// The server sends another version of the file, and has cut off connections that brought this one.
    var isReplaced: Bool { isRefused && hasLostConnections }

    /// A connection was let in, or was lost after it had brought bytes.
    mutating func noteConnection(isLost: Bool) { hasLostConnections = isLost }

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

    /// Bytes have come over a connection.
    mutating func move(_ number: Int, through position: Int64, at now: Moment) -> [SplitDecision] {
        let count = map?.moved(number, through: position, at: now) ?? 0
        return controller.apply(.moved(number, ByteCount(bytes: count)), at: now)
    }

    /// The next piece for a connection that has brought its piece, or for a new one.
    mutating func assign(_ number: Int, isOpenEnded: Bool, at now: Moment) -> ChunkAssignment? {
        map?.expected = controller.expected
        return map?.assign(number, isOpenEnded: isOpenEnded, at: now)
    }

    /// The connection is no more.
    ///
    /// - Returns: the connections that go on into bytes that are free now.
    mutating func release(_ number: Int) -> [ChunkEnd] {
        let extended = map?.release(number)
        guard isRefused else { return extended.map { [$0] } ?? [] }
        // The later end of one and the same connection comes last.
        return [extended].compactMap(\.self) + (map?.widen() ?? [])
    }

    /// - Returns: as `ChunkMap.takeBack`.
    mutating func takeBack(at now: Moment) -> [ChunkEnd] { map?.takeBack(at: now) ?? [] }

    /// The connections that were opened last are given back; they bring what is soon there.
    ///
    /// - Parameter numbers: only these; `nil`: any.
    /// - Returns: where they end now.
    mutating func retire(_ count: Int, of numbers: Set<Int>? = nil, at now: Moment) -> [ChunkEnd] {
        newest(count, of: numbers).compactMap { map?.retire($0, at: now) }
    }

    /// The connections that were opened last end at once.
    ///
    /// - Parameter numbers: only these.
    mutating func drop(_ count: Int, of numbers: Set<Int>) -> [ChunkEnd] {
        newest(count, of: numbers).compactMap { map?.drop($0) }
    }

    /// These connections end at once.
    mutating func end(_ numbers: Set<Int>) -> [ChunkEnd] { numbers.sorted().compactMap { map?.drop($0) } }

    /// These bytes of the file are wrong.
    ///
    /// - Parameter source: that sent them; `nil`: it is not known.
    /// - Returns: as `SplitSources.sentWrongPiece`; `nil`: no gap of the file can be filled.
    mutating func forget(_ range: Range<Int64>, from source: Int?) -> (isUsable: Bool, isLeftAlone: Bool)? {
        guard map != nil, obstacle == nil else { return nil }
        map?.forget(ByteRanges(range))
        return sources.sentWrongPiece(source)
    }

    private func newest(_ count: Int, of numbers: Set<Int>? = nil) -> some Sequence<Int> {
        let lanes = map?.chunks.filter { !$0.isRetiring } ?? []
        // The first stays: a plain GET may be all that the server gives.
        let others = lanes.map(\.number).sorted().dropFirst()
        return others.filter { numbers?.contains($0) ?? true }.suffix(max(0, count))
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
        for chunk in map?.chunks ?? [] { _ = controller.apply(.closed(chunk.number), at: now) }
        map = nil
    }
}
