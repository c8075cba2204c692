import WinchBatch
import WinchHTTP
import WinchModel

/// The hashes that a file must have, and those that are made of it while it comes. One for each file. Used on
/// the loop's thread only.
final class BodyHasher {
    private let request: ConnectionRequest
    /// For files whose names only servers or Metalinks tell.
    private let listedChecksums: ChecksumList
    private let finisher: Finisher

    /// What the user's list demands of the file under the name that it gets here.
    private var listed: Checksum?
    /// What a Metalink that the server has named says of it.
    private var described: Checksum?
    /// Where the body belongs in the file.
    private var range: (offset: Int64, end: Int64?) = (0, nil)
    private(set) var lastDemands: [ExpectedChecksum] = []
    private var running: (digest: PartHasher, fed: Int64)?

    /// So many bytes between two nudges of the hashing thread: less is not worth waking it.
    private static let step: Int64 = 1 << 20

    init(_ request: ConnectionRequest, listedChecksums: ChecksumList, finisher: Finisher) {
        self.request = request
        self.listedChecksums = listedChecksums
        self.finisher = finisher
    }

    deinit { running?.digest.giveUp() }

    /// The body is about to come. `run` follows when it goes into a part.
    ///
    /// - Parameters:
    ///   - path: of the file, below the target folder, as lists name it; `nil`: the name is not known. Computed only for
    ///     a list.
    ///   - offset: of the body in the file.
    ///   - end: of the body in the file; `nil` when only the end of the body tells.
    func begin(path: @autoclosure () -> String?, offset: Int64, end: Int64?) {
        giveUp()
        described = nil
        let isListed = request.listedChecksum != nil && request.listedOrigin != .metalink
        listed = isListed || listedChecksums.isEmpty ? nil : path().flatMap { listedChecksums.checksum(of: $0) }
        range = (offset, end)
    }

    /// Hashes the part from its start, beside the network.
    ///
    /// - Parameter total: of the file: a small one is hashed when it is complete.
    func run(_ demands: [ExpectedChecksum], on part: PartFile, total: Int64?) {
        guard !demands.isEmpty, (total ?? .max) > FinishJob.smallest else { return }
        running = (PartHasher(demands, file: part.file, path: part.path), 0)
        feed(part)
    }

    /// The same once more: the bytes that were hashed are not those of the file.
    func runAgain(_ demands: [ExpectedChecksum], on part: PartFile, total: Int64?) {
        giveUp()
        run(demands, on: part, total: total)
    }

    /// The file must have a certain hash, from whatever source that is known.
    var isDemanded: Bool { !lastDemands.isEmpty }

    /// With what a trailer brought, if there was one.
    ///
    /// - Parameter known: what an earlier answer said of the same file.
    func demands(_ head: ResponseHead, known: ExpectedChecksum? = nil) -> [ExpectedChecksum] {
        var demands = ExpectedChecksum.all(
            request.settings.value, listed: request.listedChecksum ?? listed,
            from: request.listedChecksum == nil ? .list : request.listedOrigin, head, offset: range.offset,
            end: range.end)
        // Of equal demands the user's is the one that is reported.
        if request.listedChecksum != nil, let listed { demands.insert(ExpectedChecksum(listed, origin: .list), at: 0) }
        return withDescribed(ExpectedChecksum.distinct(demands + [known].compactMap(\.self)))
    }

    /// Neither the user nor a list says what the file hashes to.
    var isDescribable: Bool { request.settings.value.checksum == nil && request.listedChecksum == nil && listed == nil }

    /// A Metalink that the server has named says what the file hashes to. What the user demands counts more.
    ///
    /// - Returns: the demands, which are taken to be reported; `nil` when they are as they were.
    func describe(_ checksum: Checksum) -> [ExpectedChecksum]? {
        guard isDescribable else { return nil }
        described = checksum
        return unreported(withDescribed(lastDemands))
    }

    private func withDescribed(_ demands: [ExpectedChecksum]) -> [ExpectedChecksum] {
        guard let described else { return demands }
        return ExpectedChecksum.distinct(demands + [ExpectedChecksum(described, origin: .metalink)])
    }

    func unreported(_ demands: [ExpectedChecksum]) -> [ExpectedChecksum]? {
        defer { lastDemands = demands }
        return demands == lastDemands ? nil : demands
    }

    /// More of the part is on disk. The bytes before its first gap are hashed.
    func feed(_ part: PartFile, isLast: Bool = false) {
        let end = part.written
        guard let (digest, fed) = running, isLast || end - fed >= Self.step else { return }
        running = (digest, end)
        if digest.extend(to: end) { finisher.hash(digest) }
    }

    /// The body is complete: the hashes so far, for the finisher. `nil`: there are none.
    func takeRunning() -> PartHasher? {
        defer { running = nil }
        return running?.digest
    }

    /// Nothing more comes, or the bytes are about to be others.
    func giveUp() {
        running?.digest.giveUp()
        running = nil
    }
}
