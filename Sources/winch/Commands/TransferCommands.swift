import ArgumentParser
import Glibc
import WinchModel
import WinchSession
import WinchTerminal

/// Which transfers of a session a command is for.
struct TransferSelectionOptions: ParsableArguments {
    @Argument(help: .helpText("Numbers of transfers, or parts of their names.", "ID|NAME"))
    var transfers: [String] = []

    @Flag(help: "All transfers.")
    var all = false

    @Flag(help: "Those that failed.")
    var failed = false

    @Flag(help: "Those that wait.")
    var waiting = false

    @OptionGroup var state: StateFolderOption

    func validate() throws {
        guard [all, failed, waiting].count(where: { $0 }) <= 1 else {
            throw ValidationError("--all, --failed and --waiting exclude each other")
        }
        guard !transfers.isEmpty || all || failed || waiting else {
            throw ValidationError(
                "name transfers by number or by a part of the name, or give --all, --failed or --waiting")
        }
    }

    func carryOut(_ action: SessionRequest.Action) throws {
        var request = SessionRequest(action)
        let numbers = transfers.compactMap { text in Int(text).map { TransferID($0) } }
        request.ids = numbers.isEmpty ? nil : numbers
        let names = transfers.filter { Int($0) == nil }
        request.names = names.isEmpty ? nil : names
        if all { request.which = .all }
        if failed { request.which = .failed }
        if waiting { request.which = .waiting }
        let reply = try SessionAccess(state).open().link.request(request)
        reply.reportUnsaved()
        let refused = reply.problems ?? []
        for words in refused { ErrorOutput.report("error: \(words)") }
        print(PlainText("\(action.forTransfers?.done ?? ""): \(reply.words ?? "")"))
        if !refused.isEmpty { throw ExitCode(1) }
    }
}

/// The command that sends one request for transfers, by its name.
protocol TransferCommand: ParsableCommand {
    static var action: SessionRequest.Action { get }
    static var abstract: String { get }
    var selection: TransferSelectionOptions { get }
}

extension TransferCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(action.rawValue, abstract, usage: "winch \(action.rawValue) ID|NAME ... [options]")
    }

    func run() throws { try selection.carryOut(Self.action) }
}

extension TransferSelectionOptions {
    static let commands: [any ParsableCommand.Type] = [
        PauseCommand.self, ResumeCommand.self, RetryCommand.self, CancelCommand.self, RemoveCommand.self,
    ]

    static let names = commands.compactMap { $0.configuration.commandName }
}

struct PauseCommand: TransferCommand {
    static let action = SessionRequest.Action.pause
    static let abstract = "Pauses transfers of a session; --all also those that are added later."
    @OptionGroup var selection: TransferSelectionOptions
}

struct ResumeCommand: TransferCommand {
    static let action = SessionRequest.Action.resume
    static let abstract = "Resumes paused transfers of a session."
    @OptionGroup var selection: TransferSelectionOptions
}

struct RetryCommand: TransferCommand {
    static let action = SessionRequest.Action.retry
    static let abstract = "Starts failed and cancelled transfers of a session again."
    @OptionGroup var selection: TransferSelectionOptions
}

struct CancelCommand: TransferCommand {
    static let action = SessionRequest.Action.cancel
    static let abstract = "Cancels transfers of a session and deletes their partial files."
    @OptionGroup var selection: TransferSelectionOptions
}

struct RemoveCommand: TransferCommand {
    static let action = SessionRequest.Action.remove
    static let abstract = "Takes settled transfers off the list of a session; their files stay."
    @OptionGroup var selection: TransferSelectionOptions
}

struct LimitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "limit", "Limits the rate of all transfers of a session.",
        usage: "winch limit [RATE|none] [--upload RATE|none] [options]")

    @Argument(
        help: .helpText("Bytes a second of all transfers together, e.g. 500K or 2M; none removes the limit.", "RATE"),
        transform: OptionValueParsing.rate)
    var rate: ByteRate?

    @Option(
        help: .helpText("Bytes a second of all uploads together; none removes the limit.", "RATE"),
        transform: OptionValueParsing.rate)
    var upload: ByteRate?

    @OptionGroup var state: StateFolderOption

    func validate() throws {
        guard rate != nil || upload != nil else { throw ValidationError("give a rate such as 2M, or none") }
    }

    func run() throws {
        let link = try SessionAccess(state).open().link
        let limits = [("limit", SessionRequest.Action.limit, rate), ("limit of uploads", .limitUpload, upload)]
        for (name, action, limit) in limits {
            guard let limit else { continue }
            var request = SessionRequest(action)
            request.rate = limit > .zero ? limit.perSecond : nil
            try link.request(request).reportUnsaved()
            print("\(name): \(limit > .zero ? NumberFormat.rate(limit) : "none")")
        }
    }
}

struct StopCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "stop", "Ends a session; partial files are kept, and the next one resumes them.")
    @OptionGroup var state: StateFolderOption

    /// 3 s: a session ends within one, unless a disk is slow.
    private static let patience = Duration.seconds(3)

    func run() throws {
        let access = try SessionAccess(state)
        let link = try access.open().link
        let deadline = ContinuousClock.now + Self.patience
        var refusal: SessionFailure?
        var unsaved: String?
        do throws(SessionFailure) {
            unsaved = try link.request(SessionRequest(.stop)).unsaved
        } catch {
            // One that ends at once may close the connection before its reply.
            guard case .closed = error else { throw error }
            refusal = error
        }
        guard access.place.waitUntilFree(until: deadline) else {
            if let refusal { throw refusal }
            let status = StateCommands(options: state.arguments).line("status")
            ErrorOutput.report(
                "the session has not ended within 3 s, but it is ending; \(status) shows whether it runs")
            throw ExitCode(1)
        }
        print("session stopped; partial files are kept")
        if let unsaved {
            ErrorOutput.report("error: what it did last is lost: \(unsaved)")
            throw ExitCode(1)
        }
    }
}
