import WinchModel

/// A file of a Metalink while its elements are read. Its first error leaves it out; hashes of unknown types, and mirrors that
/// Winch cannot use, are left out with a warning.
struct MetalinkFileDraft {
    /// Of the element that is read.
    var line: Int
    private let start: Int
    private let name: String
    private var size: ByteCount?
    private var checksums: [Checksum] = []
    private var hashType = ""
    /// A type that Winch cannot verify, of the file's hash or of its pieces.
    private var unknownType: String?
    private var urls: [(order: Int, url: TransferURL)] = []
    private var order = 0
    private var urlCount = 0
    private var piecesDraft: PieceHashesDraft?
    private var pieces: [PieceHashes] = []
    private var error: BatchProblem?
    private var warnings: [BatchProblem] = []

    /// Real lists have up to two hundred.
    private static let mostURLs = 1000
    /// Mirrors that are kept: no more are tried within a day.
    private static let mostKept = 64
    /// A file of 1 TiB in pieces of 4 MiB.
    private static let mostPieces = 262_144

    init(name: String, line: Int) {
        self.name = name
        self.line = line
        start = line
    }

    // MARK: - Size and hashes

    mutating func take(size text: String) {
        guard let bytes = Int64(digits: text) else { return fail("no size in bytes: \(text.prefix(40))") }
        size = ByteCount(bytes: bytes)
    }

    mutating func beginHash(type: String, line: Int) {
        (hashType, self.line) = (type, line)
    }

    mutating func take(hash text: String) {
        guard let algorithm = Checksum.Algorithm(named: hashType) else {
            unknownType = hashType
            return
        }
        guard let checksum = Checksum("\(algorithm.rawValue)=\(text)") else {
            return fail("no \(algorithm.rawValue) hash: \(text.prefix(40))")
        }
        if let other = checksums.first(where: { $0.algorithm == algorithm }), other != checksum {
            return fail("another \(algorithm.rawValue) hash than before")
        }
        checksums.append(checksum)
    }

    // MARK: - Pieces

    mutating func beginPieces(type: String, length: String, line: Int) {
        self.line = line
        piecesDraft = PieceHashesDraft(type: type, length: length)
        guard piecesDraft == nil else { return }
        if Checksum.Algorithm(named: type) == nil {
            unknownType = type
        } else {
            warn("the pieces are ignored: no piece length: \(length.prefix(40))")
        }
    }

    /// - Parameter index: from 0, in version 3 only.
    mutating func beginPiece(index: String?, line: Int) throws(InvalidValue) {
        self.line = line
        guard piecesDraft != nil else { return }
        guard piecesDraft?.begin(index: index) ?? 0 <= Self.mostPieces else {
            throw InvalidValue("a file has at most \(NumberFormat.count(Self.mostPieces)) pieces")
        }
    }

    mutating func take(piece text: String) {
        guard let fault = piecesDraft?.take(text) else { return }
        piecesDraft = nil
        warn("the pieces are ignored: \(fault)")
    }

    mutating func closePieces() {
        if let hashes = piecesDraft?.hashes { pieces.append(hashes) }
        piecesDraft = nil
    }

    // MARK: - URLs

    /// - Parameters:
    ///   - priority: of version 4, 1 to 999999; 1 is used first.
    ///   - preference: of version 3, 0 to 100; 100 is used first.
    mutating func beginURL(priority: String?, preference: String?, line: Int) {
        self.line = line
        let last = 999_999
        if let number = priority.flatMap({ Int($0) }) {
            order = min(max(number, 1), last)
        } else if let number = preference.flatMap({ Int($0) }) {
            order = 101 - min(max(number, 0), 100)
        } else {
            order = last
        }
    }

    mutating func take(url text: String) throws(InvalidValue) {
        urlCount += 1
        guard urlCount <= Self.mostURLs else {
            throw InvalidValue("a file has at most \(NumberFormat.count(Self.mostURLs)) URLs")
        }
        do throws(TransferURL.Fault) {
            urls.append((order, try TransferURL(text)))
        } catch {
            // Torrents, magnet links and rsync servers are common, and are no mistake.
            if case .unsupportedScheme = error { return }
            if case .noScheme = error, text.utf8.starts(with: "magnet:".utf8) { return }
            warn("a mirror is ignored: \(error.message)")
        }
    }

