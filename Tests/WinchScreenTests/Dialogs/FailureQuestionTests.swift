import TestSupport
import Testing

@testable import WinchModel
@testable import WinchScreen

@Suite struct `A transfer that needs an answer` {
    private static let key = SSHHostKey(
        host: "[files.example.org]:2222", type: "ssh-ed25519", key: "AQID",
        fingerprint: "SHA256:uNiVztksCsDhcc0u9e8BgrJXVGDTzilmMJxRnPTMzoA")

    private func failed(_ sitting: inout Sitting, _ numbers: Int..., failure: TransferFailure) {
        let rows = numbers.map { TransferSnapshot.sample($0, "file\($0)", .failed(failure)) }
        var update = Update.all(rows)
        update.events = numbers.map {
            FeedEvent(id: TransferID($0), at: sitting.now, kind: .failed(failure))
        }
        sitting.update(update)
        // A question that opens takes no keys yet.
        sitting.wait(1)
    }

    @Test(
        arguments: [
            .hostKeyUnknown(key), .keyLocked("id_rsa", isWrong: false), .loginNeeded(origin: "https://h"),
            .remoteFile(.folder, path: "/pub"),
        ] as [TransferFailure])
    func `is not answered by a key that was typed as the question opened`(failure: TransferFailure) {
        var sitting = Sitting()
        var update = Update.all([.sample(1, "file", .failed(failure))])
        update.events = [FeedEvent(id: TransferID(1), at: sitting.now, kind: .failed(failure))]
        sitting.update(update)
        let opened = sitting.dashboard.mode
        sitting.wait(0.9)
        for key in ["y", .paste("o"), .escape, .enter] as [Key] { expectEqual(sitting.press(key), []) }
        expect(sitting.dashboard.mode == opened && opened != .normal)
        sitting.wait(0.1)
        sitting.press(.escape)
        expectEqual(sitting.dashboard.mode, .normal)
    }

    @Test(arguments: [("y", true), ("o", false)] as [(Character, Bool)])
    func `for a host key asks once for all rows of the host`(answer: Character, isRemembered: Bool) {
        var sitting = Sitting()
        failed(&sitting, 1, 2, failure: .hostKeyUnknown(Self.key))
        expect(sitting.canvas.text.contains("The SSH server [files.example.org]:2222 is not known."))
        expect(sitting.canvas.text.contains("ED25519 key"))
        expect(sitting.canvas.text.contains(Self.key.fingerprint))
        sitting.press(.character(answer))
        guard case .send(.trust(let key, let remembering))? = sitting.actions.last else {
            Issue.record("\(sitting.actions)")
            return
        }
        expect(key == Self.key && remembering == isRemembered)
        expectEqual(sitting.dashboard.mode, .normal)
        expect(sitting.dashboard.inquiries.isEmpty)
    }

    @Test(arguments: [.max, .max / 2 + 1, 0, .min] as [Int64])
    func `is counted among the waiting ones whatever its size is said to be`(bytes: Int64) {
        let failure = TransferFailure.hostKeyUnknown(Self.key)
        var asks = FailureQuestions()
        _ = asks.inquiry(after: failure)
        let rows = (1...3).map { TransferSnapshot.sample($0, "file", .failed(failure), have: bytes, of: bytes) }
        let board = QueueCopy.of(rows) { $0.total = .max }
        let totals = AwaitingAnswer(board, asks).applied(to: board.totals)
        expect(totals.waiting == 3 && totals.failed == 0)
        expectEqual(totals.total, .max)
    }

    @Test func `to list a folder adds no guessed size to the bar`() {
        let failure = TransferFailure.loginNeeded(origin: "https://h")
        var asks = FailureQuestions()
        _ = asks.inquiry(after: failure)
        var rows = ["pub/", "file"].map { TransferSnapshot.sample(1, $0, .failed(failure)) }
        for index in rows.indices { rows[index].size = .unknown(estimate: ByteCount(bytes: 5000)) }
        let totals = rows.map { AwaitingAnswer(QueueCopy.of([$0]), asks).applied(to: QueueTotals()).total }
        expectEqual(totals, [1, 5000])
    }

