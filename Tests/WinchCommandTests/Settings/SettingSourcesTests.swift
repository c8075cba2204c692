import ArgumentParser
import TestSupport
import Testing
import WinchScreen
import WinchSession

@testable import WinchBatch
@testable import WinchModel
@testable import WinchQueue
@testable import winch

@Suite struct `Settings` {
    private let home: TemporaryFolder

    init() throws {
        home = try TemporaryFolder()
        home.makeFolder("winch")
    }

    /// - Parameter file: the contents of the settings file; `nil`: the file does not exist.
    private func sources(
        _ arguments: [String] = [], file: String? = nil, environment: [String: String] = [:]
    ) throws -> SettingSources {
        var environment = environment
        environment["XDG_CONFIG_HOME"] = home.path
        if let file { home.write("winch/winch.conf", Array(file.utf8)) }
        return try SettingSources(arguments: arguments, environment: environment)
    }

    private func outcome(_ name: String, _ sources: SettingSources) throws -> String {
        let outcome = try require(sources.outcomes.first { $0.option.name == name })
        return "\(outcome.value), \(outcome.origin.words)"
    }

    @Test func `take precedence in the order default, file, environment, command line`() throws {
        let file = "jobs=7\nlimit-rate=1M\ntheme=mono\n"
        let environment = ["WINCH_JOBS": "9", "WINCH_THEME": "rainbow"]
        let sources = try sources(["--jobs", "3"], file: file, environment: environment)
        expectEqual(sources.problems, [])
        expectEqual(sources.command.queue.jobs, 3)
        try expectEqual(outcome("jobs", sources), "3, command line")
        try expectEqual(outcome("theme", sources), "rainbow, environment")
        try expectEqual(outcome("limit-rate", sources), "1M, file, line 2")
        expectEqual(sources.command.queue.limitRate, ByteRate(perSecond: 1_048_576))
        try expectEqual(outcome("per-host", sources), "8, default")
        try expectEqual(outcome("animation", sources), "yes, default")
    }

    @Test(
        arguments: [
            ([], [:], ""), (["-j", "2", "http://h/f"], [:], ""),
            (["--session", "night"], [:], " --session night"),
            (["--state-dir", "a b", "--session=x"], [:], " --state-dir 'a b' --session x"),
            ([], ["WINCH_SESSION": "x", "WINCH_STATE_DIR": "/s"], ""),
            (["--state-dir", "/t"], ["WINCH_SESSION": "x"], " --state-dir /t"),
        ] as [([String], [String: String], String)])
    func `of the command line that choose the state folder are in the commands for it that the user is told`(
        arguments: [String], environment: [String: String], options: String
    ) throws {
        let commands = try StateCommands(sources(arguments, environment: environment))
        expectEqual(commands.line("attach"), "winch attach" + options)
        expectEqual(commands.line(), "winch" + options)
        expectEqual(StateCommands(arguments: arguments).line("stop"), "winch stop" + options)
        expectEqual(
            SessionFailure.notRunning(folder: "/f").reported(commands),
            "no session runs for /f; winch serve\(options) starts one")
    }

    @Test func `of a file are in those commands if the command line names the file`() throws {
        try expectEqual(StateCommands(sources(file: "session=x\n")).line("attach"), "winch attach")
        home.write("own.conf", Array("session=y\n".utf8))
        let own = try sources(["--config", home.path + "/own.conf"])
        expectEqual(StateCommands(own).line("attach"), "winch attach --session y")
    }

    @Test(arguments: ["http_proxy", "https_proxy", "HTTPS_PROXY", "sftp_proxy", "all_proxy", "ALL_PROXY"])
    func `are not completed by a malformed proxy of the environment`(name: String) throws {
        let environment = [name: "http://me:secret/x@p:1", "HTTP_PROXY": "http://me:secret/x@p:1"]
        let error = #expect(throws: ValidationError.self) { try sources(environment: environment) }
        expectEqual(error?.message, "the variable \(name): malformed; \(ProxyAddress.form)")
        let given = try sources(["--proxy", "p:1"], environment: environment)
        expectEqual(given.command.transfer.connections.proxy, "p:1")
    }

