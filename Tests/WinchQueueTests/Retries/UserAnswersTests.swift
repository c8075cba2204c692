import TestSupport
import Testing

@testable import WinchModel
@testable import WinchQueue

@Suite struct `The user's answer to a failure` {
    private static let trusted: SSHHostKey = {
        var key = SSHHostKey.sample
        key.hasOtherType = true
        return key
    }()
    private static let other = SSHHostKey(host: "g", type: "ssh-ed25519", key: "AQID", fingerprint: "SHA256:abc")
    private static let refused = TransferFailure.loginRefused(origin: "http://a", user: "me", details: nil)
    private static let logIn = Command.logIn(origin: "http://a", user: "me", Secret("x"))

    /// Three failures, the answer to the first and the third, and what the transport is told of it.
    private static let answers: [(failures: [TransferFailure], answer: Command, action: QueueAction)] = [
        (
            [.hostKeyUnknown(.sample), .hostKeyUnknown(other), .hostKeyUnknown(.sample)],
            .trust(trusted, remembering: true), .trust(trusted, remembering: true)
        ),
        (
            [.keyLocked("a", isWrong: false), .keyLocked("b", isWrong: false), .keyLocked("a", isWrong: true)],
            .unlock(keyFile: "a", Secret("x")), .unlock(keyFile: "a", Secret("x"))
        ),
        (
            [.loginNeeded(origin: "http://a"), .loginNeeded(origin: "http://b"), refused], logIn,
            .logIn(origin: "http://a", user: "me", Secret("x"), instead: ["me"])
        ),
    ]

    @Test func `restarts the transfers that lacked it`() {
        for (failures, answer, action) in Self.answers {
            var run = QueueRun()
            run.add(3)
            for (index, failure) in failures.enumerated() { run.fail(index + 1, failure) }
            run.command(answer)
            expectEqual(run.actions.first, action)
            expectEqual(run.started, [1, 3])
            expectEqual(run.phase(2), .failed(failures[1]))
        }
    }

    /// The failure of a login that was typed does not name its user.
    @Test func `replaces a login without a name, such as a token, only where that is refused`() {
        let nameless = TransferFailure.loginRefused(origin: "http://a", user: nil, details: nil)
        for (headers, refused) in [([], []), (["Authorization: Bearer x"], [nil])] as [([String], Set<String?>)] {
            var settings = TransferSettings()
            settings.headers = headers
            var run = QueueRun()
            run.add(1, settings: settings)
            for _ in 1...2 {
                run.fail(1, nameless)
                run.command(Self.logIn)
                expectEqual(run.actions.first, .logIn(origin: "http://a", user: "me", Secret("x"), instead: refused))
            }
        }
    }

    @Test func `counts for connections that began before it, and not for later ones`() {
        let cases: [(failure: TransferFailure, answer: Command, later: TransferFailure)] = [
            (.hostKeyUnknown(.sample), .trust(.sample, remembering: true), .hostKeyUnknown(.sample)),
            (.loginNeeded(origin: "http://a"), Self.logIn, Self.refused),
        ]
        for (failure, answer, later) in cases {
            var run = QueueRun()
            run.add(2)
            run.fail(1, failure)
            run.pass(.seconds(1))
            run.command(answer)
            run.fail(2, failure)
            expectEqual(run.stage(2), .connecting)
            run.fail(2, later)
            expectEqual(run.phase(2), .failed(later), "it began after the answer: no loop")
        }
    }

    @Test func `with a passphrase counts for connections that began before it, unless the passphrase is wrong`() {
        var run = QueueRun()
        run.add(3)
        run.fail(1, .keyLocked("a", isWrong: false))
        run.pass(.seconds(1))
        run.command(.unlock(keyFile: "a", Secret("x")))
        run.fail(2, .keyLocked("a", isWrong: false))
        run.fail(3, .keyLocked("a", isWrong: true))
        expectEqual(run.stage(2), .connecting)
        expectEqual(run.phase(3), .failed(.keyLocked("a", isWrong: true)))
    }
}
