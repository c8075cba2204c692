import Glibc
import WinchKit
import WinchModel
import WinchQueue
import WinchTerminal
import WinchTransport

/// Downloads one file into a private temporary folder, in a run of its own that has no ledger.
struct TemporaryDownload {
    let folder: String
    /// The path of the complete file.
    let path: String
    let host: EngineHost
    private let name: String
    private let mailbox: LoopMailbox

    /// - Throws: a message, when the folder cannot be made or the engine cannot start.
    init(name: String, queue: QueueSettings = QueueSettings()) throws {
        mailbox = try LoopMailbox()
        guard let folder = TemporaryFiles.makeFolder() else {
            throw ErrorOutput.Fatal("\(TemporaryFiles.place()): \(String(cString: strerror(errno)))")
        }
        do throws(TransferFailure) {
            host = try EngineHost(settings: queue)
        } catch {
            rmdir(folder)
            throw error
        }
        (self.name, self.folder, path) = (name, folder, "\(folder)/\(name)")
    }

    var partPath: String { path + ".part" }

    func remove() {
        for file in [path, partPath] { unlink(file.cBytes) }
        rmdir(folder)
    }

    /// Runs until the file is settled and `finish` has returned, or until the user quits; handles Ctrl-C.
    ///
    /// - Parameters:
    ///   - kind: what is written to standard error meanwhile.
    ///   - listed: from a checksum list.
    ///   - through: passes the updates on to the reporter.
    ///   - finish: called after the last update.
    /// - Returns: why it has ended, and the result unless the user has quit without waiting.
    func run(
        _ url: TransferURL, _ settings: TransferSettings, _ kind: ReportKind, listed: Checksum? = nil,
        through: (any UpdateSubscriber) -> any UpdateSubscriber = { $0 },
        finish: @escaping @Sendable () async -> Void = {}
    ) -> (end: LoopEnd, summary: RunSummary?) {
        let queue = host.queue
        queue.feed.subscribe(through(mailbox.updates))
        var spec = TransferSpec(urls: [url], folder: folder, name: try? TargetPath(name), settings: Shared(settings))
        spec.listedChecksum = listed
        queue.add([spec]) { _ in }
        host.start(finish: finish)
        let loop = ReporterLoop(
            kind, output: STDERR_FILENO, isASCII: OutputLocale.isASCIITerminal(STDERR_FILENO), keepsParts: false,
            queue: queue, mailbox: mailbox)
        return (loop.run(), host.summary)
    }
}
