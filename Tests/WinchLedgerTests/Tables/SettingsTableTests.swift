import TestSupport
import Testing

@testable import WinchLedger
@testable import WinchModel

@Suite struct `Credentials in the ledger` {
    /// Every kind of credential.
    private static let secrets = [
        "s3cr3t-url", "s3cr3t-user", "s3cr3t-pass", "s3cr3t-head", "s3cr3t-ref", "s3cr3t-prox",
    ]

    private func entry(_ number: Int64, _ standing: LedgerState) throws -> LedgerEntry {
        var settings = TransferSettings()
        settings.user = "s3cr3t-user"
        settings.password = "s3cr3t-pass"
        settings.headers = ["Authorization: Bearer s3cr3t-head"]
        settings.referer = "https://me:s3cr3t-ref@page.example/"
        settings.proxy = "me:s3cr3t-prox@proxy.example:3128"
        settings.userAgent = "agent"
        return try makeEntry(
            number, standing, url: "https://me:s3cr3t-url@host.example/\(number)", settings: Shared(settings))
    }

    private func found(in folder: TemporaryFolder) throws -> Set<String> {
        var found: Set<String> = []
        for name in TemporaryFolder.names(in: folder.state) {
            let text = String(decoding: try folder.bytes("state/winch/" + name), as: UTF8.self)
            found.formUnion(Self.secrets.filter { text.contains($0) })
        }
        return found
    }

    @Test func `are erased from the disk when the last transfer that needs them is finished`() async throws {
        let folder = try TemporaryFolder()
        let done = LedgerState.finished(.saved(path: "x"))
        try await folder.leave([.put(try entry(1, .unfinished)), .put(try entry(2, .unfinished))])
        let (ledger, _) = try folder.openLedger()
        ledger.record([.put(try entry(1, done))])
        await ledger.close()
        try expectEqual(found(in: folder), Set(Self.secrets))
        let (last, _) = try folder.openLedger()
        last.record([.put(try entry(2, done))])
        await last.close()
        try expect(found(in: folder).isEmpty)

        let history = try Ledger.history(stateFolder: folder.state, HistoryQuery())
        expectEqual(history.map(\.url).sorted(), ["https://host.example/1", "https://host.example/2"])
        let list = try await folder.leftover()
        expectEqual(list.map(\.spec.urls[0].text), ["https://host.example/2"])
        let settings = list[0].spec.settings.value
        expectEqual(settings.userAgent, "agent")
        expect(settings.account != nil)
        try expectEqual(settings.account, entry(2, done).spec.accountMark)
        expectEqual(settings.proxy, "proxy.example:3128")
        expectEqual(settings.referer, "https://page.example/")
    }

    @Test func `keep the list of --sums that they name for later runs, until no transfer needs it`() async throws {
        let folder = try TemporaryFolder()
        var settings = TransferSettings()
        settings.sums = "abc"
        let entry = try makeEntry(1, .unfinished, settings: Shared(settings))
        let (first, _) = try folder.openLedger()
        first.keep(list: "{}", key: "abc")
        first.keep(list: "{}", key: "none")
        first.record([.put(entry)])
        await first.close()
        let (second, _) = try folder.openLedger()
        expectEqual(["abc", "none"].map { second.list($0) }, ["{}", nil])
        second.record([.removed(entry.key)])
        await second.close()
        let (third, _) = try folder.openLedger()
        expectNil(third.list("abc"))
        await third.close()
    }

    @Test func `are erased when their transfer is removed from the list`() async throws {
        let folder = try TemporaryFolder()
        try await folder.leave([.put(try entry(1, .unfinished))])
        try await folder.leave([.put(try entry(2, .failed(.httpStatus(403))))])
        let (ledger, _) = try folder.openLedger()
        ledger.record([.removed(LedgerKey(1)), .removed(LedgerKey(2))])
        await ledger.close()
        try expect(found(in: folder).isEmpty)
        let history = try Ledger.history(stateFolder: folder.state, HistoryQuery())
        expectEqual(history.map(\.url), ["https://host.example/2"])
    }
}
