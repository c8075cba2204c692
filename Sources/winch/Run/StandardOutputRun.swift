import ArgumentParser
import Glibc
import Synchronization
import WinchKit
import WinchModel
import WinchQueue
import WinchTerminal
import WinchTransport

/// `-o -`: writes one file to standard output as its bytes arrive, and messages to standard error.
///
/// The file is also stored in a private temporary folder until the end, so that a lost connection can be resumed. A checksum
/// is verified after all bytes have been written; the exit status reports a mismatch.
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
        defer {
            for file in [name, name + ".part"] { unlink("\(folder)/\(file)".cBytes) }
            rmdir(folder)
        }
        let spec = TransferSpec(urls: [url], folder: folder, name: try? TargetPath(name), settings: Shared(settings))
        return try run(spec, paths: ["\(folder)/\(name).part", "\(folder)/\(name)"])
    }

    private func run(_ spec: TransferSpec, paths: [String]) throws -> Int32 {
        let clock = MonotonicClock()
        let mailbox = try Wiring.openMailbox()
        let stopping = Stopping()
        let pipe = FileToPipeCopier(paths: paths) { stopping.stop() }
        let engineHost: EngineHost
        do throws(TransferFailure) {
            engineHost = try EngineHost(settings: queue, now: { clock.now() })
        } catch {
            throw ErrorOutput.Fatal(error.message)
        }
        for subscriber: any UpdateSubscriber in [pipe, mailbox.updates] { engineHost.queue.feed.subscribe(subscriber) }
        ending.expect(engineHost)
        let transfers = engineHost.queue
        stopping.set { [inbox = transfers.inbox] in inbox.send(.quit) }
        let outcome = RunOutcome(transfers.feed)
        transfers.inbox.add([Addition(spec: spec)])
        pipe.start()
        Task.detached {
            let summary = await engineHost.run()
            await pipe.finish()
            outcome.settle(summary)
        }
        let loop = ReporterLoop(
            kind, output: STDERR_FILENO, isASCII: OutputLocale.isASCIITerminal(STDERR_FILENO), queue: transfers,
            mailbox: mailbox)
        guard loop.run() != .quitAtOnce, let summary = outcome.summary else {
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