    @Test func `waits for it, and is not counted as failed until the question is declined`() {
        var sitting = Sitting(columns: 120)
        failed(&sitting, 1, failure: .hostKeyUnknown(Self.key))
        let lines = sitting.lines
        expect(lines.contains { $0.contains("file1") && $0.contains("waiting for your answer") })
        expect(lines[2].contains("1 waits for your answer") && !lines[2].contains("failed"), "\(lines[2])")
        expect(!lines[0].contains("finished"))
        expect(!lines[1].contains("▓") && !lines[1].contains("█"), "\(lines[1])")
        expect(lines[3].contains("3 Waiting 1") && lines[3].contains("4 Failed 0"))
        let board = sitting.board
        sitting.dashboard.show(.failed, board: board, now: sitting.now)
        expect(sitting.dashboard.list.order.isEmpty)
        sitting.dashboard.show(.waiting, board: board, now: sitting.now)
        expectEqual(sitting.dashboard.list.order, [TransferID(1)])
        expectEqual(sitting.dashboard.totals(of: board).allSettled, false)
        expectEqual(sitting.dashboard.asking, 1)
        sitting.press("n")
        expect(sitting.dashboard.list.order.isEmpty)
        expect(sitting.lines[3].contains("3 Waiting 0") && sitting.lines[3].contains("4 Failed 1"))
        expect(sitting.lines[2].contains("1 failed"))
        expectEqual(sitting.dashboard.asking, 0)
    }

    /// Another row may have failed before the answer reached it.
    @Test(arguments: ["n", .escape, "y", "o"] as [Key])
    func `is not asked about again after an answer until it is retried`(answer: Key) {
        var sitting = Sitting()
        failed(&sitting, 1, failure: .hostKeyUnknown(Self.key))
        sitting.press(answer)
        failed(&sitting, 2, failure: .hostKeyUnknown(Self.key))
        expectEqual(sitting.dashboard.mode, .normal)
        sitting.press("R")
        failed(&sitting, 2, failure: .hostKeyUnknown(Self.key))
        expect(sitting.canvas.text.contains("is not known"))
    }

    @Test func `for a passphrase receives it without showing it`() {
        var sitting = Sitting()
        failed(&sitting, 1, 2, failure: .keyLocked("/home/me/.ssh/id_ed25519", isWrong: false))
        expect(sitting.canvas.text.contains("the key /home/me/.ssh/id_ed25519"))
        sitting.type("hunter2")
        expect(!sitting.canvas.text.contains("hunter2"))
        sitting.press(.enter)
        guard case .send(.unlock(keyFile: "/home/me/.ssh/id_ed25519", _))? = sitting.actions.last else {
            Issue.record("\(sitting.actions)")
            return
        }
        failed(&sitting, 2, failure: .keyLocked("/home/me/.ssh/id_ed25519", isWrong: false))
        expectEqual(sitting.dashboard.mode, .normal, "it failed before the answer reached it")
        failed(&sitting, 1, failure: .keyLocked("/home/me/.ssh/id_ed25519", isWrong: true))
        expect(sitting.canvas.text.contains("That passphrase is wrong."))
    }

    @Test(
        arguments: [
            (.remoteFile(.folder, path: "/pub"), "a folder."),
            (.remoteFolder(path: "/pub", files: 214, folders: 0, isMore: false), "a folder of 214 files."),
        ] as [(TransferFailure, String)])
    func `because it is a folder is listed with all others of that path`(failure: TransferFailure, words: String) {
        var sitting = Sitting()
        failed(&sitting, 1, 2, failure: failure)
        expect(sitting.canvas.text.contains("/pub is \(words) Download all that is in it?"))
        sitting.press("y")
        guard case .send(.list(let ids))? = sitting.actions.last else {
            Issue.record("\(sitting.actions)")
            return
        }
        expectEqual(ids, [TransferID(1), TransferID(2)])
        expect(sitting.dashboard.inquiries.isEmpty)
    }

