import ArgumentParser
import TestSupport
import Testing

@testable import winch

@Suite struct `Options without effect on a session` {
    private let table = OptionTable.ofWinch

    @Test func `are refused by their names`() {
        let refusal = OptionsWithoutEffect.ofAttachment.refusal(
            of: ["-j", "9", "--limit-rate", "10K", "--log=x", "-i", "list"], table)
        expectEqual(
            refusal?.hasPrefix("--jobs, --limit-rate, --log, --input-file have no effect on the dashboard"), true)
        for option in ["--hold", "--on-settled=x", "--max-command-time=9"] {
            expect(OptionsWithoutEffect.ofAddition.refusal(of: ["http://h/f", option], table) != nil, "\(option)")
            expect(OptionsWithoutEffect.ofAttachment.refusal(of: [option], table) != nil, "\(option)")
        }
        expect(OptionsWithoutEffect.ofSession.refusal(of: ["--output", "json"], table) != nil)
        for option in ["--on-done=x", "--log=x", "--hold", "-dx", "--no-metalink", "--state-dir=x", "--session=x"] {
            expect(OptionsWithoutEffect.ofStandardOutput.refusal(of: [option], table) != nil, "\(option)")
        }
    }

    /// - Returns: the error of the run.
    private func error(_ arguments: [String], _ run: @escaping (SettingSources) throws -> Int32) -> String? {
        let error = #expect(throws: ValidationError.self) {
            try run(SettingSources(arguments: arguments, environment: [:]))
        }
        return error?.message
    }

    @Test func `are those of other commands and a file for standard output`() {
        let add = { (sources: SettingSources) in try AddRun(sources: sources).run() }
        expectEqual(error(["http://h/f", "--until-done"], add), "--until-done is an option of winch serve")
        expectEqual(error(["http://h/f", "--stdio"], add), "--stdio is an option of winch attach")
        // --unit ends a run that is not refused.
        let serve = { (sources: SettingSources) in try ServeRun(sources: sources, ending: ProcessEnding()).run() }
        let words = "a session has no standard output: give -o a name, or run winch -o - URL"
        expectEqual(error(["http://h/f", "-o", "-"], add), words)
        expectEqual(error(["--unit", "-o", "-", "http://h/f"], serve), words)
        expectEqual(
            error(["http://h/f", "--unit"]) { try DownloadRun(sources: $0, ending: ProcessEnding()).run() },
            "--unit is an option of winch serve")
        expectEqual(error(["--unit", "--stdio"], serve), "--stdio is an option of winch attach")
    }

    @Test func `are those of downloads on an upload`() throws {
        let words = " no effect on an upload, which sends its file as it is, to the name in the URL"
        let add = { (sources: SettingSources) in try AddRun(sources: sources).run() }
        expectEqual(error(["-T", "f", "http://h/f", "--no-times", "-dx"], add), "--no-times, --dir have" + words)
        let put = [SessionOptions.putFlag, "f", "http://h/f"]
        expectEqual(
            error(put + ["--max-filesize=1M"]) { try DownloadRun(sources: $0, ending: ProcessEnding()).run() },
            "--max-size has" + words)
        expectEqual(error(["-F", "a=b", "http://h/f", "--sums=s"], add), "--sums has" + words)
        // Entries of a list may be downloads.
        for others in [put + ["-i", "list", "-dx", "--sums", "s"], put + ["-j", "2"], ["http://h/f", "-dx"]] {
            try SettingSources(arguments: others, environment: [:]).refuseOptionsOfOtherEntries()
        }
        let attributes = Set(OptionTable.ofWinch.options.map(\.name))
        expect(OptionsWithoutEffect.ofUpload.names.isSubset(of: attributes))
    }

    @Test func `are those of folders on a file`() throws {
        let add = { (sources: SettingSources) in try AddRun(sources: sources).run() }
        expectEqual(
            error(["http://h/f", "--no-times"], add),
            "--no-times has no effect on a single file; -r downloads a folder, whose files get the times")
        for others in [["-r", "http://h/"], ["http://h/f", "-i", "list"], []] {
            try SettingSources(arguments: others + ["--no-times"], environment: [:]).refuseOptionsOfOtherEntries()
        }
    }

    @Test func `are the key of a certificate that is not given`() throws {
        let words =
            "--key has no effect without --cert, except with SFTP: give the certificate as well, or leave the key out"
        let key = ["--key", "/dev/null"]
        let put = [SessionOptions.putFlag, "f", "https://h/f"]
        for arguments in [["https://h/f"], ["ftps://h/f", "http://h/g"], put] {
            expectEqual(error(arguments + key) { try AddRun(sources: $0).run() }, words)
            expectEqual(
                error(arguments + key) { try DownloadRun(sources: $0, ending: ProcessEnding()).run() }, words)
        }
        for others in [
            ["https://h/f", "--cert", "/dev/null"], ["sftp://h/f"], ["https://h/f", "SFTP://h/g"],
            ["https://h/f", "-i", "list"], [],
        ] {
            try SettingSources(arguments: others + key, environment: [:]).refuseOptionsOfOtherEntries()
        }
    }

    @Test func `are those of transfers on what is resumed`() {
        let refusal = OptionsWithoutEffect.ofResumption.refusal(of: ["-d", "x", "-j2", "--proxy=p"], table)
        expectEqual(
            refusal,
            "--dir, --proxy have no effect on what is resumed: each keeps the options it was given with")
        for option in [
            "--max-size=5", "--header=A: b", "--include=a", "--depth=2", "--on-conflict=skip", "--content-type=a/b",
            "--method=POST", "--no-times", "--insecure", "--user=u", "--password=p", "--timeout=9", "--max-tries=3",
            "-s2", "--cookies=c", "--on-done=x", "--on-fail=x", "--create-dirs", "--shard=0/2",
        ] {
            expect(OptionsWithoutEffect.ofResumption.refusal(of: [option], table) != nil, "\(option)")
        }
        for option in [
            "-j2", "--per-host=3", "--hold", "--fail-fast", "--limit-rate=9K", "--limit-rate-each=9K", "--space-wait=9",
            "--progress=simple", "--on-settled=x", "--max-command-time=9", "--output=json", "--state-dir=s",
            "--session=s", "--log=x", "--config=c", "--no-config", "--ascii",
        ] {
            expectNil(OptionsWithoutEffect.ofResumption.refusal(of: [option], table), "\(option)")
        }
    }

    @Test(arguments: [
        (["--foreground"], "--foreground is an option of winch serve"),
        (["--remote-command", "w"], "--remote-command is for a HOST"),
        (["host", "--stdio"], "--stdio is for a session of this machine"),
    ])
    func `are those of an attachment to another machine, or to this one`(arguments: [String], words: String) {
        expectEqual(error(["--attached"] + arguments) { try AttachRun(sources: $0).run() }, words)
    }

    @Test func `are none of those that count`() {
        expectNil(OptionsWithoutEffect.ofAttachment.refusal(of: ["--ascii", "--session", "x", "-d", "o"], table))
        let addition = ["-i", "list", "-d", "out", "--limit-rate-each", "9K", "--config", "c", "--max-tries", "2"]
        expectNil(OptionsWithoutEffect.ofAddition.refusal(of: addition, table))
        let one = ["--sums", "s", "--checksum", "c", "--limit-rate", "9K", "--output", "json", "--shard", "0/2"]
        expectNil(OptionsWithoutEffect.ofStandardOutput.refusal(of: one, table))
        expectNil(OptionsWithoutEffect.ofSession.refusal(of: ["-j", "9", "--log", "x", "-i", "l"], table))
    }
}
