import ArgumentParser
import Glibc
import WinchBatch
import WinchModel
import WinchSession
import WinchTerminal

/// `winch attach`: the dashboard of a session that runs in another process, on this machine or another one.
struct AttachRun {
    let sources: SettingSources

    private var command: WinchCommand { sources.command }
    private var frontEnds: FrontEnds { FrontEnds(sources: sources, isAttached: true) }

    func run() throws -> Int32 {
        try sources.refuse(.ofAttachment)
        try command.refuseOptionsOfOthers(besides: "attach")
        guard command.urls.count <= 1 else { throw ValidationError("winch attach takes one HOST") }
        guard !command.urls.isEmpty || command.attach.remoteCommand == nil else {
            throw ValidationError("--remote-command is for a HOST")
        }
        guard !command.attach.stdio else {
            guard command.urls.isEmpty else { throw ValidationError("--stdio is for a session of this machine") }
            return try relaySession()
        }
        let remote = try command.urls.first.map {
            try RemoteSession(host: $0, command: command.attach.remoteCommand, session: command.keeping.place.session)
        }
        let frontEnd = try frontEnds.open()
        if case .report = frontEnd {
            let instead = remote == nil ? "; \(StateCommands(sources).line("status")) lists the transfers" : ""
            throw ValidationError("winch attach needs a terminal" + instead)
        }
        let link =
            try remote?.open(mayAsk: true) ?? SessionAccess(folder: command.keeping.place.folder).open().link
        SignalMask.close()
        return try show(link, of: remote, in: frontEnd)
    }

    private func show(_ link: SessionConnection, of remote: RemoteSession?, in frontEnd: OpenFrontEnd) throws -> Int32 {
        let mailbox = try LoopMailbox()
        let queue = RemoteQueue(link, remote, mailbox)
        queue.feed.subscribe(mailbox.updates)
        let parser = BatchParser(
            folder: command.target.dir, settings: command.transferSettings, places: .current(),
            uploads: command.upload.fields, folders: sources.folders)
        var ports = DashboardPorts(queue)
        ports.reconnect = { queue.retry() }
        queue.start()
        let end = try frontEnds.runDashboard(frontEnd, parser, mailbox, ports)
        let totals = queue.totals
        if let reason = queue.ending {
            guard reason == SessionEnd.done.rawValue else {
                ErrorOutput.report(reason)
                return SessionAccess.unavailableCode
            }
            ErrorOutput.report(totals.count > 0 ? "\(reason): \(StatusLines.counts(totals))" : reason)
            return 0
        }
        if end == .stoppedSession {
            guard !queue.stopSession() else {
                ErrorOutput.report(SessionEnd.stopped.rawValue)
                return 0
            }
            let machine = remote.map { " on \($0.host)" } ?? ""
            ErrorOutput.report("the session\(machine) was not stopped: it did not answer; it may run on")
            return SessionAccess.unavailableCode
        }
        queue.close()
        if end == .left {
            let host = remote.map { " " + RemoteSession.quoted($0.host) } ?? ""
            let attach = StateCommands(sources).line("attach" + host)
            var asking = 0
            if case .screen(let control) = frontEnd { asking = control.asking }
            // A dashboard with --exit leaves by itself then, and its screen is gone.
            let isSettled = totals.hasTransfers && totals.allSettled
            let counts = isSettled ? StatusLines.counts(totals, asking: asking) + "; " : ""
            ErrorOutput.report("\(counts)the session goes on in the background; \(attach) shows it again")
        }
        return 0
    }

    /// `winch attach --stdio`: the end of a remote attachment that is on the machine of the session.
    private func relaySession() throws -> Int32 {
        let socket = try SessionSocket(folder: command.keeping.place.folder).connect()
        let clock = MonotonicClock()
        StdioRelay(
            socket: socket, input: OpenFile(STDIN_FILENO), output: OpenFile(STDOUT_FILENO), now: { clock.now() }
        ).run()
        return 0
    }
}
