import ArgumentParser
import FoundationEssentials
import WinchFleet
import WinchModel
import WinchTerminal

struct FleetPause: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause", abstract: "Stops the transfers of a run on all machines, until resume.")

    @OptionGroup var server: FleetServerOptions

    func run() async throws { try await server.change("paused") { $0.isPaused = true } }
}

struct FleetResume: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "resume", abstract: "Goes on with a paused run.")

    @OptionGroup var server: FleetServerOptions

    func run() async throws { try await server.change("not paused") { $0.isPaused = false } }
}

struct FleetRetry: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry",
        abstract: "Puts failed entries of a run into its queue again: all, or those that are named.",
        discussion: "'winch fleet status --failed' lists them with their numbers and reasons.")

    @OptionGroup var server: FleetServerOptions

    @Argument(
        help: ArgumentHelp(
            "The number of a failed entry, or a part of the URLs of one or more; none: all.", valueName: "ENTRY"))
    var entries: [String] = []

    func validate() throws {
        guard !entries.contains("") else { throw ValidationError("an ENTRY is a number or a part of a URL") }
    }

    func run() async throws {
        let count = try await server.find().retry(entries)
        print("\(NumberFormat.count(count.again)) in the queue again\(count.rest)")
        for word in count.unknown { FleetOutput.report("error: no failed entry has the number or the text '\(word)'") }
        if !count.unknown.isEmpty { throw ExitCode(1) }
    }
}

struct FleetLimit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "limit", abstract: "Limits the rate of all workers of a run together.")

    @OptionGroup var server: FleetServerOptions

    @Argument(help: ArgumentHelp("Bytes a second, such as 500K or 2M, or none.", valueName: "RATE"))
    var rate: String

    func validate() throws { _ = try limit() }

    func run() async throws {
        let limit = try limit()
        try await server.change("limit \(limit.map(NumberFormat.rate) ?? "none")") { $0.limit = limit?.perSecond }
    }

    private func limit() throws -> ByteRate? {
        do throws(InvalidValue) {
            return try ByteRate.limit(reading: rate)
        } catch {
            throw ValidationError("RATE: \(error.message)")
        }
    }
}

struct FleetCancel: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel", abstract: "Drops all entries that are in the queue of a run now.")

    @OptionGroup var server: FleetServerOptions

    func run() async throws { print("\(NumberFormat.count(Int(try await server.find().cancel()))) cancelled") }
}

struct FleetStop: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stop", abstract: "Ends the workers of a run; the entries stay in the queue.")

    @OptionGroup var server: FleetServerOptions

    func run() async throws {
        try await server.change("its workers end; the entries stay in the queue") { $0.stops += 1 }
    }
}

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

struct FleetAttach: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attach", abstract: "Shows a run in the dashboard: all machines and what they download.",
        discussion: """
            q leaves, and the fleet goes on. P pauses or resumes all machines, r and R put failed files into the queue \
            again, c drops one, z and Z limit the rate of all, M lists the machines, ? all keys. Needs a terminal; \
            'winch fleet status --json' is for programs.
            """)

    @OptionGroup var server: FleetServerOptions
    @OptionGroup var look: FleetLookOptions

    func run() throws { try FleetDashboard(look: look).show(try server.choice(), run: server.run) }
}
