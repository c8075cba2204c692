import ArgumentParser
import Glibc
import WinchKit
import WinchModel
import WinchQueue
import WinchTerminal
import WinchTransport

/// Downloads a checksum list before the run, with the same transport, settings and retries as every file.
struct ChecksumListDownload {
    private let settings: Shared<TransferSettings>

    private static let name = "sums"

    /// - Parameter settings: the settings of all transfers, of which the checksum and the largest size are replaced.
    init(settings: TransferSettings) {
        var settings = settings
        settings.checksum = nil
        settings.metalink = .save
        settings.maxSize = ByteCount(bytes: Int64(ChecksumListFiles.largest))
        self.settings = Shared(settings)
    }

    /// - Throws: after a message, the exit code of the failure; 7 when the user quit before the end.
    func bytes(of url: TransferURL) throws -> [UInt8] {
        // The list is stored in a private temporary folder until it has been read.
        guard let folder = TemporaryFiles.makeFolder() else {
            throw ErrorOutput.Fatal("\(TemporaryFiles.place()): \(String(cString: strerror(errno)))")
        }
        defer {
            for name in [Self.name, Self.name + ".part"] { unlink("\(folder)/\(name)".cBytes) }
            rmdir(folder)
        }
        if let failure = try download(url, to: folder).failures.first {
            ErrorOutput.report("--sums \(url.redacted): \(failure.message)")
            throw ExitCode(failure.exitCode)
        }
        do throws(InputFile.Failure) {
            return try InputFile.read("\(folder)/\(Self.name)", largest: ChecksumListFiles.largest)
        } catch {
            throw ErrorOutput.Fatal("--sums \(url.redacted): \(error.message)")
        }
    }

    private func download(_ url: TransferURL, to folder: String) throws -> RunSummary {
        let clock = MonotonicClock()
        let wake = try Wiring.openWakePort()
        let mailbox = UpdateBuffer { wake.wake() }
        let engineHost: EngineHost
        do throws(TransferFailure) {
            engineHost = try EngineHost(settings: QueueSettings(), now: { clock.now() })
        } catch {
            throw ErrorOutput.Fatal(error.message)
        }
        engineHost.feed.subscribe(mailbox)
        // End the threads in every case, because the process may end next.
        defer { _ = engineHost.end(within: OrderlyEndTimeLimit.standard) }
        let inbox = engineHost.inbox
        let outcome = RunOutcome(EngineEnd(wake: wake))
        let name = try? TargetPath(Self.name)
        inbox.add([Addition(spec: TransferSpec(urls: [url], folder: folder, name: name, settings: settings))])
        Task.detached { outcome.settle(await engineHost.run()) }
        // This loop prints nothing, but it handles Ctrl-C.
        let loop = ReporterLoop(
            .quiet, mailbox: mailbox, wake: wake, completion: outcome.completion, send: { inbox.send($0) })
        guard loop.run() == .settled, let summary = outcome.summary else {
            throw ExitCode(RunSummary.unfinishedCode)
        }
        return summary
    }
}
