import Testing

@testable import WinchModel
@testable import WinchScreen

@Suite struct `The details panel` {
    private func open(_ columns: Int = 120, _ lines: Int = 40, details: TransferDetails? = .full) -> Sitting {
        var sitting = Sitting(Scenes.busy, columns: columns, lines: lines)
        sitting.press("j", "j", .enter)
        if let details { sitting.update(.details(details, of: Scenes.busy)) }
        return sitting
    }

    @Test func `is opened by Enter, follows the selection and is closed by Esc`() {
        var sitting = Sitting(Scenes.busy)
        #expect(sitting.press("j", .enter) == ["watch(Optional(TransferID(number: 2)), by: 0)"])
        #expect(sitting.press("j") == ["watch(Optional(TransferID(number: 3)), by: 0)"])
        #expect(sitting.press("p").first == "pause([TransferID(number: 3)])", "other keys go on as ever")
        #expect(sitting.press(.escape) == ["watch(nil, by: 0)"])
        #expect(!sitting.dashboard.isDetailsOpen)
        #expect(sitting.press(.enter, .enter) == ["watch(nil, by: 0)"])
    }

    @Test(arguments: [
        ("https://h/f", "not possible"), ("ftp://h/f", "possible; the size"), ("sftp://h/f", "possible; the size"),
    ])
    func `shows whether a download without a validator can be resumed`(url: String, words: String) {
        var details = TransferDetails.full
        (details.urls, details.mirror, details.validator) = ([url], 0, nil)
        let line = open(200, 70, details: details).lines.first { $0.contains("Resume") } ?? ""
        #expect(line.contains(words), "\(line)")
    }

    @Test func `shows everything that is known`() {
        let text = open(200, 70).canvas.text
        for words in [
            "https://mirror.example.org/nightly/", "Redirect", "https://cdn.example.org/storage", "Mirrors",
            "https://other.example.net", "192.0.2.33 port 443", "HTTP/1.1, status 206",
            "TLSv1.3, TLS_AES_256_GCM_SHA384", "/home/me/haul/a-very-long-name-of-a-nightly-build.tar.gz",
            ".tar.gz.part", "1.3/3.0 GiB (3221225472 bytes)", "possible, by ETag \"65f9-c0ffee\"",
            "md5, not checked yet",
            "expected 0f0f",
            "from     a checksum list (--sums)",
            "1.3 GiB on disk in 1 piece, 900 MiB synced to disk", "2 attempts", "#1 00:11:40  10 s",
            "1.0 MiB  ✗ failed", "Connection reset by peer", "#2", "running", "server: nginx/1.25�[31m",
            "accept-ranges: bytes",
        ] {
            #expect(text.contains(words), "\(words)")
        }
    }

    @Test(arguments: [(80, 24), (120, 30), (200, 50)])
    func `shows the rate and the bytes on disk without scrolling`(columns: Int, lines: Int) {
        let lines = open(columns, lines).lines
        #expect(lines.contains { $0.contains("now 4.1 MiB/s") }, "in its graph")
        #expect(lines.contains { $0.contains("1.3 GiB on disk in 1 piece") })
        #expect(!lines.contains { $0.contains("synced …") })
    }

    @Test func `shows no number of pieces when nothing is on disk`() {
        var details = TransferDetails.full
        details.ranges = []
        let row = TransferSnapshot.sample(3, "a", .waiting(.slot), of: 100)
        var sitting = Sitting([row], lines: 50)
        sitting.press(.enter)
        sitting.update(.details(details, of: [row]))
        #expect(sitting.canvas.text.contains("nothing yet") && !sitting.canvas.text.contains("pieces"))
    }

