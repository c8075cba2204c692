import Foundation
import TestSupport
import Testing
import WinchModel
import WinchSession

@testable import winch

@Suite struct `The object of winch status --json` {
    @Test func `has the queue's fields of JSON output, and no control characters`() throws {
        let greeting = Greeting(winch: "1", session: "nightly", pid: 7, origin: UnixTime(milliseconds: 0))
        let text = StatusJSON(QueueCopy.statusSample(), greeting, folder: "/state").text
        expect(text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
        let report = try require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let queue = try require(report["queue"] as? [String: Any])
        expect(queue["count"] as? Int == 3 && queue["finished"] as? Int == 1 && queue["retrying"] as? Int == 0)
        expect(queue["mode"] as? String == "accurate" && queue["estimated"] as? Bool == false)
        expect(queue["rateLimit"] as? Int == 51_200 && queue["held"] as? Bool == false)
        expectEqual((report["session"] as? [String: Any])?["name"] as? String, "nightly")
        let rows = try require(report["transfers"] as? [[String: Any]])
        expectEqual(rows.map { $0["state"] as? String }, ["finished", "moving", "failed"])
        expectEqual(rows[1]["name"] as? String, "b\u{9b}2J.iso")
        // As an event of --output json has it.
        expect(rows[0]["outcome"] as? String == "saved" && rows[0]["path"] as? String == "a.iso")
        expectEqual(rows[2]["reason"] as? String, "404 not found")
        expect(rows[2]["code"] as? Int == 3 && rows[2]["status"] as? Int == 404)
        expect(rows[2]["url"] as? String == "http://host/c.iso" && rows[2]["folder"] as? String == "/in")
        expect(rows.allSatisfy { $0.keys.contains("percent") && $0.keys.contains("eta") })
    }

    @Test(arguments: [(".", false), ("photos/2024", true)])
    func `has the folder that a file of a folder is sent from`(folder: String, isTold: Bool) {
        let row = TransferSnapshot(
            id: TransferID(1), direction: .up, name: "a.jpg", host: "host", folder: folder, phase: .paused)
        var update = Update(rows: [row.id: row], at: Moment(nanoseconds: 0))
        update.order = .whole([row.id])
        var copy = QueueCopy()
        copy.apply(update)
        let greeting = Greeting(winch: "1", session: "", pid: 7, origin: UnixTime(milliseconds: 0))
        let text = StatusJSON(copy, greeting, folder: "/state").text
        expectEqual(text.contains("\"folder\":\"\(folder)\""), isTold)
    }
}
