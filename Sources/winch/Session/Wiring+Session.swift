import ArgumentParser
import Glibc
import WinchBatch
import WinchKit
import WinchModel
import WinchQueue
import WinchSession
import WinchTerminal
import WinchTransport

/// A run that others look at through a socket.
extension Wiring {
    var stateFolder: String { command.keeping.place.folder }

    /// Starts the session of `winch serve` in the background.
    ///
    /// - Returns: the exit code.
    func startInBackground() throws -> Int32 {
        let pid = try BackgroundSession(folder: stateFolder).start(sources.arguments)
        print(PlainText("session started (process \(pid)); winch attach shows it"))
        return 0
    }

    /// Takes the place of the session.
    func openSession() throws -> SessionListener {
        // A terminal that closes does not end a session.
        signal(SIGHUP, SIG_IGN)
        do throws(SessionFault) {
            return try SessionPlace(folder: stateFolder).listen()
        } catch {
            throw ErrorOutput.Fatal(error.message)
        }
    }

    /// Serves a queue to clients.
    ///
    /// - Parameters:
    ///   - gate: commands and entries of clients go through it.
    ///   - parser: for the batches of clients.
    func serve(
        _ host: EngineHost?, through gate: StartGate, _ listener: SessionListener, _ clock: MonotonicClock
    ) throws -> SessionServer? {
        // Without an engine the run ends with its failure.
        guard let host else { return nil }
        let settings = command.transferSettings
        let greeting = Greeting(
            winch: WinchVersion.text, session: command.keeping.place.session ?? "", pid: getpid(),
            origin: SessionAccess.clockOrigin)
        let ports = SessionPorts(
            send: { gate.send($0) }, add: { specs in gate.add(specs.map { Addition(spec: $0) }) },
            addBatch: { text, folder in
                let places = Places(homes: .system, workingFolder: WorkingFolder(folder))
                let parser = BatchParser(folder: folder, settings: settings, places: places)
                // The line end makes it lines of a batch, and never the name of a file.
                let typed = TypedEntries(text + "\n", parser: parser, places: places)
                let home = WorkingFolder(folder)
                gate.add(typed.specs.map { Addition(spec: $0.absolute(in: home)) })
                return SessionPorts.Added(words: typed.words ?? "nothing added", problems: typed.problems)
            }, stop: { gate.send(.quit) }, now: { clock.now() })
        do throws(SessionFault) {
            let server = try SessionServer(listener, greeting: greeting, feed: host.feed, ports: ports)
            server.start()
            if command.session.isInBackground { BackgroundSession(folder: stateFolder).leaveStarter() }
            return server
        } catch {
            throw ErrorOutput.Fatal(error.message)
        }
    }

    /// Adds the entries of the command line and its batches to the session, which is started if none runs.
    func addToSession() throws -> Int32 {
        if (try? SessionAccess(folder: stateFolder).open()) == nil {
            _ = try BackgroundSession(folder: stateFolder).start(command.keeping.place.arguments)
        }
        var batches = readBatches()
        batches.read()
        let sums = try ChecksumLists(command.target.sums, settings: command.transferSettings)
        for problem in sources.problems + batches.problems + sums.problems { ErrorOutput.report(problem) }
        let specs = sums.demanded(of: batches.takeSpecs())
        guard !specs.isEmpty else { throw batches.hasErrors ? ExitCode(RunSummary.usageCode) : nothingToFetch }
        let link = try SessionAccess(folder: stateFolder).link()
        do throws(SessionFault) {
            for piece in specs.inPieces { try link.request(.adding(piece)) }
        } catch {
            throw SessionAccess.failure(error)
        }
        print(PlainText(specs.count == 1 ? "1 added" : "\(NumberFormat.count(specs.count)) added"))
        return batches.hasErrors ? 1 : 0
    }
}
