import TestSupport
import Testing

@testable import WinchModel
@testable import winch

@Suite struct `The variables of a hook` {
    private func lines(_ event: HookCall.Event, uploading file: String? = nil) throws -> [String] {
        let url = try TransferURL("http://me:secret@h/a.iso")
        var spec = TransferSpec(urls: [try TransferURL("http://mirror/a.iso"), url], folder: "d")
        if let file { spec = TransferSpec(upload: UploadOrder(.file(file)), to: url) }
        let call = HookCall(
            HookCommand("true"), event, of: TransferID(7), spec, mirror: file == nil ? 1 : 0, name: "a.iso",
            have: ByteCount(bytes: 5))
        return HookVariables(call, home: WorkingFolder("/home/me")).lines
    }

    @Test func `tell what has happened to a download, with absolute paths`() throws {
        let lines = try lines(.done(.saved(path: "a.iso")))
        let expected = [
            "EVENT=done", "ID=7", "URL=http://h/a.iso", "DIRECTION=down", "FOLDER=/home/me/d",
            "FILE=/home/me/d/a.iso", "BYTES=5", "OUTCOME=saved",
        ]
        expectEqual(lines, expected.map { "WINCH_HOOK_" + $0 })
    }

    @Test func `tell why a transfer has failed, and its exit code`() throws {
        let lines = try lines(.failed(.httpStatus(404)))
        expect(lines.contains("WINCH_HOOK_EVENT=fail"))
        expect(lines.contains("WINCH_HOOK_ERROR=404 not found"))
        expect(lines.contains("WINCH_HOOK_CODE=3"))
    }

    @Test func `have no control characters of a server's words`() throws {
        let lines = try lines(.failed(.serverBusy(reply: "a\u{1b}[2J\0b")))
        let error = try require(lines.first { $0.hasPrefix("WINCH_HOOK_ERROR=server busy: a") })
        expect(error.utf8.allSatisfy { $0 >= 0x20 })
    }

    @Test func `have no target folder for an upload, and end at no NUL`() throws {
        let lines = try lines(.done(.sent(path: "x")), uploading: "a\0b")
        expect(!lines.contains { $0.hasPrefix("WINCH_HOOK_FOLDER") })
        expect(lines.contains("WINCH_HOOK_FILE=/home/me/ab"))
    }

    @Test func `count the transfers when all have ended`() {
        var totals = QueueTotals()
        (totals.finished, totals.failed, totals.bytesDone) = (2, 1, 99)
        let lines = HookVariables(settled: totals).lines
        let expected = ["EVENT=settled", "DONE=2", "FAILED=1", "CANCELLED=0", "BYTES=99"]
        expectEqual(lines, expected.map { "WINCH_HOOK_" + $0 })
    }
}
