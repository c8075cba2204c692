import TestSupport
import Testing

@testable import WinchModel
@testable import WinchScreen

@Suite struct `The lines of the details` {
    private func open(_ columns: Int = 120, _ lines: Int = 40, details: TransferDetails? = .full) -> Sitting {
        var sitting = Sitting(Scenes.busy, columns: columns, lines: lines)
        sitting.press("j", "j", .enter)
        if let details { sitting.update(.details(details, of: Scenes.busy)) }
        return sitting
    }

    @Test(arguments: [
        ("https://h/f", "not possible"), ("ftp://h/f", "possible; the size"), ("sftp://h/f", "possible; the size"),
    ])
    func `shows whether a download without a validator can be resumed`(url: String, words: String) {
        var details = TransferDetails.full
        (details.urls, details.mirror, details.validator) = ([url], 0, nil)
        let line = open(200, 70, details: details).lines.first { $0.contains("Resume") } ?? ""
        expect(line.contains(words), "\(line)")
    }

    @Test func `says nothing about resuming after an answer that is an error`() {
        var details = TransferDetails.full
        details.validator = nil
        details.facts?.status = 503
        let line = open(200, 70, details: details).lines.first { $0.contains("Resume") } ?? ""
        expect(line.contains("not known yet"), "\(line)")
    }

    @Test(arguments: [
        (".", "/home/me", "/home/me/x.part"), ("got", "/home/me/got", "/home/me/got/x.part"),
        ("/srv", "/srv", "/srv/x.part"),
    ])
    func `names the whole path of the folder, wherever it was started`(given: String, folder: String, part: String) {
        var details = TransferDetails.full
        (details.folder, details.path) = (given, "x")
        details.partPath = "x.part"
        var sitting = open(200, 70, details: details)
        sitting.dashboard.workingFolder = WorkingFolder("/home/me")
        let lines = sitting.lines
        expect(lines.contains { $0.contains("Folder     \(folder) ") })
        expect(lines.contains { $0.contains("Part       \(part) ") })
    }

    @Test func `show no signature of a URL`() {
        var details = TransferDetails.full
        details.urls = ["https://h/f?sig=one", "https://m/f?sig=two"]
        (details.mirror, details.location) = (0, "https://r/f?sig=three")
        let text = open(200, 70, details: details).lines.joined(separator: "\n")
        for host in ["h", "m", "r"] { expect(text.contains("https://\(host)/f?sig=*** "), "\(text)") }
    }

    @Test func `shows no number of pieces when nothing is on disk`() {
        var details = TransferDetails.full
        details.ranges = []
        let row = TransferSnapshot.sample(3, "a", .waiting(.slot), of: 100)
        var sitting = Sitting([row], lines: 50)
        sitting.press(.enter)
        sitting.update(.details(details, of: [row]))
        expect(sitting.canvas.text.contains("nothing yet") && !sitting.canvas.text.contains("pieces"))
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
            expect(
                text.contains("✗ failed: received an HTML page instead of .zip; a login may be needed; the partial")
            )
            expect(text.contains("Warning received an HTML page instead of .zip; a login may be needed"))
            expect(text.contains("Set back 00:16:40 file changed, starting over -2.0 MiB"))
        }
        row.rebase = Rebase(cause: .retried, at: .at(0), completed: -5, total: 0)
        var sitting = Sitting([row])
        sitting.press(.enter)
        expect(!sitting.canvas.text.contains("retried"), "a person's own doing is no trouble")
    }

    @Test func `shows a note about a file that is right as no warning`() {
        var row = TransferSnapshot.sample(1, "a", .finished(.sent(path: "a")), have: 100, of: 100)
        row.warning = .streamKept
        var sitting = Sitting([row], columns: 120)
        sitting.press(.enter)
        let text = sitting.canvas.text
        expect(text.contains("Note") && text.contains("its size was needed"))
        expect(!text.contains("Warning") && !text.contains("done, but"))
    }

    @Test func `shows the state, value and origin of each checksum`() throws {
        let checksum = try require(Checksum("md5=" + String(repeating: "ab", count: 16)))
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
        expect(text(finding).contains("md5, not checked yet"))
        expect(text(finding).contains("expected " + checksum.hex))
        expect(text(finding).contains("from     --checksum or the batch file"))
        finding.state = .checking
        expect(text(finding, verified: 40).contains("md5, being checked 40%"))
        finding.state = .matched
        expect(text(finding).contains("✓ md5, matches"))
        finding.state = .mismatched(got: "cdcd")
        expect(text(finding).contains("✗ md5, mismatch") && text(finding).contains("got      cdcd"))
        finding.origin = .header("Content-Digest")
        finding.range = 5..<10
        expect(text(finding).contains("from     the server's Content-Digest, of bytes 5 to 9"))
        finding.origin = .list
        expect(text(finding).contains("a checksum list (--sums)"))
        finding.origin = .earlierRun
        expect(text(finding).contains("an earlier run"))
    }

    @Test func `reports a missing size only after the server was asked for it`() {
        var details = TransferDetails.full
        details.size = .unknown(estimate: .zero)
        expect(open(details: details).canvas.text.contains("unknown (not announced)"))
        details.facts = nil
        let text = open(details: details).canvas.text
        expect(!text.contains("not announced"))
        expect(text.contains("not known yet"))
    }
}
