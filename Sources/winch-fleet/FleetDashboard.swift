import ArgumentParser
import Dispatch
import Glibc
import Synchronization
import WinchFleet
import WinchModel
import WinchScreen
import WinchTerminal
import WinchTransport

/// How the dashboard over a fleet looks.
struct FleetLookOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The colours: \(Theme.builtIn.map(\.name).joined(separator: ", ")).", valueName: "NAME"),
        completion: .list(Theme.builtIn.map(\.name)))
    var theme = Theme.standard.name

    @Flag(help: "Draw with ASCII characters only.")
    var ascii = false

    @Flag(inversion: .prefixedNo, exclusivity: .chooseLast, help: "Animate the bars.")
    var animation = true

    func validate() throws {
        guard Theme.builtIn.contains(where: { $0.name == theme }) else {
            throw ValidationError("there is no theme '\(theme.prefix(40))'")
        }
    }
}

/// The dashboard of winch over all workers of a run.
struct FleetDashboard {
    let look: FleetLookOptions

    private struct State {
        /// The latest.
        var view: FleetView?
        var ending: FleetFault?
    }

    /// Passes on what the attachment reports to the loop of the dashboard.
    private final class News: Sendable {
        let state = Mutex(State())
        let opened = DispatchSemaphore(value: 0)
        let mailbox: LoopMailbox

        init(_ mailbox: LoopMailbox) { self.mailbox = mailbox }

        func take(_ report: FleetAttachment.Report) {
            switch report {
            case .news(let news):
                let view = FleetView(news)
                let isNew = state.withLock { state in
                    defer { state.view = view }
                    return state.view != view
                }
                // Only the latest view counts.
                if isNew { mailbox.show([.fleet(view)]) { if case .fleet = $0 { true } else { false } } }
                if !news.log.isEmpty { mailbox.show([.logged(news.log)]) }
            case .notice(let words): mailbox.show([.notice(words)])
            case .connection(let words): mailbox.show([.connectionLost(words)])
            }
        }
    }

    /// Blocks until the user leaves. Call it on the main thread, before there are others.
    ///
    /// - Throws: `ExitCode` when a signal ends it.
    func show(_ server: ServerChoice, run: String) throws {
        guard isatty(STDOUT_FILENO) != 0 else {
            throw ValidationError("this needs a terminal; 'winch fleet status --json' is for programs")
        }
        let (control, mailbox): (TerminalControl, LoopMailbox)
        do throws(TerminalFailure) {
            control = try TerminalControl()
            mailbox = try LoopMailbox()
        } catch {
            throw ValidationError("\(error.reason); 'winch fleet status' prints lines")
        }
        let news = News(mailbox)
        let attachment = try FleetAttachment(server, run: run) { news.take($0) }
        attachment.feed.subscribe(mailbox.updates)
        let following = Task.detached {
            do throws(FleetFault) {
                try await attachment.follow { news.opened.signal() }
            } catch {
                news.state.withLock { $0.ending = error }
                attachment.feed.end()
            }
            news.opened.signal()
        }
        news.opened.wait()
        if let fault = news.state.withLock(\.ending) { throw fault }
        let end = loop(control, news, attachment, title: "run \(run)").run()
        following.cancel()
        if let fault = news.state.withLock(\.ending) { throw fault }
        if case .signalled(let number) = end { throw ExitCode(128 + number) }
    }

    private func loop(
        _ control: TerminalControl, _ news: News, _ attachment: FleetAttachment, title: String
    ) -> TerminalLoop {
        let theme = Theme.builtIn.first { $0.name == look.theme } ?? .standard
        let appearance = Appearance(
            theme: theme, isASCII: look.ascii || !control.isUTF8, isAnimated: look.animation,
            colors: control.colorDepth.range, letters: look.ascii ? [] : control.letters)
        var dashboard = Dashboard(
            title: title, look: appearance, columns: control.size.columns, rows: control.size.rows,
            wallClock: MonotonicClock().wallClock(), canShowUnicode: control.isUTF8)
        dashboard.isAttached = true
        dashboard.fleet = FleetView()
        var ports = DashboardPorts(attachment)
        ports.addText = { _ in .notice(FleetAttachment.refusal) }
        return TerminalLoop(
            session: control, dashboard: dashboard, mailbox: news.mailbox, ports: ports)
    }
}

extension FleetView {
    fileprivate init(_ news: FleetBoard.News) {
        self.init(machines: news.machines.map(Machine.init), machineOf: news.machineOf)
    }
}

extension FleetView.Machine {
    fileprivate init(_ machine: FleetBoard.Machine) {
        let record = machine.record
        self.init(name: machine.name, version: record.version, lastSeen: machine.lastSeen)
        isOtherVersion = record.version != WinchVersion.text
        rate = machine.isLost ? nil : ByteRate(perSecond: record.rate)
        (connections, working, jobs) = (record.connections, record.working, record.jobs)
        (done, failed, isLost) = (record.done, record.failed, machine.isLost)
        free = record.free.map { ByteCount(bytes: $0) }
    }
}
