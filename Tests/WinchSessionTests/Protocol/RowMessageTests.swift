import FoundationEssentials
import TestSupport
import Testing
import WinchModel

@testable import WinchSession

@Suite struct `A row of the protocol` {
    @Test func `is the row that it was made from`() throws {
        var queue = RandomQueue(seed: 1)
        for number in 1...2000 {
            let row = queue.row(number)
            let line = try JSONEncoder().encode(RowMessage(row))
            expect(!line.contains { $0 < 0x20 }, "control characters must not reach a terminal")
            try expectEqual(JSONDecoder().decode(RowMessage.self, from: line).snapshot, row)
        }
    }

    @Test func `has the URL in use without its login, and the folder`() throws {
        let urls = MirrorList(
            try ["http://h/a", "http://bob:secret@mirror/a"].map { (text) throws in try TransferURL(text) })
        let row = TransferSnapshot(
            id: TransferID(3), name: "a", host: "mirror", urls: urls, mirror: 1, folder: "/in",
            phase: .waiting(.space(folder: "/in")))
        let line = String(decoding: try JSONEncoder().encode(RowMessage(row)), as: UTF8.self)
        expect(!line.contains("secret") && !line.contains("bob"))
        let other = try JSONDecoder().decode(RowMessage.self, from: Data(line.utf8)).snapshot
        expect(other.url == "http://mirror/a" && other.folder == "/in")
        expectEqual(other.phase, row.phase)
    }

    /// What clients of other languages rely on.
    @Test func `has these fields`() throws {
        let row = TransferSnapshot(
            id: TransferID(3), name: "a.iso", host: "h:81", phase: .moving, have: ByteCount(bytes: 25),
            size: .declared(ByteCount(bytes: 100)), rate: ByteRate(perSecond: 5), finish: Moment(seconds: 2))
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        expectEqual(
            String(decoding: try encoder.encode(RowMessage(row)), as: UTF8.self),
            #"{"direction":"down","finish":2000000000,"have":25,"host":"h:81","id":3,"name":"a.iso","percent":25,"#
                + #""rate":5,"size":100,"sizeIs":"declared","state":"moving"}"#)
    }

    @Test func `moves its times to the clock of the client`() throws {
        let row = TransferSnapshot(
            id: TransferID(1), name: "x", host: "h", phase: .moving, finish: Moment(seconds: 2))
        let decoder = JSONDecoder()
        decoder.userInfo[try require(CodingUserInfoKey.clockShift)] = Int64(3_000_000_000)
        let other = try decoder.decode(RowMessage.self, from: JSONEncoder().encode(RowMessage(row)))
        expectEqual(other.snapshot.finish, Moment(seconds: 5))
    }
}
