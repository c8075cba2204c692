import TestSupport
import Testing

@testable import WinchModel
@testable import WinchScreen

@Suite struct `A dialog` {
    private static let rows: [TransferSnapshot] = [
        .sample(1, "linux.tar.xz", .moving, have: 58 << 20, of: 135 << 20), .sample(2, "new.iso"),
        .sample(3, "a.bin", .paused, have: 5 << 20), .sample(4, "b.bin", .moving, have: 6 << 20),
        .sample(5, "c.bin"), .sample(6, "d.bin"), .sample(7, "e.bin"),
    ]

    private static let hostKey = UserQuestion(
        id: 7, title: "Host key", question: "The key of files.example.org is not known. Trust it?",
        details: ["ED25519 key", "SHA256:uNiVztksCsDhcc0u9e8BgrJXVGDTzilmMJxRnPTMzoA"],
        kind: .choice([
            .init(key: "o", words: "trust once"), .init(key: "y", words: "trust and remember"),
            .init(key: "n", words: "do not trust"),
        ]))

    @Test func `does not mention a deletion when nothing has been downloaded`() {
        var sitting = Sitting(Self.rows)
        sitting.press("j", "c")
        expect(sitting.canvas.text.contains("Cancel new.iso?"))
        expect(sitting.canvas.text.contains("Nothing of it has been downloaded yet"))
    }

    @Test func `names the first of many transfers and counts the others`() {
        var sitting = Sitting(Self.rows)
        sitting.press("*", "c")
        let text = sitting.canvas.text
        expect(text.contains("Cancel 7 tagged downloads and delete their partial files?"))
        expect(text.contains("│ linux.tar.xz, new.iso, a.bin, b.bin and 3 more"))
        expect(text.contains("│ 69.0 MiB downloaded so far"))
    }

    @Test func `about cancelling names no transfer that has finished meanwhile`() {
        var sitting = Sitting(Self.rows)
        sitting.press("*", "c")
        var rows = Self.rows
        for index in [0, 3, 4] { rows[index].phase = .finished(.saved(path: "x")) }
        sitting.update(rows)
        expect(sitting.canvas.text.contains("Cancel 4 tagged downloads"))
        expect(sitting.canvas.text.contains("│ new.iso, a.bin, d.bin, e.bin"))
    }

    @Test(arguments: [(40, 8), (40, 10), (300, 60)])
    func `is complete in every window, whatever a name's length`(columns: Int, lines: Int) {
        let name = String(repeating: "long-name-", count: 30) + ".tar.gz"
        var sitting = Sitting([.sample(1, name, .moving, have: 1, of: 9)], columns: columns, lines: lines)
        sitting.press("c")
        let text = sitting.lines.joined(separator: " ").replacing("│", with: " ")
            .split(separator: " ").joined(separator: " ")
        expect(text.contains("Cancel long-name-") && text.contains("its partial file?") && text.contains("y yes"))
    }

    @Test func `takes one line where there is only one`() {
        var sitting = Sitting([.sample(1, "a", .moving)], columns: 60, lines: 2)
        sitting.press("q")
        expect(sitting.footer.contains("Quit? This stops 1 download."))
        expect(sitting.footer.contains("y yes  n no"))
        expectEqual(sitting.press("y"), ["leave"])
        var cell = Sitting([.sample(1, "a", .moving)], columns: 1, lines: 1)
        expectEqual(cell.lines, ["…"])
        expectEqual(cell.press("q", "y"), ["leave"])
    }

    @Test func `accepts a click on an answer only`() {
        var sitting = Sitting(Self.rows)
        sitting.press("c")
        for row in 0..<sitting.dashboard.layout.footer where !sitting.lines[row].contains("yes") {
            for column in stride(from: row % 4, to: 80, by: 4) {
                expect(sitting.press(.mouse(.click(column: column, row: row))).isEmpty)
            }
        }
        expectEqual(sitting.dashboard.mode, .question(.cancel([TransferID(1)])))
        let row = sitting.lines.firstIndex { $0.contains("yes") } ?? 0
        let column = Array(sitting.lines[row]).firstIndex(of: "y") ?? 0
        expectEqual(sitting.press(.mouse(.click(column: column + 4, row: row))), ["cancel([TransferID(number: 1)])"])
    }