    @Test(arguments: [
        ("proxy=http://me:secret/x@p:1", "--proxy: malformed; \(ProxyAddress.form)"),
        (
            "user=me:secret",
            "--user: a name without a colon; the password has an option of its own: --password TEXT"
        ),
    ])
    func `that are secret are not shown when they are wrong`(line: String, words: String) {
        let error = #expect(throws: ValidationError.self) { try sources(file: line + "\n") }
        expectEqual(error?.message, "\(home.path)/winch/winch.conf:1: \(words)")
    }

    @Test(arguments: [
        "ftp-tls=required", "proxy=:::", "cacert=/missing", "cert=/missing", "key=/missing", "host-key=x", "header=x",
        "user=a:b", "max-size=much", "limit-rate=fast", "limit-rate-each=fast", "limit-upload=fast", "dir=",
        "on-conflict=ask", "on-change=never", "shard=x", "insecure=flase", "allow-downgrade=maybe",
        "accept-new-host-keys=",
    ])
    func `that protect are not left out when they are wrong`(line: String) {
        let inFile = #expect(throws: ValidationError.self) { try sources(file: "jobs=5\n\(line)\n") }
        let place = "\(home.path)/winch/winch.conf:2: "
        expectEqual(inFile?.message.hasPrefix(place), true, "\(String(describing: inFile))")
        let parts = line.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
        let variable = "WINCH_" + parts[0].uppercased().split(separator: "-").joined(separator: "_")
        let inEnvironment = #expect(throws: ValidationError.self) {
            try sources(file: "", environment: [variable: parts[1]])
        }
        expectEqual(
            inEnvironment?.message.hasPrefix("\(variable): "), true, "\(String(describing: inEnvironment))")
    }

    @Test func `may be taken back by a later source with an empty value`() throws {
        let sources = try sources(
            file: "on-done=a\non-fail=b\n", environment: ["WINCH_ON_DONE": ""])
        expectEqual(sources.problems, [])
        expectEqual(sources.command.hook.onDone, HookOptions.Choice.none)
        expectEqual(sources.command.hook.onFail?.command, HookCommand("b"))
    }

    @Test func `keep the order between patterns that include and that exclude`() throws {
        let arguments = ["-r", "http://h/", "--exclude", "*", "--include=*.iso", "--exclude", "b*"]
        let globs = try sources(arguments).folders.globs
        expectEqual(globs.map(\.includes), [false, true, false])
        expectEqual(globs.map { String(decoding: $0.pattern, as: UTF8.self) }, ["*", "*.iso", "b*"])
    }

    @Test func `are not what the environment tells a fleet or a hook`() throws {
        let environment = ["WINCH_FLEET_SERVER": "nats://h", "WINCH_FLEET_TOKEN": "x", "WINCH_HOOK_ID": "1"]
        try expectEqual(sources(environment: environment).problems, [])
    }

    @Test func `name the lines of a cookie file that are no cookies`() throws {
        home.write("jar", Array("h\tFALSE\t/\tFALSE\t0\tid\tmine\nid=mine\n".utf8))
        let path = home.path + "/jar"
        try expectEqual(
            sources(["--cookies", path]).problems, ["--cookies \(path): left out, being no cookies: line 2"])
    }

    @Test(arguments: ["state-dir", "log", "cookies"])
    func `that name a file or a folder are not empty`(name: String) throws {
        let sources = try sources(file: "\(name)=\n")
        expectEqual(sources.problems.count, 1, "\(sources.problems)")
        expectEqual(sources.problems.first?.hasSuffix(", not ''"), true, "\(sources.problems)")
    }

    @Test func `of a resumed run override the file and are overridden by the command line`() throws {
        home.write("winch/winch.conf", Array("jobs=7\nlimit-rate=1M\nper-host=3\n".utf8))
        let kept = [
            NameValueLine(name: "limit-rate", value: "200K"), NameValueLine(name: "jobs", value: "2"),
            NameValueLine(name: "hold", value: "yes"), NameValueLine(name: "of-another-version", value: "1"),
        ]
        let environment = ["XDG_CONFIG_HOME": home.path, "WINCH_JOBS": "9"]
        let first = try SettingSources(arguments: ["--limit-rate", "none"], environment: environment)
        let sources = try first.continuing(kept)
        expectEqual(sources.problems, [])
        try expectEqual(outcome("limit-rate", sources), "none, command line")
        try expectEqual(outcome("jobs", sources), "9, environment")
        try expectEqual(outcome("hold", sources), "yes, last run")
        try expectEqual(outcome("per-host", sources), "3, file, line 3")
        expectEqual(StoredRunOptions.notice(sources.outcomes), "resuming with --hold of the last run")
        let alone = try SettingSources(arguments: [], environment: ["XDG_CONFIG_HOME": home.path], kept: kept)
        expectEqual(StoredRunOptions.notice(alone.outcomes)?.contains("--limit-rate 200K"), true)
        expectEqual(StoredRunOptions.notice(alone.outcomes)?.contains("-j 2"), true)
        expectEqual(alone.command.queue.limitRate, ByteRate(perSecond: 204_800))
    }

    @Test(
        arguments: [
            ([], ""), ([("hold", "no"), ("limit-rate-each", "1M")], ""), ([("jobs", "2")], "-j 2"),
            ([("hold", "yes"), ("limit-rate", "1M")], "--hold and --limit-rate 1M"),
            ([("jobs", "2"), ("fail-fast", "yes"), ("on-settled", "a b")], "-j 2, --fail-fast and --on-settled 'a b'"),
        ] as [([(String, String)], String)])
    func `of a run that do not go with its transfers are named`(options: [(String, String)], words: String) {
        expectEqual(StoredRunOptions.words(ofLeft: options.map { NameValueLine(name: $0, value: $1) }), words)
    }

    @Test func `of a run are saved as changed while it ran`() throws {
        let sources = try sources(["--limit-rate", "200K", "--exit"], file: "jobs=7\n")
        let options = StoredRunOptions(
            sources.outcomes, start: sources.command.queueSettings(isWatched: true, seed: 1)
        ) { _ in }
        expectEqual(options.settings, [NameValueLine(name: "limit-rate", value: "200K")])
        var totals = QueueTotals()
        (totals.slots, totals.rateLimit) = (7, ByteRate(perSecond: 204_800))
        expectNil(options.changed(by: totals))
        expectNil(options.changed(by: totals))
        totals.slots = 5
        expectEqual(options.changed(by: totals)?.contains(NameValueLine(name: "jobs", value: "5")), true)
        totals.rateLimit = ByteRate(perSecond: 1_048_576)
        expectEqual(options.changed(by: totals)?.contains(NameValueLine(name: "limit-rate", value: "1M")), true)
        (totals.rateLimit, totals.isHeld) = (nil, true)
        totals.uploadLimit = ByteRate(perSecond: 512_000)
        let end = [("jobs", "5"), ("limit-rate", "none"), ("limit-upload", "500K"), ("hold", "yes")].map {
            NameValueLine(name: $0, value: $1)
        }
        expectEqual(options.changed(by: totals), end)
    }

    @Test(arguments: [
        ("exit=yes", [String](), true), ("exit=yes", ["--no-exit"], false), ("no-exit=no", [], true),
        ("exit=off", ["--exit"], true), ("exit=off", [], false),
    ])
    func `that are flags can be turned off by a later source`(file: String, arguments: [String], holds: Bool) throws {
        let sources = try sources(arguments, file: file)
        expectEqual(sources.problems, [])
        expectEqual(sources.command.frontEnd.exit, holds)
        try expect(outcome("exit", sources).hasPrefix(holds ? "yes" : "no"))
    }

    @Test func `that are flags without an opposite may be off`() throws {
        let sources = try sources(file: "allow-downgrade=no\nephemeral=no\nno-times=no\nno-metalink=no\n")
        expectEqual(sources.problems, [])
        expect(!sources.command.keeping.ephemeral)
        try expect(outcome("ephemeral", sources).hasPrefix("no"))
    }

    @Test(arguments: [
        ("jobs=none", "winch.conf:2: "), ("jubs=3", "winch.conf:2: no setting 'jubs'; did you mean jobs?"),
        ("just words", "winch.conf:2: a setting is name=value: just words"),
        ("exit=perhaps", "winch.conf:2: exit: 'perhaps' is not yes or no"),
        ("input-file=x", "winch.conf:2: input-file belongs to one run"),
        ("out=x", "winch.conf:2: out belongs to one run"),
        ("cookies=/missing", "winch.conf:2: --cookies /missing: No such file or directory"),
    ])
    func `that are invalid are reported by line, and the others apply`(line: String, words: String) throws {
        let sources = try sources(file: "# a comment\n\(line)\njobs=5\n\n")
        expectEqual(sources.problems.count, 1)
        expectEqual(sources.problems.first?.contains(words), true, "\(sources.problems)")
        expectEqual(sources.command.queue.jobs, 5)
    }

    @Test func `that are invalid are reported in the order of their lines`() throws {
        let sources = try sources(
            file: "key.dance=x\njubs=1\njust words\ntheme=ocaen\nlowest-speed=fast\nkey.pause=Hyper-C\n")
        let lines = sources.problems.compactMap { $0.split(separator: ":").dropFirst().first.flatMap { Int($0) } }
        expectEqual(lines, [1, 2, 3, 4, 5, 6])
        expect(sources.problems[3].hasSuffix("did you mean ocean?"))
        expect(
            sources.problems[4].hasSuffix(
                ":5: --lowest-speed: 'fast' is not a rate; use 500K or 2M (bytes a second), or none"))
    }

    @Test func `are bytes, whether UTF-8 or not`() throws {
        home.write("winch/winch.conf", Array("dir=".utf8) + [0xE8, 0x78, 0x0A, 0xFF, 0xFE] + Array("=1\njobs=5".utf8))
        let sources = try sources()
        expectEqual(sources.command.target.dir.systemBytes, [0xE8, 0x78])
        expectEqual(sources.problems.count, 1, "an unknown setting: \(sources.problems)")
        expectEqual(sources.command.queue.jobs, 5)
    }

    @Test func `in the environment are reported by the name of the variable`() throws {
        let sources = try sources(environment: ["WINCH_JOBS": "many", "WINCH_COLOUR": "red", "WINCHES": "3"])
        expectEqual(sources.problems.count, 2)
        expect(sources.problems.contains("WINCH_COLOUR: no setting 'colour'"))
        expect(sources.problems.contains { $0.hasPrefix("WINCH_JOBS: ") })
        expectEqual(sources.command.queue.jobs, OptionDefaults.queue.slots)
    }

    @Test func `never show credentials, and a file with them that others can read causes a warning`() throws {
        let sources = try sources(["--user", "me"], file: "password=s3cret\n")
        try expectEqual(outcome("password", sources), "(set), file, line 1")
        try expectEqual(outcome("user", sources), "(set), command line")
        expect(sources.problems.contains { $0.contains("chmod 600") })
        expect(!sources.problems.contains { $0.contains("s3cret") })
    }

    @Test func `come from the given file, or from no file`() throws {
        home.write("other.conf", Array("jobs=11\n".utf8))
        try expectEqual(sources(["--config", home.path + "/other.conf"], file: "jobs=7").command.queue.jobs, 11)
        try expectEqual(sources(environment: ["WINCH_CONFIG": home.path + "/other.conf"]).command.queue.jobs, 11)
        try expectEqual(sources(file: "jobs=7", environment: ["WINCH_CONFIG": ""]).command.queue.jobs, 7)
        let none = try sources(["--no-config"], file: "jobs=7")
        expectEqual(none.command.queue.jobs, OptionDefaults.queue.slots)
        expectNil(none.path)
        #expect(throws: (any Error).self) { try sources(["--config", home.path + "/missing.conf"]) }
    }

    @Test(
        arguments: [
            (["--config", "/missing.conf"], ""), ([], "shard=x\n"), ([], "insecure=x\n"),
        ] as [([String], String)])
    func `that are wrong are reported after an error of the command line`(arguments: [String], file: String) {
        let error = #expect(throws: ValidationError.self) {
            try sources(arguments + ["--limit-rate", "fast"], file: file)
        }
        expectEqual(error?.message.hasPrefix("--limit-rate: "), true, "\(String(describing: error))")
    }

    @Test(arguments: [
        (["-j16", "http://h/"], "16, command line"), (["-j", "16"], "16, command line"),
        (["--jobs=16"], "16, command line"),
        (["--max-concurrent-downloads", "16"], "16, command line"), (["--", "--jobs=16"], "4, default"),
        (["--header", "a: --jobs", "-d", "-j"], "4, default"),
    ])
    func `on the command line are recognised by all their names`(arguments: [String], words: String) throws {
        let table = OptionTable.ofWinch
        let given = table.given(in: arguments).last { $0.name == "jobs" }
        expectEqual((given.map { "\($0.value), command line" } ?? "4, default"), words)
    }

    /// The dashboard of a session whose transfers have ended would close in the moment in which it opens.
    @Test func `let a dashboard of a session end by itself only when the command line says so`() throws {
        try expect(!sources(file: "exit=yes\n").exits(isAttached: true))
        try expect(!sources(environment: ["WINCH_EXIT": "yes"]).exits(isAttached: true))
        try expect(sources(["--exit"], file: "exit=yes\n").exits(isAttached: true))
    }

    @Test func `include the user's own themes and keys`() throws {
        home.makeFolder("winch/themes")
        home.write("winch/themes/sea.theme", Array("base=light\nbar-moving=#0088ff\nwaves=high\n".utf8))
        home.write("winch/themes/notes.txt", Array("none".utf8))
        let file = "theme=sea\nkey.pause=F5 p\nkey.dance=x\nkey.cancel=Hyper-C\n"
        let sources = try sources(file: file)
        expectEqual(sources.theme.name, "sea")
        expectEqual(sources.themes.themes.count, Theme.builtIn.count + 1)
        expectEqual(sources.problems.count, 3)
        expect(sources.problems.contains { $0.hasSuffix("sea.theme:3: unknown name: waves") })
        expect(sources.problems.contains { $0.hasSuffix("winch.conf:3: there is no action dance") })
        expect(sources.problems.contains { $0.hasSuffix("winch.conf:4: there is no key Hyper-C") })
        expectEqual(sources.keys.problems.count, 2)
    }

    @Test func `report problems of the user's theme only when it is selected`() throws {
        home.makeFolder("winch/themes")
        home.write("winch/themes/sea.theme", Array("waves=high\n".utf8))
        home.write("winch/themes/lake.theme", Array("base=light\n".utf8))
        try expectEqual(sources(file: "theme=lake\n").problems, [])
        let sea = try sources(["--theme", "sea"])
        expectEqual(sea.problems.map { $0.hasSuffix("sea.theme:1: unknown name: waves") }, [true])
        // A theme that is selected later in the dashboard still has its problems.
        try expectEqual(sources(file: "").themes["sea"]?.problems, sea.problems)
    }

    @Test func `with an unknown theme keep the default one`() throws {
        let sources = try sources(file: "theme=plaid\njobs=5\n")
        expectEqual(sources.theme.name, Theme.standard.name)
        expectEqual(sources.problems.first?.contains("theme: 'plaid' is not one of dark, light"), true)
        #expect(throws: (any Error).self) { try self.sources(["--theme", "plaid"]) }
    }
}
