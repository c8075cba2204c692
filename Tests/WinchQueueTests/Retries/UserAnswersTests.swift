import TestSupport
import Testing

@testable import WinchModel
@testable import WinchQueue

@Suite struct `The user's answer to a failure` {
    private let other = HostKey(host: "g", type: "ssh-ed25519", key: "AQID", fingerprint: "SHA256:abc")

    private func failed(_ failures: TransferFailure...) -> QueueRun {
        var run = QueueRun()
        run.add(failures.count)
        for (index, failure) in failures.enumerated() { run.fail(index + 1, failure) }
        return run
    }

    @Test func `restarts transfers that lacked a host key once the transport has it`() {
        var run = failed(
            .hostKeyUnknown(.sample), .hostKeyUnknown(other), .hostKeyUnknown(.sample), .hostNotFound("h"))
        var seen = HostKey.sample
        seen.hasOtherType = true
        run.command(.trust(seen, remembering: true))
        #expect(run.actions.first == .trust(seen, remembering: true))
        let started = run.actions.compactMap {
            if case .open(let request) = $0 { request.transfer.number } else { nil }
        }
        #expect(started == [1, 3])
        #expect(run.phase(2) == .failed(.hostKeyUnknown(other)))
    }

    @Test func `restarts transfers that lacked a passphrase`() {
        var run = failed(
            .keyLocked("a", isWrong: false), .keyLocked("b", isWrong: false), .keyLocked("a", isWrong: true))
        run.command(.unlock(keyFile: "a", Secret("x")))
        #expect(run.actions.first == .unlock(keyFile: "a", Secret("x")))
        #expect(run.stage(1) == .connecting && run.stage(3) == .connecting)
        #expect(run.phase(2) == .failed(.keyLocked("b", isWrong: false)))
    }

    @Test func `restarts transfers that lacked the login of one server`() {
        var run = failed(
            .loginNeeded(origin: "http://a"), .loginNeeded(origin: "http://b"),
            .loginRefused(origin: "http://a", user: "me", details: nil))
        run.command(.logIn(origin: "http://a", user: "me", Secret("x")))
        #expect(run.actions.first == .logIn(origin: "http://a", user: "me", Secret("x"), instead: ["me"]))
        #expect(run.stage(1) == .connecting && run.stage(3) == .connecting)
        #expect(run.phase(2) == .failed(.loginNeeded(origin: "http://b")))
    }

    @Test func `with a login counts for connections that began before it, and not for later ones`() {
        var run = QueueRun()
        run.add(2)
        run.fail(1, .loginNeeded(origin: "http://a"))
        run.pass(.seconds(1))
        run.command(.logIn(origin: "http://a", user: "me", Secret("x")))
        run.fail(2, .loginNeeded(origin: "http://a"))
        #expect(run.stage(2) == .connecting)
        let refused = TransferFailure.loginRefused(origin: "http://a", user: "me", details: nil)
        run.fail(2, refused)
        #expect(run.phase(2) == .failed(refused))
    }

    @Test func `counts for transfers whose connections began before it`() {
        var run = QueueRun()
        run.add(2)
        run.fail(1, .hostKeyUnknown(.sample))
        run.pass(.seconds(1))
        run.command(.trust(.sample, remembering: true))
        run.fail(2, .hostKeyUnknown(.sample))
        #expect(run.stage(2) == .connecting)
        run.fail(2, .hostKeyUnknown(.sample))
        #expect(run.phase(2) == .failed(.hostKeyUnknown(.sample)), "it began after the answer: no loop")
    }

    @Test func `with a passphrase counts for connections that began before it, unless the passphrase is wrong`() {
        var run = QueueRun()
        run.add(3)
        run.fail(1, .keyLocked("a", isWrong: false))
        run.pass(.seconds(1))
        run.command(.unlock(keyFile: "a", Secret("x")))
        run.fail(2, .keyLocked("a", isWrong: false))
        run.fail(3, .keyLocked("a", isWrong: true))
        #expect(run.stage(2) == .connecting)
        #expect(run.phase(3) == .failed(.keyLocked("a", isWrong: true)))
    }
}
