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
/// The file is also stored in a private temporary folder until the end, so that a lost connection can be resumed; a shell removes
/// the folder of a run that is killed. A checksum is verified after all bytes have been written; the exit status reports a
/// mismatch.
struct StandardOutputRun {
    let sources: SettingSources
    let ending: ProcessEnding

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
        guard command.frontEnd.output != .tui else {
            throw ValidationError("-o - writes the file to standard output, where the dashboard would be")
        }
        let kind = command.frontEnd.output.reportKind ?? .plain
        for notice in sources.notices { ErrorOutput.report(notice) }
        var settings = given.settings.value
        // Bytes that have been written to standard output cannot be replaced.
        settings.onChange = .fail
        settings.metalink = .save
        settings.sums = nil
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
        let pipe = FileToPipeCopier(paths: [download.partPath, download.path])
        let (end, result) = download.run(
            url, settings, kind, listed: given.listedChecksum, through: { DeliveredUpdates(pipe, to: $0) },
            finish: { await pipe.finish() })
        guard end != .quitAtOnce, let summary = result else { return ending.quitAtOnce() }
        switch pipe.failure {
        case .system(EPIPE): return summary.exitCode == 0 ? RunSummary.unfinishedCode : summary.exitCode
        case .some(let failure):
            // Otherwise the reporter has said it.
            if kind == .quiet { ErrorOutput.report(failure.reported.message) }
            return failure.reported.exitCode
        case nil: return summary.exitCode
        }
    }

    /// Starts a shell that removes the folder when this process has ended, however it ends: its input is a pipe, which the kernel
    /// closes.
    ///
    /// - Returns: this end of the pipe; -1: no shell can be started, and the folder of a run that is killed stays.
    private static func removeAtEnd(_ folder: String) -> Int32 {
        guard let (reading, writing) = ChildProgram.pipe() else { return -1 }
        defer { close(reading) }
        // The reader of standard output must not wait for the shell's end.
        let (_, code) = ChildProgram.start(
            "/bin/sh", ["sh", "-c", "read -r end; rm -rf -- \"$1\"", "sh", folder], streams: [reading, nil, nil],
            flags: ChildProgram.newSession)
        guard code == 0 else {
            close(writing)
            return -1
        }
        return writing
    }
}

/// Passes the updates of the run on to its reporter. That the file is finished is held back until standard output has all its
/// bytes. When they cannot be written, the reporter gets a failure as the end, and nothing after it.
final class DeliveredUpdates: UpdateSubscriber {
    fileprivate enum Stage {
        case downloading
        /// The file is complete, and not all of it is written.
        case complete
        case delivered
        case failed
    }

    fileprivate struct State {
        var stage = Stage.downloading
        /// While `downloading`, the state that the reporter has, without events; while `complete`, what is held back.
        var update: Update?
    }

    private let pipe: FileToPipeCopier
    private let reporter: any UpdateSubscriber
    private let state = Mutex(State())

    init(_ pipe: FileToPipeCopier, to reporter: any UpdateSubscriber) {
        (self.pipe, self.reporter) = (pipe, reporter)
        pipe.start { self.end($0) }
    }

    func post(_ update: Update) {
        let isComplete: Bool = state.withLock { state in
            switch state.stage {
            case .downloading where update.totals.finished > 0:
                (state.stage, state.update) = (.complete, update)
                return true
            case .downloading:
                reporter.post(update)
                state.keep(update)
            case .complete: state.update?.merge(update)
            case .delivered: reporter.post(update)
            case .failed: break
            }
            return false
        }
        // Last: where the pipe fails, there is something to report.
        pipe.follow(update)
        if isComplete { pipe.complete() }
    }

    func end() { reporter.end() }

    private func end(_ failure: FileToPipeCopier.Failure?) {
        state.withLock { state in
            let (stage, held) = (state.stage, state.update)
            (state.stage, state.update) = (.delivered, nil)
            guard var update = held else { return }
            if let failure {
                // The download itself may have failed before.
                guard update.totals.failed == 0 else { return }
                state.stage = .failed
                update.fail(failure.reported)
            } else if stage == .downloading {
                return
            }
            reporter.post(update)
        }
    }
}

extension DeliveredUpdates.State {
    fileprivate mutating func keep(_ next: Update) {
        if update == nil { update = next } else { update?.merge(next) }
        update?.base = next.number
        update?.events = []
        update?.log = []
    }
}

extension Update {
    /// Its one transfer fails in place of being finished or going on.
    fileprivate mutating func fail(_ failure: TransferFailure) {
        let finished = events.firstIndex { event in
            if case .finished = event.kind { true } else { false }
        }
        if let finished {
            events[finished].kind = .failed(failure)
        } else if let row = rows.values.first {
            events = [
                FeedEvent(id: row.id, at: at, kind: .failed(failure), have: row.have, size: row.size.known),
                FeedEvent(id: nil, at: at, kind: .queueFinished),
            ]
        }
        (totals.finished, totals.failed) = (0, 1)
        (totals.waiting, totals.active, totals.stalled, totals.finishing, totals.backoff) = (0, 0, 0, 0, 0)
        (totals.rate, totals.finish) = (nil, nil)
    }
}

extension FileToPipeCopier {
    /// Takes positions of the only transfer. Those to which the download goes back come first, so that the pipe writes no bytes
    /// that are about to be replaced.
    fileprivate func follow(_ update: Update) {
        for event in update.events {
            if case .rebase = event.kind, event.id != nil { restart(at: event.have.bytes) }
        }
        if let row = update.rows.values.first { advance(to: row.have.bytes) }
    }
}

extension FileToPipeCopier.Failure {
    fileprivate var reported: TransferFailure {
        switch self {
        case .system(let code): .readWrite("standard output", reason: String(cString: strerror(code)))
        case .takenBack(let written):
            .other(
                "the server began again from zero after \(NumberFormat.bytes(ByteCount(bytes: written))) had been "
                    + "written to standard output")
        }
    }
}
