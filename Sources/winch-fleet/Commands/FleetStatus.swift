import ArgumentParser
import FoundationEssentials
import WinchFleet
import WinchModel
import WinchTerminal

struct FleetStatus: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Prints how far a run is, and its workers.")

    @OptionGroup var server: FleetServerOptions

    @Flag(help: "One JSON object.")
    var json = false

    @Flag(help: "Lists the entries that failed, with their numbers and reasons; with --json a line each.")
    var failed = false

    func run() async throws {
        let run = try await server.find()
        if failed { return try await printFailures(of: run) }
        let status = try await run.status()
        guard !json else { return print(try Self.line(status)) }
        let limit = status.limit.map { ", limit \(NumberFormat.rate(ByteRate(perSecond: $0)))" } ?? ""
        print(
            "run \(status.run)\(status.isPaused ? " (paused)" : "")\(limit): \(NumberFormat.count(Int(status.done))) complete, "
                + "\(NumberFormat.count(Int(status.failed))) failed, \(NumberFormat.count(Int(status.left))) left")
        for worker in status.workers {
            let free = worker.free.map { ", \(NumberFormat.bytes(ByteCount(bytes: $0))) free" } ?? ""
            print(
                PlainText(
                    "\(worker.name) (\(worker.pid), winch \(worker.version)): \(worker.working) of \(worker.jobs) at work, "
                        + "\(NumberFormat.bytes(ByteCount(bytes: Int64(worker.rate))))/s, \(worker.done) complete, "
                        + "\(worker.failed) failed\(free)"))
        }
    }

    private func printFailures(of run: FleetRun) async throws {
        try await run.readFailures { failures throws(FleetFault) in
            for failure in failures {
                let record = failure.record
                if json {
                    print((try? Self.line(record)) ?? "")
                } else {
                    let times = record.deliveries == 1 ? "" : ", given out \(record.deliveries) times"
                    print(PlainText("\(record.entry)  \(record.firstURL): \(record.reason) (\(record.worker)\(times))"))
                }
            }
        }
    }

    private static func line(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}
