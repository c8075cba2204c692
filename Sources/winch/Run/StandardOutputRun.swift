import ArgumentParser
import CSession
import Glibc
import WinchKit
import WinchModel
import WinchQueue
import WinchTerminal
import WinchTransport

/// `-o -`: writes one file to standard output as its bytes arrive, and messages to standard error.
///
/// The file is also stored in a private temporary folder until the end, so that a lost connection can be resumed; a shell removes
/// the folder of a run that is killed. A checksum is verified after all bytes have been written; the exit status reports a
/// mismatch.
struct StandardOutputRun {
    let sources: SettingSources
    let ending: ProcessEnding

    /// - Returns: the exit code.
    func run() throws -> Int32 {
        try sources.refuse(.ofStandardOutput)
        let command = sources.command
        var input = try RunInput(sources)
        let specs = input.sums.demanded(of: input.batches.takeSpecs())
        guard let given = specs.first, let url = given.urls.first else { throw command.nothingToFetch }
        if let fault = input.sums.fault(of: specs, undone: "nothing was downloaded") {
            ErrorOutput.report(fault)
            throw ExitCode(RunSummary.checksumCode)
        }
        let kind: ReportKind
        switch command.frontEnd.output {
        case .auto, .plain: kind = .plain
        case .json: kind = .json
        case .quiet: kind = .quiet
        case .tui: throw ValidationError("-o - writes the file to standard output, where the dashboard would be")
        }
        for notice in sources.notices { ErrorOutput.report(notice) }
        var settings = given.settings.value
        // Bytes that have been written to standard output cannot be replaced.
        settings.onChange = .fail
        settings.metalink = .save
        // There is no file that a command could be given.
        (settings.onDone, settings.onFail) = (nil, nil)
        var queue = command.queueSettings(isWatched: false)
        // No key and no command can end a hold of this run.
        queue.isHeld = false
        let download = try TemporaryDownload(name: TargetName(url: url).text, queue: queue)
        ending.expect(download.host)
        let guardian = Self.removeAtEnd(download.folder)
        defer {
            download.remove()
            if guardian >= 0 { close(guardian) }
        }
        let pipe = FileToPipeCopier(paths: [download.partPath, download.path]) { [inbox = download.host.queue.inbox] in
            inbox.send(.quit)
        }
        download.host.queue.feed.subscribe(pipe)
        pipe.start()
        let (end, result) = download.run(url, settings, kind, listed: given.listedChecksum) { await pipe.finish() }
        guard end != .quitAtOnce, let summary = result else {
            return ending.quitAtOnce()
        }
        switch pipe.failure {
        case .system(EPIPE): return summary.exitCode == 0 ? RunSummary.unfinishedCode : summary.exitCode
        case .system(let code):
            ErrorOutput.report("standard output: \(String(cString: strerror(code)))")
            return RunSummary.outputCode
        case .takenBack(let written):
            let words = NumberFormat.bytes(ByteCount(bytes: written))
            ErrorOutput.report("the server began again from zero after \(words) had been written to standard output")
            return 1
        case nil: return summary.exitCode
        }
    }

    /// POSIX_SPAWN_SETSID, which Glibc's module leaves out.
    private static let newSession: Int16 = 0x80

    /// Starts a shell that removes the folder when this process has ended, however it ends: its input is a pipe, which the kernel
    /// closes.
    ///
    /// - Returns: this end of the pipe; -1: no shell can be started, and the folder of a run that is killed stays.
    private static func removeAtEnd(_ folder: String) -> Int32 {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return -1 }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[0]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[0], 0)
        // The reader of standard output must not wait for the shell's end.
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        winch_spawn_close_from(&actions, 3)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // In its own session the shell does not receive Ctrl-C.
        posix_spawnattr_setflags(&attributes, OrdinarySignals.give(to: &attributes) | newSession)
        let words = ["sh", "-c", "read -r end; rm -rf -- \"$1\"", "sh", folder]
        var texts = words.map { strdup($0.cBytes) } + [nil]
        defer { texts.forEach { free($0) } }
        var child = pid_t()
        guard posix_spawn(&child, "/bin/sh", &actions, &attributes, &texts, environ) == 0 else {
            close(ends[1])
            return -1
        }
        return ends[1]
    }
}

extension FileToPipeCopier: UpdateSubscriber {
    /// Takes positions of the only transfer. Those to which the download goes back come first, so that the pipe writes no bytes
    /// that are about to be replaced.
    func post(_ update: Update) {
        for event in update.events {
            if case .rebase = event.kind, event.id != nil { restart(at: event.have.bytes) }
        }
        if let row = update.rows.values.first { advance(to: row.have.bytes) }
    }
}
