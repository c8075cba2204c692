import ArgumentParser
import Glibc
import WinchBatch
import WinchKit
import WinchModel
import WinchQueue
import WinchScreen
import WinchSession
import WinchTerminal

/// Which front end a run has, and how it is made.
extension Wiring {
    enum OpenFrontEnd {
        case screen(TerminalControl)
        case spoken
        case report(ReportKind)
        /// Others look at it through a socket.
        case session(SessionListener)

        var isScreen: Bool { if case .screen = self { true } else { false } }

        /// A user sees the run and can act on problems.
        var isWatched: Bool {
            switch self {
            case .screen, .spoken, .session: true
            case .report: false
            }
        }

        var reportKind: ReportKind {
            switch self {
            case .screen, .spoken, .session: .quiet
            case .report(let kind): kind
            }
        }

        var listener: SessionListener? { if case .session(let listener) = self { listener } else { nil } }
    }

    var nothingToFetch: ValidationError {
        ValidationError(
            command.target.inputFiles.isEmpty
                ? "nothing to download: give URLs, or a batch file with -i" : "nothing to download: the batch is empty")
    }

    /// False: the run has no dashboard, whatever the terminal.
    var mayHaveScreen: Bool {
        switch command.frontEnd.output {
        case .plain, .json, .quiet: false
        case .auto, .tui: !command.frontEnd.screenReader
        }
    }

    func chosenFrontEnd() throws -> OpenFrontEnd {
        switch command.frontEnd.output {
        case .plain: return .report(.plain)
        case .json: return .report(.json)
        case .quiet: return .report(.quiet)
        case .auto where isatty(STDOUT_FILENO) == 0: return .report(.plain)
        case .auto where command.frontEnd.screenReader, .tui where command.frontEnd.screenReader: return .spoken
        case .auto, .tui:
            do throws(TerminalFailure) {
                return .screen(try TerminalControl())
            } catch {
                guard command.frontEnd.output == .auto else { throw ValidationError(error.message) }
                if !error.isExpected { ErrorOutput.report("\(error.reason): using plain output") }
                return .report(.plain)
            }
        }
    }

    private func dashboard(_ session: TerminalControl, isAttached: Bool) -> Dashboard {
        let frontEnd = command.frontEnd
        let look = Appearance(
            theme: sources.theme, isASCII: frontEnd.ascii || !session.isUTF8, isAnimated: frontEnd.animation,
            framesPerSecond: frontEnd.fps, colors: session.colorDepth.range,
            letters: frontEnd.ascii ? .none : session.letters)
        session.capturesMouse = frontEnd.mouse
        return Dashboard(
            title: name(isCounting: false), look: look, columns: session.size.columns, rows: session.size.rows,
            quitsWhenSettled: isAttached ? sources.exitsAttached : frontEnd.exit, themes: sources.themes.themes,
            settings: isAttached ? sources.shownAttached : sources.shown,
            wallClock: MonotonicClock().wallClock(), canShowUnicode: session.isUTF8, keys: sources.keys,
            isMouseOn: frontEnd.mouse, sort: frontEnd.sort, columnChoice: frontEnd.columns)
    }

    /// Runs the dashboard, drawn or spoken.
    ///
    /// - Parameters:
    ///   - parser: of what the user types or pastes to add it.
    ///   - given: the queue, and what a run and a session do differently.
    ///   - isAttached: it shows a session.
    /// - Returns: `nil`: the run has none.
    func runDashboard(
        _ frontEnd: OpenFrontEnd, _ parser: BatchParser, _ mailbox: LoopMailbox, _ given: DashboardPorts,
        isAttached: Bool = false
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
            var dashboard = dashboard(session, isAttached: isAttached)
            (dashboard.isAttached, dashboard.sessionName) = (isAttached, sessionName)
            // A session has absolute folders, which may be those of another machine.
            dashboard.workingFolder = isAttached ? nil : WorkingFolder.current()
            return TerminalLoop(
                session: session, dashboard: dashboard, mailbox: mailbox,
                framesPerSecond: command.frontEnd.fps, notice: command.frontEnd.notify, ports: ports
            ).run()
        case .spoken:
            let isASCII = OutputLocale.isASCIITerminal(STDOUT_FILENO)
            var dashboard = spokenDashboard(isASCII: isASCII, isAttached: isAttached)
            (dashboard.isAttached, dashboard.sessionName) = (isAttached, sessionName)
            dashboard.workingFolder = isAttached ? nil : WorkingFolder.current()
            do throws(TerminalFailure) {
                return try SpokenLoop(
                    isASCII: isASCII, dashboard: dashboard, mailbox: mailbox, ports: ports
                ).run()
            } catch {
                throw ErrorOutput.Fatal(error.message)
            }
        case .report, .session: return nil
        }
    }

    private func spokenDashboard(isASCII: Bool, isAttached: Bool) -> Dashboard {
        // The size of a common terminal: Page Up and Page Down move by its number of rows.
        Dashboard(
            title: name(isCounting: false),
            look: Appearance(isASCII: command.frontEnd.ascii || isASCII, isAnimated: false, hasColor: false),
            columns: 80, rows: 24, quitsWhenSettled: isAttached ? sources.exitsAttached : command.frontEnd.exit,
            settings: isAttached ? sources.shownAttached : sources.shown,
            wallClock: MonotonicClock().wallClock(), keys: sources.keys, sort: command.frontEnd.sort,
            columnChoice: command.frontEnd.columns)
    }

    /// The name of the session that is shown, and its machine: `nightly on far`; empty: the default one of this machine.
    private var sessionName: String {
        let host = command.session.role == .attach ? command.urls.first.map { "on \($0)" } : nil
        return [command.keeping.place.session, host].compactMap(\.self).joined(separator: " ")
    }

    /// The name of the run in the ledger.
    var title: String { name(isCounting: true) }

    /// - Parameter isCounting: `3 URLs` is a name. In the header it is not: the line below it counts the list as it is
    ///   now, which may have changed.
    private func name(isCounting: Bool) -> String {
        // HOST is no URL; the dashboard has the session's name in this place.
        if command.session.role == .attach { return "" }
        let shard = isReopening ? nil : try? sources.shard
        let list = isCounting || !command.target.inputFiles.isEmpty ? self.list : ""
        return [list, shard.map { "shard \($0.text)" } ?? ""].filter { !$0.isEmpty }.joined(separator: ", ")
    }

    private var list: String {
        let files = command.target.inputFiles.map { $0.split(separator: "/").last.map(String.init) ?? $0 }
        let uploads = command.given.files.count
        if files.isEmpty, uploads > 0 { return uploads == 1 ? "1 upload" : "\(uploads) uploads" }
        // A URL that is given twice is one row.
        switch (files.count, Set(command.urls).count) {
        case (0, 0): return ""
        case (0, let count): return count == 1 ? "1 URL" : "\(count) URLs"
        case (1, 0): return files[0] == "-" ? "standard input" : files[0]
        default: return "\(files[0]) and more"
        }
    }
}
