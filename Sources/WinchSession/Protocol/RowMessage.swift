package import WinchModel

/// A row in the protocol: one object of the fields of both parts. Fields that do not apply are left out.
package struct RowMessage: Codable, Sendable {
    private let state: RowState
    private let told: TransferSnapshot.Told

    package var id: TransferID { state.id }

    package init(_ row: TransferSnapshot) { (state, told) = (RowState(row), row.told) }

    package init(from decoder: any Decoder) throws {
        (state, told) = try (RowState(from: decoder), TransferSnapshot.Told(from: decoder))
    }

    package func encode(to encoder: any Encoder) throws {
        try state.encode(to: encoder)
        try told.encode(to: encoder)
    }

    /// The row that it describes. What a field lacks is taken as unknown.
    package var snapshot: TransferSnapshot {
        var row = state.snapshot
        row.told = told
        return row
    }
}

/// The fields of a row that are not `TransferSnapshot.Told`.
struct RowState: Codable {
    enum Wait: String, Codable, CaseIterable {
        case slot, hostSlot, held, sizing, space
    }

    var id: TransferID
    var direction: Direction
    var name: String
    var host: String
    /// The URL in use, without a login.
    var url: String?
    /// The target folder; of `waiting` for space the one that has too little.
    var folder: String?
    /// As in `TransferSpec`; left out: 0.
    var namedParts: Int?
    var state: TransferPhase.State
    /// Of `waiting`: for what.
    var wait: Wait?
    /// Of `backoff`: when the next attempt starts, its number, and that of the last one.
    var until: Moment?
    var attempt: Int?
    var limit: Int?
    /// Of `finished`.
    var outcome: TransferPhase.Outcome.Kind?
    var path: String?
    var files: Int?
    /// Of a folder that is being listed, or was.
    var found: Found?
    /// Of `failed` and `backoff`: for programs, and for people.
    var failure: TransferFailure?
    var reason: String?
    var have: ByteCount
    var size: ByteCount
    var sizeIs: SizeKnowledge.Source
    var percent: Int?
    var split: SplitProgress?
}

extension RowState {
    init(_ row: TransferSnapshot) {
        (id, direction, name, host, have) = (row.id, row.direction, row.name, row.host, row.have)
        url = row.urls.isEmpty ? nil : row.url
        folder = row.folder.isEmpty ? nil : row.folder
        namedParts = row.namedParts > 0 ? Int(row.namedParts) : nil
        size = row.size.guess
        sizeIs = row.size.source
        percent = row.percent
        split = row.split
        state = row.phase.state
        set(row.phase)
        if let found = row.found { self.found = found }
    }

    private mutating func set(_ phase: TransferPhase) {
        switch phase {
        case .waiting(let wait): set(wait)
        case .backoff(let until, let attempt, let limit, let failure):
            (self.until, self.attempt, self.limit) = (until, attempt, limit)
            (self.failure, reason) = (failure, failure.message)
        case .finished(let outcome):
            (self.outcome, path, files) = (outcome.kind, outcome.path, outcome.found?.files)
            if let found = outcome.found, found != Found(files: found.files) { self.found = found }
        case .failed(let failure): (self.failure, reason) = (failure, failure.message)
        case .connecting, .requested, .moving, .paused, .replying, .verifying, .cancelled: break
        }
    }

    private mutating func set(_ wait: TransferPhase.Wait) {
        switch wait {
        case .slot: self.wait = .slot
        case .hostSlot: self.wait = .hostSlot
        case .held: self.wait = .held
        case .sizing: self.wait = .sizing
        case .space(let folder): (self.wait, self.folder) = (.space, folder)
        }
    }
}

extension RowState {
    var snapshot: TransferSnapshot {
        TransferSnapshot(
            id: id, direction: direction, name: name, host: host,
            urls: MirrorList(url.flatMap { try? TransferURL($0) }.map { [$0] } ?? []), folder: folder ?? "",
            namedParts: namedParts ?? 0, phase: phase, have: have, size: SizeKnowledge(sizeIs, size), split: split,
            found: state == .finished ? nil : found)
    }

    private var phase: TransferPhase {
        let failure = failure ?? .other(reason ?? "")
        return switch state {
        case .waiting: .waiting(waitingFor)
        case .connecting: .connecting
        case .requested: .requested
        case .moving: .moving
        case .paused: .paused
        case .backoff:
            .backoff(until: until ?? Moment(nanoseconds: 0), attempt: attempt ?? 0, limit: limit ?? 0, failure: failure)
        case .replying: .replying
        case .verifying: .verifying
        case .finished:
            .finished(.init(outcome ?? .saved, path: path ?? name, found: found ?? files.map { Found(files: $0) }))
        case .failed: .failed(failure)
        case .cancelled: .cancelled
        }
    }

    private var waitingFor: TransferPhase.Wait {
        switch wait {
        case .slot, nil: .slot
        case .hostSlot: .hostSlot
        case .held: .held
        case .sizing: .sizing
        case .space: .space(folder: folder ?? "")
        }
    }
}