    // MARK: - The end

    /// - Returns: the file, unless it has an error; and what is wrong with it, in the order of the lines.
    func finished() -> (file: MetalinkFile?, problems: [BatchProblem]) {
        func refused(_ message: String) -> (MetalinkFile?, [BatchProblem]) {
            (nil, [BatchProblem(line: start, severity: .error, message: message)])
        }
        if let error { return (nil, [error]) }
        let path: TargetPath
        do throws(TargetPath.Fault) {
            path = try safePath()
        } catch {
            return refused("<file name=\"\(name.prefix(80))\">: the name \(error.message)")
        }
        guard !urls.isEmpty else { return refused("\(path.text.prefix(80)) has no URL that winch can fetch") }
        var file = MetalinkFile(line: start, path: path, size: size, urls: distinctURLs)
        file.checksum = checksums.max { $0.algorithm.length < $1.algorithm.length }
        file.pieces = pieces.filter { hashes in size.map { hashes.cover($0) } ?? true }
            .max { $0.algorithm.length < $1.algorithm.length }
        var problems = warnings
        if file.pieces == nil, !pieces.isEmpty {
            problems.append(
                BatchProblem(
                    line: start, severity: .warning, message: "the pieces are ignored: they are not as long as the file"
                ))
        }
        if let unknownType, file.checksum == nil, file.pieces == nil {
            let message = "\(path.text.prefix(80)) is not verified: unknown checksum type: \(unknownType.prefix(20))"
            problems.append(BatchProblem(line: start, severity: .warning, message: message))
        }
        return (file, problems)
    }

    /// The name, each part of which is made as safe as a name from a server.
    private func safePath() throws(TargetPath.Fault) -> TargetPath {
        let given = try TargetPath(name)
        let parts = (given.folders + [Substring(given.name)]).map { TargetName(sanitizing: $0) }
        guard parts.allSatisfy({ $0 != nil }) else { throw .empty }
        return try TargetPath(parts.compactMap { $0?.text }.joined(separator: "/"))
    }

    private var distinctURLs: [TransferURL] {
        var seen: Set<TransferURL> = []
        // By their place as well, because the sort need not keep the order of equal elements.
        let ordered = urls.enumerated().sorted { ($0.element.order, $0.offset) < ($1.element.order, $1.offset) }
        return Array(ordered.map(\.element.url).filter { seen.insert($0).inserted }.prefix(Self.mostKept))
    }

    private mutating func fail(_ message: String) {
        error = error ?? BatchProblem(line: line, severity: .error, message: message)
    }

    /// Adds a warning; the number for one file is bounded.
    private mutating func warn(_ message: String) {
        guard warnings.count < 10 else { return }
        warnings.append(BatchProblem(line: line, severity: .warning, message: message))
    }
}

/// A list of piece hashes while it is read.
struct PieceHashesDraft {
    private let length: ByteCount
    private let algorithm: Checksum.Algorithm
    private var digests: [UInt8] = []
    private var count = 0
    /// The piece in hand is not the next one.
    private var isOutOfOrder = false

    /// - Returns: `nil` for an unknown hash function or a length that is no number above 0.
    init?(type: String, length: String) {
        guard let algorithm = Checksum.Algorithm(named: type), let bytes = Int64(length), bytes > 0 else {
            return nil
        }
        (self.algorithm, self.length) = (algorithm, ByteCount(bytes: bytes))
    }

    /// - Returns: the number of pieces with this one.
    mutating func begin(index: String?) -> Int {
        isOutOfOrder = index.map { Int($0) != count } ?? false
        count += 1
        return count
    }

    /// - Returns: what is wrong with it; `nil`: nothing.
    mutating func take(_ text: String) -> String? {
        guard !isOutOfOrder else { return "they are not in order" }
        guard let digest = Hex.decoded(text), digest.count == algorithm.length else {
            return "no \(algorithm.rawValue) hash: \(text.prefix(40))"
        }
        digests += digest
        return nil
    }

    /// `nil` without a piece.
    var hashes: PieceHashes? { PieceHashes(length: length, algorithm: algorithm, digests: digests) }
}