    @Test func `shows the full failure, the warning and the reason for a step back`() {
        var row = TransferSnapshot.sample(
            1, "a.zip", .failed(.unexpectedPage(expected: ".zip")), have: 100, of: 100)
        row.warning = .page(expected: ".zip")
        row.rebase = Rebase(cause: .fileChanged, at: .at(0), completed: -2_097_152, total: 0)
        for columns in [40, 80, 120] {
            var sitting = Sitting([row], columns: columns, lines: 40)
            sitting.press(.enter)
            let text = sitting.lines.map { $0.filter { $0 != "│" } }.joined(separator: " ")
                .split(separator: " ").joined(separator: " ")
            #expect(
                text.contains("✗ failed: received an HTML page instead of .zip; a login may be needed; the partial")
            )
            #expect(text.contains("Warning received an HTML page instead of .zip; a login may be needed"))
            #expect(text.contains("Set back 00:16:40 file changed, starting over -2.0 MiB"))
        }
        row.rebase = Rebase(cause: .retried, at: .at(0), completed: -5, total: 0)
        var sitting = Sitting([row])
        sitting.press(.enter)
        #expect(!sitting.canvas.text.contains("retried"), "a person's own doing is no trouble")
    }

    @Test func `shows a note about a file that is right as no warning`() {
        var row = TransferSnapshot.sample(1, "a", .finished(.sent(path: "a")), have: 100, of: 100)
        row.warning = .streamKept
        var sitting = Sitting([row], columns: 120)
        sitting.press(.enter)
        let text = sitting.canvas.text
        #expect(text.contains("Note") && text.contains("the size was needed"))
        #expect(!text.contains("Warning") && !text.contains("done, but"))
    }

    @Test func `shows the state, value and origin of each checksum`() throws {
        let checksum = try #require(Checksum("md5=" + String(repeating: "ab", count: 16)))
        func text(_ finding: ChecksumFinding, verified: Int64? = nil) -> String {
            var row = TransferSnapshot.sample(3, "a", .verifying, have: 100, of: 100)
            row.verified = verified.map(ByteCount.init(bytes:))
            var details = TransferDetails.full
            details.checksums = [finding]
            var sitting = Sitting([row], columns: 100, lines: 50)
            sitting.press(.enter)
            sitting.update(.details(details, of: [row]))
            return sitting.canvas.text
        }
        var finding = ChecksumFinding(checksum, origin: .option)
        #expect(text(finding).contains("md5, not checked yet"))
        #expect(text(finding).contains("expected " + checksum.hex))
        #expect(text(finding).contains("from     --checksum or the batch file"))
        finding.state = .checking
        #expect(text(finding, verified: 40).contains("md5, being checked 40%"))
        finding.state = .matched
        #expect(text(finding).contains("✓ md5, matches"))
        finding.state = .mismatched(got: "cdcd")
        #expect(text(finding).contains("✗ md5, mismatch") && text(finding).contains("got      cdcd"))
        finding.origin = .header("Content-Digest")
        finding.range = 5..<10
        #expect(text(finding).contains("from     the server's Content-Digest, of bytes 5 to 9"))
        finding.origin = .list
        #expect(text(finding).contains("a checksum list (--sums)"))
        finding.origin = .earlierRun
        #expect(text(finding).contains("an earlier run"))
    }

    @Test func `reports a missing size only after the server was asked for it`() {
        var details = TransferDetails.full
        details.size = .unknown(estimate: .zero)
        #expect(open(details: details).canvas.text.contains("unknown (not announced)"))
        details.facts = nil
        let text = open(details: details).canvas.text
        #expect(!text.contains("not announced"))
        #expect(text.contains("not known yet"))
    }

    @Test func `shows that details are loading, and none of another transfer`() {
        var other = TransferDetails.full
        other.id = TransferID(5)
        for sitting in [open(details: nil), open(details: other)] {
            #expect(sitting.canvas.text.contains("Loading details"))
            #expect(!sitting.canvas.text.contains("192.0.2.33"))
        }
    }

    @Test func `is beside the table on a wide screen and over it on others`() {
        let wide = open(160, 40)
        let row = wide.lines.first { $0.contains("linux-6.8.1.tar.xz") }
        #expect(row?.contains("│") == true)
        #expect(wide.dashboard.tableColumns == 96)
        #expect(open(120, 40).dashboard.tableColumns == 72)
        #expect(open(119, 40).lines.contains { $0.contains("linux-6.8.1.tar.xz") } == false)
    }

    @Test func `scrolls up to its end`() {
        var sitting = open(80, 20)
        #expect(!sitting.canvas.text.contains("accept-ranges"))
        for _ in 0..<30 { sitting.press("J") }
        #expect(sitting.canvas.text.contains("accept-ranges"))
        let end = sitting.canvas
        sitting.press("J")
        #expect(sitting.canvas == end)
        for _ in 0..<30 { sitting.press("K") }
        #expect(sitting.canvas.text.contains("URL"))
    }

    @Test func `draws a map of the bytes on disk`() throws {
        var details = TransferDetails.full
        details.size = .declared(ByteCount(bytes: 100))
        details.ranges = [0..<50, 75..<100]
        details.durable = [0..<25, 75..<90]
        let lines = DetailLines(
            row: Scenes.busy[2], details: details, look: Appearance(), wallClock: WallClock(), now: .at(0), width: 20
        ).all
        let map = lines.compactMap { line -> String? in
            if case .cells(let cells) = line { String(cells.compactMap(\.text)) } else { nil }
        }
        #expect(map == ["█████▓▓▓▓▓─────███▓▓"])
    }

    @Test func `is closed with the last transfer`() {
        var sitting = open()
        var gone = Update(order: [], totals: QueueTotals(), at: .at(1))
        gone.removed = Scenes.busy.map(\.id)
        sitting.update(gone)
        #expect(!sitting.dashboard.isDetailsOpen)
        #expect(sitting.press(.enter).isEmpty)
    }

    @Test func `is not opened where there is no space for it`() {
        var sitting = Sitting(Scenes.busy, columns: 30, lines: 5)
        #expect(sitting.press(.enter).isEmpty)
        #expect(sitting.message.contains("The window is too small"))
    }
}

