import ArgumentParser
import Glibc
import TestSupport
import Testing

@testable import WinchBatch
@testable import WinchModel
@testable import WinchQueue
@testable import WinchScreen
@testable import WinchTerminal
@testable import winch

/// The value of each option in the settings; that no option is without effect is in `OptionTableTests`.
@Suite struct `The options of the command line` {
    private static let fingerprint = "SHA256:uNiVztksCsDhcc0u9e8BgrJXVGDTzilmMJxRnPTMzoA"
    private static let checksum = "md5=d41d8cd98f00b204e9800998ecf8427e"

    private func transfer(_ arguments: [String]) throws -> TransferSettings {
        try WinchCommand.parse(["http://h/"] + arguments).transferSettings
    }

    private func queue(_ arguments: String..., isWatched: Bool = false) throws -> QueueSettings {
        var settings = QueueSettings()
        try WinchCommand.parse(["http://h/"] + arguments).queue.apply(to: &settings, isWatched: isWatched)
        return settings
    }

    @Test func `say what is downloaded and where it is stored`() throws {
        let options = try FileOptions.parse([
            "-ia", "-i", "-", "-d", "folder", "-o", "name", "--shard", "1/4", "--sums", "a", "--sums", "http://h/b",
        ])
        expectEqual(options.inputFile, ["a", "-"])
        expectEqual(options.dir, "folder")
        expectEqual(options.out, .file(try TargetPath("name")))
        expect(options.shard != nil)
        expectEqual(options.sums, ["a", "http://h/b"])
        try expectEqual(FileOptions.parse(["-o", "-"]).out, .standardOutput)
    }

    @Test func `say how a transfer is made`() throws {
        let arguments: [String] = [
            "--on-conflict", "skip", "--on-change", "fail", "--file-allocation", "trunc", "--checksum", Self.checksum,
            "--max-filesize", "2G", "--no-metalink", "--limit-rate-each", "9K", "-s4", "--min-split-size", "2M",
            "--max-tries", "0", "--retry-wait", "2.5", "--timeout", "7", "--connect-timeout", "3", "--max-time", "60",
            "--lowest-speed", "1K", "--header", "X-A: 1", "--header", "X-B: 2", "--user-agent", "me/1", "--referer",
            "http://h/", "--user", "me", "--password", "p", "--cert", "/dev/null", "--key", "/dev/null", "--host-key",
            Self.fingerprint, "--accept-new-host-keys", "--netrc", "--cookies", "/dev/null", "--proxy", "http://p:3128",
            "--cacert", "/dev/null", "--insecure", "--allow-downgrade", "--ftp-tls", "require", "--max-redirs", "3",
            "--on-done", "a 'b c'", "--on-fail", "d",
        ]
        var expected = TransferSettings()
        expected.onConflict = .skip
        expected.onChange = .fail
        expected.fileAllocation = .none
        expected.checksum = Checksum(Self.checksum)
        expected.maxSize = ByteCount(bytes: 2 << 30)
        expected.metalink = .save
        expected.rateLimit = ByteRate(perSecond: 9216)
        expected.split = .atMost(4)
        expected.minSplitSize = ByteCount(bytes: 2 << 20)
        expected.maxTries = 0
        expected.retryWait = .milliseconds(2500)
        expected.stallTimeout = .seconds(7)
        expected.connectTimeout = .seconds(3)
        expected.maxTime = .seconds(60)
        expected.lowestSpeed = ByteRate(perSecond: 1024)
        expected.headers = ["X-A: 1", "X-B: 2"]
        expected.userAgent = "me/1"
        expected.referer = "http://h/"
        expected.user = "me"
        expected.password = "p"
        expected.certificateFile = "/dev/null"
        expected.keyFile = "/dev/null"
        expected.hostKeys = [Self.fingerprint]
        expected.acceptsNewHostKeys = true
        expected.usesNetrc = true
        expected.cookieFile = "/dev/null"
        expected.proxy = "http://p:3128"
        expected.caFile = "/dev/null"
        expected.isInsecure = true
        expected.allowsDowngrade = true
        expected.ftpTLS = .require
        expected.maxRedirects = 3
        expected.onDone = HookCommand("a", "b c")
        expected.onFail = HookCommand("d")
        try expectEqual(transfer(arguments), expected)
    }

    @Test(
        arguments: [
            [], ["--split", "auto"], ["--lowest-speed", "0"], ["--netrc", "--no-netrc"], ["--on-done", ""],
        ] as [[String]])
    func `leave a transfer as it usually is when they are not given or turned off`(arguments: [String]) throws {
        var usual = TransferSettings()
        usual.metalink = .follow
        try expectEqual(transfer(arguments), usual)
    }

    @Test func `become the settings of the queue`() throws {
        let settings = try queue(
            "-j7", "--per-host", "3", "--progress", "simple", "--hold", "--fail-fast", "--limit-rate", "2M",
            "--limit-upload", "1K", "--space-wait", "5")
        var expected = QueueSettings()
        (expected.slots, expected.perHost, expected.mode) = (7, 3, .simple)
        (expected.isHeld, expected.failsFast) = (true, true)
        expected.rateLimit = ByteRate(perSecond: 2_097_152)
        expected.uploadLimit = ByteRate(perSecond: 1024)
        expected.spaceWait = .seconds(5)
        expectEqual(settings, expected)
    }

    @Test func `wait half a minute for disk space, and without a limit where a user can free some`() throws {
        var expected = QueueSettings()
        expected.spaceWait = .seconds(30)
        try expectEqual(queue(), expected)
        try expectNil(queue(isWatched: true).spaceWait)
    }

