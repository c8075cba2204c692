import FaultServer
import TestSupport
import Testing
import WinchTransport

@testable import WinchBatch
@testable import WinchModel

/// A transport with its own folder, and all its reports.
final class Rig: Sendable {
    let folder: TemporaryFolder
    let transport: TransportThreads
    private let files: FileServices
    let reports: AsyncStream<TransportReport>

    init(
        folder: TemporaryFolder? = nil, threads: Int = 2, files: FileServices? = nil,
        listedChecksums: ChecksumLists = ChecksumLists(),
        clock: @escaping @Sendable () -> Moment = SystemClock.moment,
        wallClock: @escaping @Sendable () -> Int64 = SystemClock.wallSeconds,
        lookUp: @escaping @Sendable (String) -> NameLookup.Answer = NameLookup.ask
    ) throws {
        self.folder = try folder ?? TemporaryFolder()
        let (stream, continuation) = AsyncStream.makeStream(of: TransportReport.self)
        reports = stream
        self.files = try files ?? FileServices()
        transport = try TransportThreads(
            count: threads, files: self.files, listedChecksums: listedChecksums, clock: clock, wallClock: wallClock,
            lookUp: lookUp
        ) { batch in
            for report in batch { continuation.yield(report) }
        }
    }

    /// Runs `body` with a server and a transport of its own, which end afterwards.
    @discardableResult
    static func serving<Outcome: Sendable>(
        _ body: (FaultServer, Rig) async throws -> Outcome
    ) async throws -> Outcome {
        try await FaultServer.serving { server in try await body(server, try Rig()) }
    }

    func start(
        _ url: String, id: Int = 1, attempt: Int = 0, name: String? = nil, resume: ResumePoint? = nil,
        isFurther: Bool = false, rate: ByteRate? = nil, below: String = "", listed: Checksum? = nil,
        listedSize: ByteCount? = nil, pieces: PieceHashes? = nil, upload: UploadOrder? = nil,
        listing: FolderOrder? = nil, namedParts: Int = 0, version: ListedVersion? = nil,
        finished: FinishedFile? = nil, followsRefusal: Bool = false,
        settings change: (inout TransferSettings) -> Void = { _ in }
    ) throws {
        var settings = TransferSettings()
        settings.stallTimeout = .seconds(10)
        change(&settings)
        var request = ConnectionRequest(
            connection: ConnectionID(transfer: TransferID(id), number: attempt), url: try TransferURL(url),
            folder: folder.path + below, name: try name.map { try TargetPath($0) }, settings: Shared(settings),
            resume: resume, rateLimit: rate)
        request.listedChecksum = listed
        (request.listedSize, request.pieces) = (listedSize, pieces)
        (request.isFurther, request.upload) = (isFurther, upload)
        (request.folderOrder, request.namedParts, request.listedVersion) = (listing, namedParts, version)
        (request.finishedFile, request.followsRefusal) = (finished, followsRefusal)
        transport.open(request)
    }

    /// Asks for the size, and returns all reports up to the answer.
    func probe(_ url: String, id: Int = 1) async throws -> [TransportEvent] {
        transport.probe(
            ProbeRequest(id: TransferID(id), url: try TransferURL(url), settings: Shared(TransferSettings())))
        return await events(of: id) { if case .probed = $0 { true } else { false } }
    }

    /// Everything that one transfer reports up to the expected event.
    func events(of id: Int = 1, until isLast: (TransportEvent) -> Bool) async -> [TransportEvent] {
        var events: [TransportEvent] = []
        for await report in reports where report.id == TransferID(id) {
            events.append(report.event)
            if isLast(report.event) { break }
        }
        return events
    }

    /// Everything until it is finished, failed or stopped.
    func settled(_ id: Int = 1) async -> [TransportEvent] {
        await events(of: id) { $0.endsAttempt }
    }

    /// How several transfers ended.
    func settledAll(_ count: Int) async -> [TransferID: TransportEvent] {
        var ends: [TransferID: TransportEvent] = [:]
        for await report in reports {
            switch report.event {
            case .finished, .failed, .stopped: ends[report.id] = report.event
            default: break
            }
            if ends.count == count { break }
        }
        return ends
    }

    /// Downloads repeatedly after each cut, as the queue would.
    ///
    /// - Returns: what each attempt reported.
    func fetchAll(
        _ url: String, id: Int = 1, attempts: Int = 20, settings change: (inout TransferSettings) -> Void = { _ in }
    ) async throws -> [[TransportEvent]] {
        var all: [[TransportEvent]] = []
        var resume: ResumePoint?
        for _ in 0..<attempts {
            let events = try await fetch(url, id: id, resume: resume, settings: change)
            all.append(events)
            guard case .failed(_, _, let kept) = events.last else { break }
            resume = kept
        }
        return all
    }

    /// Downloads and returns how it ended.
    func fetch(
        _ url: String, id: Int = 1, name: String? = nil, resume: ResumePoint? = nil, listed: Checksum? = nil,
        followsRefusal: Bool = false, settings change: (inout TransferSettings) -> Void = { _ in }
    ) async throws -> [TransportEvent] {
        try start(
            url, id: id, name: name, resume: resume, listed: listed, followsRefusal: followsRefusal, settings: change)
        return await settled(id)
    }
}

extension TransportEvent {
    /// Nothing follows before the transfer is started again.
    var endsAttempt: Bool {
        switch self {
        case .finished, .failed, .stopped, .listed: true
        default: false
        }
    }

    /// The end of the bytes that have come.
    var position: Int64? {
        if case .moved(let bytes, _) = self { bytes.upperBound } else { nil }
    }
}

extension [TransportEvent] {
    var failure: TransferFailure? {
        if case .failed(let failure, _, _) = last { failure } else { nil }
    }

    var kept: ResumePoint? {
        switch last {
        case .failed(_, _, let kept), .stopped(let kept): kept
        default: nil
        }
    }

    var saved: String? {
        if case .finished(.saved(let path), _) = last { path } else { nil }
    }

    var openings: [Opening] {
        compactMap { if case .opened(let opening) = $0 { opening } else { nil } }
    }

    var counts: [Int64] {
        compactMap(\.position)
    }
}

extension FaultServer {
    static func content(_ name: String, _ count: Int64) -> [UInt8] { SeededContent(name: name).bytes(in: 0..<count) }
}