@Suite struct `A key that needs the details` {
    private func answered(_ key: Key) -> [String] {
        var sitting = Sitting(Scenes.busy)
        sitting.press("j", "j")
        #expect(sitting.press(key) == ["watch(Optional(TransferID(number: 3)), by: 0)"])
        return sitting.update(.details(.full, of: Scenes.busy))
    }

    @Test func `o opens the folder as soon as it is known`() {
        #expect(answered("o") == ["open /home/me/haul", "watch(nil, by: 0)"])
    }

    @Test func `y copies the URL`() {
        #expect(answered("y") == ["copy \(TransferDetails.full.url)", "watch(nil, by: 0)"])
    }

    @Test func `is executed at once when they are loaded`() {
        var sitting = Sitting(Scenes.busy)
        sitting.press("j", "j", .enter)
        sitting.update(.details(.full, of: Scenes.busy))
        #expect(sitting.press("y") == ["copy \(TransferDetails.full.url)"])
        #expect(sitting.canvas.text.contains("Copied https://mirror.example.org"))
    }

    /// The typed URL is parsed like a line of a batch file.
    @Test(arguments: [
        ("http://new.example/x", "http://new.example/x"), ("<http://new.example/a b>", "http://new.example/a%20b"),
    ])
    func `e changes the URL, starting from the old one`(typed: String, address: String) {
        var sitting = Sitting(Scenes.busy)
        sitting.press("j", "j", "e")
        sitting.update(.details(.full, of: Scenes.busy))
        #expect(sitting.footer.contains("URL: "))
        #expect(sitting.footer.contains("build=2024-03-19"))
        sitting.press(.control("u"))
        sitting.type(typed)
        let actions = sitting.press(.enter)
        #expect(actions.count == 1)
        #expect(actions.first?.hasPrefix("setURL(TransferID(number: 3)") == true)
        #expect(actions.first?.contains(address) == true)
    }

    @Test func `e refuses an invalid URL and changes nothing after Esc`() {
        var sitting = Sitting(Scenes.busy)
        sitting.press("j", "j", "e")
        sitting.update(.details(.full, of: Scenes.busy))
        sitting.press(.control("u"), "x")
        #expect(sitting.press(.enter).isEmpty)
        #expect(sitting.canvas.text.contains("not a URL"))
        #expect(sitting.footer == " URL: x", "what was typed stays")
        #expect(sitting.press(.escape).filter { !$0.hasPrefix("watch") }.isEmpty)
        #expect(sitting.dashboard.mode == .normal)
    }

    @Test(arguments: ["o", "y", "e", .enter] as [Key])
    func `shows a message when there is no transfer`(key: Key) {
        var sitting = Sitting()
        #expect(sitting.press(key).isEmpty)
        #expect(sitting.message.contains("No downloads yet"))
    }
}