    @Test func `limit the time of a command`() throws {
        try expectEqual(HookOptions.parse(["--max-command-time", "5"]).timeLimit, .seconds(5))
        try expectNil(HookOptions.parse(["--max-command-time", "0"]).timeLimit)
        try expectEqual(HookOptions.parse([]).timeLimit, HookProcess.usualLimit)
    }

    @Test func `choose the front end and its appearance`() throws {
        let options = try DisplayOptions.parse([
            "--output", "json", "--theme", "ocean", "--sort", "rate,reverse", "--no-animation", "--no-mouse", "--ascii",
            "--screen-reader", "--fps", "5", "--notify", "bell", "--exit", "--group", "on",
        ])
        expectEqual(options.output, .json)
        expectEqual(options.theme, "ocean")
        expectEqual(options.sort, "rate,reverse")
        expect(!options.animation && !options.mouse && options.ascii && options.screenReader && options.exit)
        expectEqual(options.fps, 5)
        expectEqual(options.group, .on)
        expectEqual(options.notify, .bell)
        let usual = try DisplayOptions.parse([])
        expectEqual(usual.output, .auto)
        expectEqual(usual.fps, 20)
        expect(usual.animation && usual.mouse && !usual.ascii && !usual.exit)
    }

    @Test func `name the log and the folder of the state, in which a session has its own`() throws {
        let log = ["--log", "x", "--log-level", "debug"]
        try expectEqual(LogOptions.parse(log).arguments, log)
        try expectEqual(LogOptions.parse([]).arguments, [])
        let state = try StateFolderOption.parse(["--state-dir", "/state"])
        expectEqual(state.folder, "/state")
        try expectEqual(state.chosenFolder, "/state")
        let night = try StateFolderOption.parse(["--state-dir", "/state/", "--session", "night"])
        expectEqual(night.folder, "/state/sessions/night")
        expectEqual(night.arguments, ["--state-dir", "/state", "--session", "night"])
    }

    @Test func `become the fields of an upload`() throws {
        let options = try UploadOptions.parse([
            "-Ta", "-T", "-", "--method", "POST", "--resumable", "tus", "--content-type", "text/plain", "--create-dirs",
            "--no-temporary-name",
        ])
        expectEqual(options.uploadFile, ["a", "-"])
        expectEqual(options.fields.method, .post)
        expect(options.fields.httpProtocol == .tus && options.fields.createsFolders == true)
        expectEqual(options.fields.usesTemporaryName, false)
        expectEqual(options.fields.contentType, "text/plain")
        expectNil(options.fields.file, "each file is an entry of its own")
        let form = try UploadOptions.parse(["-F", "name=value", "-F", "file=@x"]).fields
        expectEqual(form.form.count, 2)
        expect(!form.isEmpty && form.usesTemporaryName == nil)
        for option in ["--method=GET", "--resumable=other", "--content-type=a\nb"] {
            #expect(throws: (any Error).self, "\(option)") { try UploadOptions.parse([option]) }
        }
    }

    @Test(arguments: [
        "--out=../x", "--out=/etc/x", "--shard=4/4", "--shard=x", "--on-conflict=ask-me", "--on-change=never",
        "--file-allocation=some", "--checksum=sha-256=00", "--checksum=crc=00000000", "--checksum=xyz",
        "--max-size=big", "--jobs=0", "--per-host=0", "--limit-rate=fast", "--progress=some", "--split=0", "--split=17",
        "--split=some", "--min-split-size=big", "--max-tries=-1", "--retry-wait=-1", "--retry-wait=soon", "--timeout=0",
        "--connect-timeout=0", "--max-time=0", "--header=no colon", "--header=Range: bytes=0-9",
        "--header=content-length: 5", "--header=Transfer-Encoding: chunked", "--user-agent=a\r\nX: 1", "--referer=a\nb",
        "--host-key=MD5:16:27:ac", "--ftp-tls=maybe", "--max-redirs=-1", "--output=html", "--fps=0", "--fps=21",
        "--sort=colour", "--columns=name,colour", "--group=some", "--notify=mail", "--log-level=loud", "--session=../x",
        "--session=a/b",
    ])
    func `are refused when they have no meaning`(option: String) {
        #expect(throws: (any Error).self) { try WinchCommand.parse(["http://h/", option]) }
    }

    @Test func `refuse a cookie file in which libcurl would find no cookie`() throws {
        let folder = try TemporaryFolder()
        folder.write("jar", Array(" [{\"name\": \"a\"}]".utf8))
        folder.write("cookies.txt", Array("# Netscape HTTP Cookie File\n".utf8))
        _ = try TransferOptions.parse(["--cookies", folder.path + "/cookies.txt"])
        #expect(throws: (any Error).self) { try TransferOptions.parse(["--cookies", folder.path + "/jar"]) }
    }

    /// libcurl would wait at each connection for a writer.
    @Test(arguments: ["--cookies", "--cacert", "--cert", "--key"])
    func `are refused when a FIFO is to be read more than once`(option: String) throws {
        let folder = try TemporaryFolder()
        expectEqual(mkfifo(folder.path + "/pipe", 0o600), 0)
        let error = #expect(throws: (any Error).self) { try TransferOptions.parse([option, folder.path + "/pipe"]) }
        expect(error.map { TransferOptions.message(for: $0).contains("a FIFO or pipe") } ?? false)
    }
}
