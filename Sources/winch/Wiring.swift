import ArgumentParser
import Glibc
import WinchCore
import WinchEngine
import WinchScreen
import WinchTerminal
import WinchTransport

/// Joins the rooms for one run: the one file that sees all of them.
struct Wiring {
    let command: WinchCommand

    /// - Returns: the exit code.
    func haul() throws -> Int32 {
        let batches = readBatches()
        let face = try openFace(for: batches)
        for problem in batches.problems { Messages.print(problem) }

        let clock = MonotonicClock()
        let wake = try wakePort()
        let mailbox = Mailbox { wake.wake() }
        let inbox = Inbox()
        let completion = Completion(wake: wake)
        let engine = Engine(
            settings: command.queueSettings(seed: UInt64.random(in: .min ... .max)), inbox: inbox,
            transport: CurlTransport(report: { inbox.report($0) }), now: { clock.now() }, post: { mailbox.post($0) })
        inbox.add(batches.specs.map { Addition(spec: $0) })
        Task.detached { completion.finish(await engine.run()) }

        let end: LoopEnd
        switch face {
        case .screen(let session):
            let loop = TerminalLoop(
                session: session, dashboard: dashboard(for: batches, session), mailbox: mailbox, wake: wake,
                framesPerSecond: command.face.fps, send: { inbox.send($0) },
                addText: { Self.add($0, with: batches.parser, to: inbox) })
            end = loop.run()
        case .reporter(let reporter):
            end = ReporterLoop(
                reporter: reporter, mailbox: mailbox, wake: wake, completion: completion, send: { inbox.send($0) }
            ).run()
        }
        return exitCode(end, completion, hadErrors: batches.hasErrors)
    }
}
