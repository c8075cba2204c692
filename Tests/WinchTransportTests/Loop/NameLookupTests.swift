import Glibc
import Synchronization
import TestSupport
import Testing

@testable import WinchModel
@testable import WinchTransport

@Suite(.timeLimit(.minutes(5))) struct `A host name that is not found` {
    @Test(
        arguments: [
            (.noSuchName, .hostNotFound("nowhere.invalid")),
            (.notNow, .nameServerDown(host: "nowhere.invalid")),
            (.found(isRoutable: true), .nameServerDown(host: "nowhere.invalid")),
        ] as [(NameLookup.Answer, TransferFailure)])
    func `is a permanent or temporary failure as the system says`(answer: NameLookup.Answer, failure: TransferFailure)
        async throws
    {
        let asked = Asked()
        let rig = try Rig(lookUp: { host in
            asked.note(host)
            return answer
        })
        try await expectEqual(rig.fetch("http://nowhere.invalid/x").failure, failure)
        expectEqual(asked.hosts, ["nowhere.invalid"])
    }

    @Test func `is reported for a proxy too`() async throws {
        let asked = Asked()
        let rig = try Rig(lookUp: { host in
            asked.note(host)
            return .notNow
        })
        let failure = try await rig.fetch("http://h.invalid/x") { $0.proxy = "http://me:pw@nowhere.invalid:8080" }
            .failure
        expectEqual(failure, .nameServerDown(host: "nowhere.invalid"))
        expectEqual(asked.hosts, ["nowhere.invalid"])
    }

    /// The lookup may take any time.
    @Test func `does not delay a stop during the lookup`() async throws {
        let (isAsked, isLeft) = (Gate(), Gate())
        let rig = try Rig(lookUp: { _ in
            isAsked.open()
            isLeft.wait()
            return .notNow
        })
        try rig.start("http://nowhere.invalid/x")
        await isAsked.opened()
        rig.transport.close(ConnectionID(transfer: TransferID(1)), discarding: false)
        let events = await rig.settled()
        expectEqual(events.last, .stopped(kept: nil))
        // Nor does the late answer end the next attempt.
        try rig.start("http://nowhere.invalid/x", attempt: 1)
        isLeft.open()
        await expectEqual(rig.settled().failure, .nameServerDown(host: "nowhere.invalid"))
    }

    @Test func `or has no route is distinguished from one that refuses`() {
        let refused = TransferFailure.unreachable(host: "h:81", reason: "network is unreachable")
        let away = TransferFailure.networkDown(host: "h:81", reason: "network is unreachable")
        expectEqual(NameLookup.Answer.found(isRoutable: false).judgement(of: refused, host: "h"), away)
        expectEqual(NameLookup.Answer.notNow.judgement(of: refused, host: "h"), away)
        expectEqual(NameLookup.Answer.found(isRoutable: true).judgement(of: refused, host: "h"), refused)
    }

    @Test func `is looked up with the system's own functions`() {
        expectEqual(NameLookup.ask("localhost"), .found(isRoutable: true))
        expectEqual(NameLookup.ask("127.0.0.1"), .found(isRoutable: true))
        let hostile = ["", "a b", "-", "..", "%00", "[", "[::1", "[]", "no-such-host.invalid", "b\u{FC}cher.invalid"]
        for host in hostile + [String(repeating: "x", count: 70_000)] {
            switch NameLookup.ask(host) {
            case .noSuchName, .notNow: break
            case .found: Issue.record("\(host.prefix(20))")
            }
        }
    }
}

private final class Asked: Sendable {
    private let list = Mutex<[String]>([])
    var hosts: [String] { list.withLock { $0 } }
    func note(_ host: String) { list.withLock { $0.append(host) } }
}

/// Opened once, for threads and tasks that wait for it.
private final class Gate: Sendable {
    private let isOpen = Mutex(false)
    func open() { isOpen.withLock { $0 = true } }
    func wait() { while !isOpen.withLock({ $0 }) { usleep(1000) } }
    func opened() async { while !isOpen.withLock({ $0 }) { try? await Task.sleep(for: .milliseconds(2)) } }
}