    @Test(arguments: ["o", "Y", "n"] as [Character])
    func `about a failure accepts exactly the answers that it names`(key: Character) {
        var sitting = Sitting(Self.rows)
        sitting.ask(Self.hostKey)
        for line in Self.hostKey.details { expect(sitting.canvas.text.contains(line)) }
        sitting.press("x", .enter, "q")
        expectEqual(sitting.dashboard.mode, .question(.inquiry(Self.hostKey)), "no answer")
        sitting.press(.character(key))
        expectEqual(sitting.dashboard.mode, .normal)
    }

    @Test func `that waits behind that of q keeps the dashboard open`() {
        var sitting = Sitting(Self.rows)
        sitting.press("q")
        sitting.ask(Self.hostKey)
        expectEqual(sitting.update(.all([.sample(1, "a", .cancelled)])), [])
    }

    @Test func `shows a complete fingerprint in the smallest window that has a table`() {
        var sitting = Sitting(Self.rows, columns: 40, lines: 10)
        sitting.ask(Self.hostKey)
        let text = sitting.lines.joined().filter { $0 != " " && $0 != "│" }
        expect(text.contains("SHA256:uNiVztksCsDhcc0u9e8BgrJXVGDTzilmMJxRnPTMzoA"))
        for words in ["otrustonce", "ytrustandremember", "ndonottrust"] { expect(text.contains(words)) }
    }

    @Test func `about a failure waits until an open dialog or prompt is closed`() {
        var sitting = Sitting(Self.rows)
        sitting.press("/")
        sitting.ask(Self.hostKey)
        let second = UserQuestion(
            id: 8, title: "Passphrase", question: "Passphrase of ~/.ssh/id_ed25519?", kind: .secret)
        sitting.ask(second)
        expectEqual(sitting.dashboard.mode, .filter(Prompt()))
        sitting.press(.enter)
        expectEqual(sitting.dashboard.mode, .question(.inquiry(Self.hostKey)))
        sitting.wait(1)
        sitting.press(.escape)
        expect(sitting.canvas.text.contains("Passphrase of ~/.ssh/id_ed25519?"))
    }

    @Test func `is shown again after a question that interrupted it`() {
        var sitting = Sitting(Self.rows)
        sitting.ask(Self.hostKey)
        sitting.press(.control("c"))
        expectEqual(sitting.dashboard.mode, .question(.quit(KeptBytes(sitting.board))))
        sitting.press("n")
        expectEqual(sitting.dashboard.mode, .question(.inquiry(Self.hostKey)))
    }

    @Test(arguments: [(80, 24), (30, 2)], [false, true])
    func `accepts a secret without showing it`(size: (Int, Int), isASCII: Bool) {
        var sitting = Sitting(Self.rows, columns: size.0, lines: size.1, look: Appearance(isASCII: isASCII))
        var update = Update.all(Self.rows)
        update.events = [
            FeedEvent(id: TransferID(1), at: sitting.now, kind: .failed(.keyLocked("id_rsa", isWrong: false)))
        ]
        sitting.update(update)
        sitting.wait(1)
        sitting.type("qwx")
        sitting.press(.paste("hun\nter"), .left, .backspace)
        expect(sitting.footer.contains(String(repeating: isASCII ? "*" : "•", count: 8)))
        expect(!["q", "w", "x"].contains { sitting.footer.dropFirst(12).contains($0) })
        expect(!sitting.canvas.text.contains("hun"))
        sitting.press(.enter)
        if case .send(.unlock(_, let secret))? = sitting.actions.last {
            expectEqual(secret.text, "qwxhuntr")
        } else {
            Issue.record("\(sitting.actions)")
        }
        expect(sitting.dashboard.history.isEmpty)
    }

    @Test func `is read out with its answers, but a secret is not`() {
        var sitting = Sitting(Self.rows)
        var speech = Speech()
        func heard() -> [String] { speech.lines(for: sitting.dashboard, board: sitting.board, at: sitting.now) }
        _ = heard()
        sitting.ask(Self.hostKey)
        expectEqual(
            heard(),
            [
                "The key of files.example.org is not known. Trust it? ED25519 key. "
                    + "SHA256:uNiVztksCsDhcc0u9e8BgrJXVGDTzilmMJxRnPTMzoA. "
                    + "Press o for trust once, y for trust and remember, n for do not trust."
            ])
        sitting.press("o")
        sitting.ask(UserQuestion(id: 3, title: "Passphrase", question: "Passphrase of id_rsa?", kind: .secret))
        expectEqual(heard(), ["Passphrase of id_rsa? Type it, then press Enter. Escape goes back."])
        sitting.type("hunter")
        expect(heard().isEmpty)
    }
}
