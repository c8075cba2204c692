import ArgumentParser
import Glibc
import WinchBatch
import WinchModel
import WinchScreen
import WinchTerminal

enum OpenFrontEnd {
    case screen(TerminalControl)
    case spoken
    case report(ReportKind)

    var isScreen: Bool { if case .screen = self { true } else { false } }

    /// A user sees the run and can act on problems.
    var isWatched: Bool { if case .report = self { false } else { true } }

    var reportKind: ReportKind { if case .report(let kind) = self { kind } else { .quiet } }
}

/// Makes the front end that the options ask for, and runs the dashboard.
struct FrontEnds {
    let sources: SettingSources
    /// The dashboard shows a session.
    var isAttached = false

    private var options: DisplayOptions { sources.command.frontEnd }

    /// False: the run has no dashboard, whatever the terminal.
    var mayHaveScreen: Bool { options.output.reportKind == nil && !options.screenReader && !isPiped }

    /// Nothing is said of the output, which is no terminal.
    private var isPiped: Bool { options.output == .auto && isatty(STDOUT_FILENO) == 0 }

    func open() throws -> OpenFrontEnd {
        if let kind = options.output.reportKind { return .report(kind) }
        if isPiped { return .report(.plain) }
        if options.screenReader { return .spoken }
        do throws(TerminalFailure) {
            return .screen(try TerminalControl())
        } catch {
            guard options.output == .auto else { throw ValidationError(error.message) }
            if !error.isExpected { ErrorOutput.report("\(error.reason): using plain output") }
            return .report(.plain)
        }
    }

    /// Runs the dashboard, drawn or spoken.
    ///
    /// - Parameters:
    ///   - parser: of what the user types or pastes to add it.
    ///   - given: the queue, and what a run and a session do differently.
    /// - Returns: `nil`: the front end has none.
    func runDashboard(
        _ frontEnd: OpenFrontEnd, _ parser: BatchParser, _ mailbox: LoopMailbox, _ given: DashboardPorts
    ) throws -> LoopEnd? {
        var ports = given
        let (saver, places) = (sources.saver, Places.current())
        let adder = BatchAdder(parser: parser, places: places, queue: given.queue, mailbox: mailbox)
        let lister = PathLister(mailbox) { (path) throws(InvalidValue) in try places.file(path) }
        ports.addText = { adder.take($0) }
        ports.listPaths = { lister.list($0) }
        ports.save = { saver.save($0) }
        switch frontEnd {
        case .screen(let session):
            return TerminalLoop(
                session: session, dashboard: dashboard(look(session), session), mailbox: mailbox,
                framesPerSecond: options.fps, notice: options.notify, ports: ports
            ).run()
        case .spoken:
            let isASCII = OutputLocale.isASCIITerminal(STDOUT_FILENO)
            let look = Appearance(isASCII: options.ascii || isASCII, isAnimated: false, colors: .mono)
            return try SpokenLoop(
                isASCII: isASCII, dashboard: dashboard(look, nil), mailbox: mailbox, ports: ports
            ).run()
        case .report: return nil
        }
    }

    private func look(_ session: TerminalControl) -> Appearance {
        Appearance(
            theme: sources.theme, isASCII: options.ascii || !session.isUTF8, isAnimated: options.animation,
            framesPerSecond: options.fps, colors: session.colorDepth.range,
            letters: options.ascii ? [] : session.letters)
    }

    /// - Parameter session: `nil`: it is spoken; Page Up and Page Down move by the rows of a common terminal.
    private func dashboard(_ look: Appearance, _ session: TerminalControl?) -> Dashboard {
        session?.capturesMouse = options.mouse
        var dashboard = Dashboard(
            title: isAttached ? "" : sources.header, look: look, columns: session?.size.columns ?? 80,
            rows: session?.size.rows ?? 24, quitsWhenSettled: sources.exits(isAttached: isAttached),
            themes: session == nil ? Theme.builtIn : sources.themes.themes,
            settings: sources.shown(isAttached: isAttached), wallClock: MonotonicClock().wallClock(),
            canShowUnicode: session?.isUTF8, keys: sources.keys, isMouseOn: session == nil || options.mouse,
            sort: options.sort, columnChoice: options.columns, grouping: options.group)
        // `nightly on far`; empty: the default session of this machine.
        let host = isAttached ? sources.command.urls.first.map { "on \($0)" } : nil
        dashboard.sessionName = [sources.command.keeping.place.session, host].compactMap(\.self).joined(separator: " ")
        dashboard.isAttached = isAttached
        // A session has absolute folders, which may be those of another machine.
        dashboard.workingFolder = isAttached ? nil : WorkingFolder.current()
        return dashboard
    }
}

extension SettingSources {
    /// In the ledger: the command for a shell, with its secrets covered.
    static func title(of command: WinchCommand, _ arguments: [String]) -> String {
        var words = arguments.map(\.systemBytes)
        for secret in ArgumentSecrets.all(in: arguments) {
            for index in secret.bytes { words[secret.argument][index] = UInt8(ascii: "*") }
        }
        let ofProgram = ["--to-session-log", "--unless-running", SessionOptions.putFlag]
        let verb = command.upload.isPut ? ["put"] : command.serve.foreground ? ["serve"] : []
        let given = words.map { String(system: $0) }.filter { !ofProgram.contains($0) }
        let line = (["winch"] + verb + given.map(RemoteSession.quoted)).joined(separator: " ")
        return line.count > Self.longestTitle ? "\(line.prefix(Self.longestTitle))..." : line
    }

    /// A message of more than some lines is not read; the command may name thousands of URLs.
    private static let longestTitle = 500

    /// In the header of the dashboard: the batch files, and the shard. The line below it counts the list.
    var header: String {
        let shard = command.isReopening ? nil : try? self.shard
        return [command.list, shard.map { "shard \($0.text)" } ?? ""].filter { !$0.isEmpty }.joined(separator: ", ")
    }
}

extension WinchCommand {
    /// No URL and no batch file is given: the list of earlier runs is resumed.
    var isReopening: Bool { urls.isEmpty && target.inputFile.isEmpty }

    /// The batch files; empty: there are none.
    fileprivate var list: String {
        guard let path = target.inputFile.first else { return "" }
        let name = path.split(separator: "/").last.map(String.init) ?? path
        guard urls.isEmpty, target.inputFile.count == 1 else { return "\(name) and more" }
        return name == "-" ? "standard input" : name
    }
}
