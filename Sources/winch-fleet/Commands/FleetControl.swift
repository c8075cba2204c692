import ArgumentParser
import WinchFleet
import WinchModel

struct FleetPause: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause", abstract: "Stops the transfers of a run on all machines, until resume.")

    @OptionGroup var server: FleetServerOptions

    func run() async throws { try await server.find().change { $0.isPaused = true } }
}

struct FleetResume: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "resume", abstract: "Goes on with a paused run.")

    @OptionGroup var server: FleetServerOptions

    func run() async throws { try await server.find().change { $0.isPaused = false } }
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
        let rest =
            count.unusable > 0
            ? ", \(NumberFormat.count(count.unusable)) left: no entries that this winch can download" : ""
        print("\(NumberFormat.count(count.again)) in the queue again\(rest)")
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
        try await server.find().change { $0.limit = limit?.perSecond }
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

    func run() async throws { try await server.find().change { $0.stops += 1 } }
}
