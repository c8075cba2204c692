import TestSupport
import Testing

@testable import FaultServer

@Suite struct `A body that arrives` {
    private func machine(_ query: String, method: String = "PUT", length: Int? = 100, number: Int = 1) throws
        -> UploadBodyMachine
    {
        let target = RequestTarget("/up/a?" + query)
        let options = try require(FaultOptions(target))
        let header = length.map { ("Content-Length", String($0)) } ?? ("Transfer-Encoding", "chunked")
        let request = ReceivedRequest(
            method: method, target: "/up/a?" + query, headers: [.init(name: header.0, value: header.1)],
            isKeepAlive: true)
        return UploadBodyMachine(request, options, Visit(number: number, earlierGets: 0), isRefused: false)
    }

    @Test func `is answered at its end`() throws {
        var machine = try machine("")
        expectEqual(machine.began(), [])
        expect(machine.received(60) == (60, []))
        expect(machine.received(40) == (40, []))
        expectEqual(machine.ended(), [.answer(isEarly: false)])
    }

    @Test(arguments: ["drop=70&dropfirst=20", "drop=20", "dropfirst=20"])
    func `is cut at the byte that the URL names`(query: String) throws {
        var machine = try machine(query)
        expectEqual(machine.began(), [])
        expectEqual(machine.nextReading(), .atMost(20, after: .zero))
        expect(machine.received(15) == (15, []))
        expectEqual(machine.nextReading(), .atMost(5, after: .zero))
        expect(machine.received(9) == (5, [.breakOff(reset: false)]), "only what lies before the cut is kept")
        expectEqual(machine.nextReading(), .never)
        expect(machine.received(1) == (0, []))
        expectEqual(machine.ended(), [])
    }

    @Test func `that ends before the cut is whole`() throws {
        for query in ["drop=100", "drop=200", "answerat=100"] {
            var machine = try machine(query)
            expectEqual(machine.began(), [])
            expectEqual(machine.received(100).actions, [])
            expectEqual(machine.ended(), [.answer(isEarly: false)])
        }
    }

    @Test func `stops being read for a while or for ever`() throws {
        var machine = try machine("stall=30&stallfor=2")
        expectEqual(machine.nextReading(), .atMost(30, after: .zero))
        _ = machine.received(30)
        expectEqual(machine.nextReading(), .atMost(UploadBodyMachine.most, after: .seconds(2)))
        _ = machine.received(10)
        expectEqual(machine.nextReading(), .freely)
        machine = try self.machine("stall=30")
        _ = machine.received(30)
        expectEqual(machine.nextReading(), .never)
        expectEqual(machine.nextReading(), .never)
    }

    @Test func `is read at the rate of the URL`() throws {
        var machine = try machine("rate=100")
        expectEqual(machine.nextReading(), .atMost(5, after: .zero))
        _ = machine.received(5)
        expectEqual(machine.nextReading(), .atMost(5, after: .milliseconds(50)))
    }

    @Test(arguments: [("", true), ("&then=close", true), ("&then=cut", false)])
    func `is answered early and then read on or not`(then: String, isRead: Bool) throws {
        var machine = try machine("answerat=10\(then)")
        expectEqual(machine.nextReading(), .atMost(10, after: .zero))
        expect(machine.received(10) == (10, [.answer(isEarly: true)]))
        expect(machine.nextReading() == (isRead ? .freely : .never))
        expect(machine.received(10).kept == (isRead ? 10 : 0))
        expectEqual(machine.ended(), [])
    }

    @Test func `is answered before its first byte when it is refused`() throws {
        var machine = try machine("answerat=0")
        expectEqual(machine.began(), [.answer(isEarly: true)])
        machine = try self.machine("answerat=never")
        _ = machine.received(100)
        expectEqual(machine.ended(), [])
    }

    @Test func `is told of as it is read`() throws {
        var machine = try machine("progress=40", length: nil)
        expectEqual(machine.received(30).actions, [])
        expectEqual(machine.nextReading(), .atMost(10, after: .zero))
        expectEqual(machine.received(10).actions, [.progress(40)])
        expectEqual(machine.received(100).actions, [.progress(140)])
    }
}
