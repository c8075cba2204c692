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
    var mayHaveScreen: Bool { options.output.reportKind == nil && !options.screenReader }

    func open() throws -> OpenFrontEnd {
        if let kind = options.output.reportKind { return .report(kind) }
        if options.output == .auto, isatty(STDOUT_FILENO) == 0 { return .report(.plain) }
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
    /// In the ledger.
    var title: String { name(list: command.list) }

    /// In the header of the dashboard. `3 URLs` is none there: the line below it counts the list as it is now, which may have
    /// changed.
    var header: String { name(list: command.target.inputFile.isEmpty ? "" : command.list) }

    private func name(list: String) -> String {
        let shard = command.isReopening ? nil : try? self.shard
        return [list, shard.map { "shard \($0.text)" } ?? ""].filter { !$0.isEmpty }.joined(separator: ", ")
    }
}

extension WinchCommand {
    /// No URL and no batch file is given: the list of earlier runs is resumed.
    var isReopening: Bool { urls.isEmpty && target.inputFile.isEmpty }

    fileprivate var list: String {
        let files = target.inputFile.map { $0.split(separator: "/").last.map(String.init) ?? $0 }
        let uploads = given.files.count
        if files.isEmpty, uploads > 0 { return uploads == 1 ? "1 upload" : "\(uploads) uploads" }
        // A URL that is given twice is one row.
        switch (files.count, Set(urls).count) {
        case (0, 0): return ""
        case (0, let count): return count == 1 ? "1 URL" : "\(count) URLs"
        case (1, 0): return files[0] == "-" ? "standard input" : files[0]
        default: return "\(files[0]) and more"
        }
    }
}
