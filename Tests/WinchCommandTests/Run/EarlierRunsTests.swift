import Foundation
import TestSupport
import Testing
import WinchBatch
import WinchLedger

@testable import WinchModel
@testable import WinchQueue
@testable import winch

@Suite struct `What earlier runs have left` {
    private let folder: TemporaryFolder
    private let now = UnixTime(milliseconds: Int64(Date.now.timeIntervalSince1970 * 1000))

    init() throws { folder = try TemporaryFolder() }

    private var state: String { folder.path + "/state" }

    private func open() throws -> EarlierRuns {
        EarlierRuns(try SettingSources(arguments: ["--no-config", "--state-dir", state], environment: [:]))
    }

    /// Runs at the same time leave one file, each with so many bytes of it.
    ///
    /// - Returns: the keys of their entries.
    @discardableResult private func leave(
        _ parts: Int64..., options: [NameValueLine] = []
    ) async throws -> [LedgerKey] {
        let runs = try parts.map { _ in try Ledger.open(stateFolder: state, now: now) }
        let spec = TransferSpec(urls: [try TransferURL("http://h.example/f")], folder: folder.path)
        for (run, have) in zip(runs, parts) {
            run.ledger.keep(options)
            run.ledger.record([
                .put(
                    LedgerEntry(
                        key: run.opening.firstKey, rank: 1, spec: spec, standing: .unfinished, name: "f",
                        resume: .sample(have, of: 1000), addedAt: now))
            ])
        }
        for run in runs { await run.ledger.close() }
        return runs.map(\.opening.firstKey)
    }

    @Test func `is each file once, with most of its bytes, and the ledger forgets the other entries`() async throws {
        let keys = try await leave(500, 900, 200)
        let past = try open()
        let additions = past.reopen(withDone: false, withInput: true).additions
        expectEqual(additions.map { $0.resume?.have.bytes }, [900])
        await past.ledgerSession?.ledger.close()
        let (ledger, opening) = try Ledger.open(stateFolder: state, now: now)
        expectEqual(opening.unfinished.map(\.key), [keys[1]])
        await ledger.close()
    }

    @Test func `is not kept where the ledger cannot be opened, which is told as long as the run lasts`() throws {
        folder.write("state", [])
        let unsaved = try open().unsaved ?? ""
        expect(unsaved.hasPrefix("the queue cannot be saved: ") && unsaved.contains(state), "\(unsaved)")
        let ephemeral = EarlierRuns(try SettingSources(arguments: ["--no-config", "--ephemeral"], environment: [:]))
        expectNil(ephemeral.unsaved)
    }

    @Test func `goes to one of several processes that begin at once, and the others say that nothing is left`()
        async throws
    {
        try await leave(500)
        let found = try (0..<2).map { _ in try open() }.map { $0.reopen(withDone: false, withInput: true) }
        expectEqual(found.map(\.additions.count), [1, 0])
        expectEqual(found.map(\.notices), [[], ["nothing to resume"]])
    }

    /// The run was killed before it removed the part, which the queue does when the transfer joins it.
    @Test func `is also a cancelled transfer whose part is there`() async throws {
        let run = try Ledger.open(stateFolder: state, now: now)
        let first = run.opening.firstKey.number
        let left: [(LedgerState, ResumePoint?)] = [
            (.unfinished, nil), (.cancelled, ResumePoint.sample(5, of: 1000)), (.cancelled, nil),
        ]
        for (place, (standing, resume)) in left.enumerated() {
            let spec = TransferSpec(urls: [try TransferURL("http://h.example/\(place)")], folder: folder.path)
            run.ledger.record([
                .put(
                    LedgerEntry(
                        key: LedgerKey(first + Int64(place)), rank: place, spec: spec, standing: standing,
                        name: "f", resume: resume, addedAt: now))
            ])
        }
        await run.ledger.close()
        let additions = try open().reopen(withDone: false, withInput: true).additions
        expectEqual(additions.map { $0.past?.key.number }, [first, first + 1])
    }

    @Test func `is taken over each file once`() async throws {
        let past = try open()
        try await leave(500, 900)
        let work = past.takeOver()
        expectEqual(work.additions.map { $0.resume?.have.bytes }, [900])
        expectEqual(work.notices, [])
    }

    @Test func `is taken over by a session without the options of its run, which it names`() async throws {
        let past = try open()
        let options = [NameValueLine(name: "jobs", value: "1"), NameValueLine(name: "limit-rate-each", value: "1M")]
        try await leave(500, options: options)
        expectEqual(past.takeOver().notices, ["the session does not take over -j 1 of the run"])
        expectEqual(past.takeOver().notices, [])
    }
}