    @Test func `for a login is asked for the user name and then for the password, which is not shown`() {
        var sitting = Sitting()
        failed(&sitting, 1, 2, failure: .loginNeeded(origin: "https://h"))
        expect(sitting.canvas.text.contains("What is your user name at https://h?"))
        sitting.type("me")
        expect(sitting.footer.contains("User name at h: me"))
        expect(sitting.press(.enter).isEmpty)
        expect(sitting.canvas.text.contains("What is the password of me at https://h?"))
        sitting.type("hunter2")
        expect(!sitting.canvas.text.contains("hunter2"))
        sitting.press(.enter)
        guard case .send(.logIn(let origin, let user, let password))? = sitting.actions.last else {
            Issue.record("\(sitting.actions)")
            return
        }
        expect((origin, user, password.text) == ("https://h", "me", "hunter2"))
        failed(&sitting, 2, failure: .loginNeeded(origin: "https://h"))
        expectEqual(sitting.dashboard.mode, .normal, "it failed before the answer reached it")
        // The failure does not have the name, which was typed.
        failed(&sitting, 1, failure: .loginRefused(origin: "https://h", user: nil, details: nil))
        expect(sitting.canvas.text.contains("The login of me is refused."))
        expect(sitting.footer.contains("User name at h: me"))
    }

    @Test func `for a login names the server in a window of one line`() {
        var sitting = Sitting(columns: 40, lines: 1)
        failed(&sitting, 1, failure: .loginNeeded(origin: "https://example.org:8443"))
        sitting.type("me")
        expect(sitting.canvas.text.hasPrefix("example.org:8443: me"))
        sitting.press(.enter)
        expect(sitting.canvas.text.hasPrefix("Password at example.org:8443:"))
    }

    @Test(
        arguments: [
            (20, "User:", "Password:"), (30, "User ….0.0.1:28417:", "Password ….1:28417:"),
        ])
    func `for a login tells what is to be typed in the smallest window`(columns: Int, user: String, password: String) {
        var sitting = Sitting(columns: columns, lines: 5)
        failed(&sitting, 1, failure: .loginNeeded(origin: "https://a.long.name.example.org.127.0.0.1:28417"))
        expect(sitting.footer.hasPrefix(user), "\(sitting.footer)")
        sitting.type("me")
        sitting.press(.enter)
        expect(sitting.footer.hasPrefix(password), "\(sitting.footer)")
    }

    @Test func `for a passphrase names the key file as a whole in a window of one line`() {
        var sitting = Sitting(columns: 30, lines: 1)
        failed(&sitting, 1, failure: .keyLocked("/home/me/my own key", isWrong: false))
        expect(sitting.canvas.text.hasPrefix("my own key:"))
    }

    @Test(arguments: [1, 2])
    func `for a login is failed when either half of the answer is declined`(half: Int) {
        var sitting = Sitting()
        failed(&sitting, 1, failure: .loginNeeded(origin: "https://h"))
        if half == 2 {
            sitting.type("me")
            sitting.press(.enter)
        }
        expectEqual(sitting.dashboard.asking, 1)
        expect(sitting.press(.escape).isEmpty)
        expect(sitting.dashboard.mode == .normal && sitting.dashboard.asking == 0)
    }

    @Test func `is not asked for a password that the server would not take`() {
        var sitting = Sitting()
        failed(&sitting, 1, failure: .loginRefused(origin: nil, user: "me", details: "the server takes publickey"))
        expectEqual(sitting.dashboard.mode, .normal)
        failed(&sitting, 1, failure: .loginNeeded(origin: "https://h", offers: "NTLM"))
        expectEqual(sitting.dashboard.mode, .normal)
    }

    @Test func `keeps a dashboard open that would otherwise quit, until it has restarted or is declined`() {
        var sitting = Sitting(look: Appearance(isAnimated: false), quitsWhenSettled: true)
        failed(&sitting, 1, failure: .hostKeyUnknown(Self.key))
        sitting.wait(10)
        expect(sitting.handle(.tick).isEmpty)
        var declined = sitting
        declined.press("n")
        declined.wait(10)
        declined.handle(.tick)
        expectEqual(declined.actions.map(\.words), ["leave"])
        expectEqual(sitting.press("o").count, 1, "the answer, and no leaving")
        sitting.wait(1)
        expect(sitting.handle(.tick).isEmpty)
    }
}
