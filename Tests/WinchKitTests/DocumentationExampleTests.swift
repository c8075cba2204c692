import FaultServer
import Foundation
import Synchronization
import TestSupport
import Testing
import WinchKit

// begin queue
func download(_ urls: [String], to folder: String, show: (Double?) -> Void) async throws -> Int32 {
    var settings = NetworkQueue.Settings()
    settings.folder = folder
    let queue = try NetworkQueue(settings)
    for url in urls { try queue.add(url) }
    for await progress in queue.progress {
        show(progress.fraction)  // nil while no size is known; 1 when all have ended, never before
    }
    let summary = await queue.finished()
    await queue.close()
    return summary.exitCode
}
// end queue

// begin transfer
func download(_ url: String, with queue: NetworkQueue) async throws -> String? {
    let transfer = try queue.add(url, name: "images/disk.iso")
    for await progress in transfer.progress {
        if let rebase = progress.rebase { print("\(progress.name) went back: \(rebase.cause.words)") }
    }
    let result = await transfer.result()
    if case .failed(let failure) = result.ending { throw failure }
    return result.path
}
// end transfer

// begin binding
final class Bar: ProgressReceiver {
    let tenths = Atomic(0)

    func show(_ progress: Transfer.Progress) {
        tenths.store(Int((progress.fraction ?? 0) * 10), ordering: .relaxed)
    }
}

func download(_ url: String, with queue: NetworkQueue, showing bar: Bar) async throws {
    let transfer = try queue.add(url)
    let binding = transfer.bind(.down, to: bar)
    _ = await transfer.result()
    binding.unbind()
}
// end binding

// begin events
func failures(in queue: NetworkQueue) async -> [String] {
    var failures: [String] = []
    for await event in queue.events {
        switch event {
        case .failed(let id, let failure): failures.append("\(id.number): \(failure.message)")
        case .queueFinished: return failures
        default: break
        }
    }
    return failures
}
// end events

@Suite(.timeLimit(.minutes(5))) struct `The examples in the documentation` {
    @Test(arguments: ["queue", "transfer", "binding", "events"])
    func `are identical to the compiled code here`(name: String) throws {
        let here = try String(contentsOfFile: #filePath, encoding: .utf8)
        let begin = try require(here.range(of: "// begin \(name)\n"))
        let end = try require(here.range(of: "// end \(name)\n"))
        let example = "```swift\n" + here[begin.upperBound..<end.lowerBound] + "```\n"
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        let catalog = root.appending(path: "Sources/WinchKit/WinchKit.docc/WinchKit.md")
        try expect(String(contentsOf: catalog, encoding: .utf8).contains(example))
        guard name == "queue" else { return }
        try expect(String(contentsOf: root.appending(path: "README.md"), encoding: .utf8).contains(example))
    }

    @Test func `produce the documented results`() async throws {
        try await Site.open { site in
            let urls = ["x", "y"].map { site.server.url($0, "size=10K") }
            let shown = Mutex<[Double?]>([])
            try await expectEqual(download(urls, to: site.folder.path) { one in shown.withLock { $0.append(one) } }, 0)
            expectEqual(shown.withLock { $0.last }, 1)

            let queue = try site.queue()
            try await expectEqual(download(urls[0], with: queue), site.folder.path + "/images/disk.iso")
            await #expect(throws: TransferFailure.httpStatus(404)) {
                _ = try await download(site.server.url("n", "status=404"), with: queue)
            }
            let bar = Bar()
            try await download(site.server.url("z", "size=10K"), with: queue, showing: bar)
            await queue.close()
        }
    }
}
