import ArgumentParser
import CSession
import Glibc
import Synchronization
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
    let url: TransferURL
    let settings: TransferSettings
    let queue: QueueSettings
    let kind: ReportKind
    let ending: ProcessEnding

    /// - Returns: the exit code.
    func run() throws -> Int32 {
        let folder = try Self.temporaryFolder()
        var settings = settings
        // Bytes that have been written to standard output cannot be replaced.
        settings.onChange = .fail
        settings.metalink = .save
        // There is no file that a command could be given.
        (settings.onDone, settings.onFail) = (nil, nil)
        let name = TargetName(url: url).text
        let guardian = Self.removeAtEnd(folder)
        defer {
            for file in [name, name + ".part"] { unlink("\(folder)/\(file)".cBytes) }
            rmdir(folder)
            if guardian >= 0 { close(guardian) }
        }
        let spec = TransferSpec(urls: [url], folder: folder, name: try? TargetPath(name), settings: Shared(settings))
        return try run(spec, paths: ["\(folder)/\(name).part", "\(folder)/\(name)"])
    }

    private func run(_ spec: TransferSpec, paths: [String]) throws -> Int32 {
        let mailbox = try Wiring.openMailbox()
        let stopping = Stopping()
        let pipe = FileToPipeCopier(paths: paths) { stopping.stop() }
        let engineHost: EngineHost
        do throws(TransferFailure) {
            engineHost = try EngineHost(settings: queue)
        } catch {
            throw ErrorOutput.Fatal(error.message)
        }
        for subscriber: any UpdateSubscriber in [pipe, mailbox.updates] { engineHost.queue.feed.subscribe(subscriber) }
        ending.expect(engineHost)
        let transfers = engineHost.queue
        stopping.set { [inbox = transfers.inbox] in inbox.send(.quit) }
        transfers.inbox.add([Addition(spec: spec)])
        pipe.start()
        engineHost.start { await pipe.finish() }
        let loop = ReporterLoop(
            kind, output: STDERR_FILENO, isASCII: OutputLocale.isASCIITerminal(STDERR_FILENO), queue: transfers,
            mailbox: mailbox)
        guard loop.run() != .quitAtOnce, let summary = engineHost.summary else {
            ending.skipsWaiting = true
            return RunSummary.unfinishedCode
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

    private static func temporaryFolder() throws -> String {
        guard let folder = TemporaryFiles.makeFolder() else {
            throw ErrorOutput.Fatal("\(TemporaryFiles.place()): \(String(cString: strerror(errno)))")
        }
        return folder
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

/// Ends the run from the pipe's thread. Its closure is set later, because the pipe must exist before the run.
private final class Stopping: Sendable {
    private let stopping = Mutex<(@Sendable () -> Void)?>(nil)

    func set(_ stop: @escaping @Sendable () -> Void) { stopping.withLock { $0 = stop } }
    func stop() { stopping.withLock { $0 }?() }
}
