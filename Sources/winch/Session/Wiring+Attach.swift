import ArgumentParser
import Dispatch
import Synchronization
import WinchBatch
import WinchModel
import WinchScreen
import WinchSession
import WinchTerminal
import WinchTransport

/// The dashboard of a session that runs in another process.
extension Wiring {
    /// - Returns: the exit code.
    func attach() throws -> Int32 {
        SignalMask.close()
        let opened: (link: SessionLink, greeting: Greeting)
        do throws(SessionFault) {
            opened = try SessionAccess(folder: stateFolder).open()
        } catch {
            throw SessionAccess.failure(error)
        }
        let frontEnd = try chosenFrontEnd()
        if case .report = frontEnd {
            throw ValidationError("winch attach needs a terminal; winch status lists the transfers")
        }
        let wake = try Self.openWakePort()
        let mailbox = UpdateBuffer { wake.wake() }
        let follower = SessionFollower(opened.link, mailbox) { wake.wake() }
        let places = Places.current()
        let adder = BatchAdder(
            parser: readBatches().parser, places: places,
            sums: try ChecksumLists([], settings: command.transferSettings),
            add: { specs in for piece in specs.inPieces { opened.link.send(.adding(piece)) } }, wake: { wake.wake() })
        let lister = PathLister(resolve: { (path) throws(ValueFault) in try places.file(path) }, wake: { wake.wake() })
        var ports = DashboardPorts(
            send: { follower.send($0) }, addText: { adder.take($0) },
            takeResults: { adder.takeResults() + lister.takeResults() })
        ports.listPaths = { lister.list($0) }
        ports.isOver = { follower.ending != nil }
        follower.start()
        let end = try runDashboard(frontEnd, mailbox, wake, ports, isAttached: true)
        if let reason = follower.ending {
            ErrorOutput.report(reason)
            return SessionAccess.unavailableCode
        }
        if end == .stoppedSession {
            follower.stopSession()
            return 0
        }
        opened.link.close()
        if end == .left { ErrorOutput.report("the session goes on in the background; winch attach shows it again") }
        return 0
    }
}

/// Passes the updates of a session on to a dashboard, and the commands of the dashboard on to the session.
final class SessionFollower: Sendable {
    private let link: SessionLink
    private let mailbox: UpdateBuffer
    private let wake: @Sendable () -> Void
    private let end = Mutex<String?>(nil)
    private let hasEnded = DispatchSemaphore(value: 0)

    /// - Parameter wake: called when the connection has ended.
    init(_ link: SessionLink, _ mailbox: UpdateBuffer, wake: @escaping @Sendable () -> Void) {
        (self.link, self.mailbox, self.wake) = (link, mailbox, wake)
    }

    /// Why the connection has ended; `nil`: it is open.
    var ending: String? { end.withLock(\.self) }

    func start() {
        link.send(SessionRequest(.follow))
        DispatchQueue(label: "winch.attach", qos: .userInitiated).async { self.run() }
    }

    /// - Parameter command: leaving the dashboard is no command to the session.
    func send(_ command: Command) {
        switch command {
        case .quit, .resumed: return
        case .add(let specs): for piece in specs.inPieces { link.send(.adding(piece)) }
        default:
            var request = SessionRequest(.command)
            request.command = command
            link.send(request)
        }
    }

    /// Ends the session, and waits until it has ended, at most 5 s.
    func stopSession() {
        link.send(SessionRequest(.stop))
        _ = hasEnded.wait(timeout: .now() + .seconds(5))
    }

    private func run() {
        defer { hasEnded.signal() }
        var reason: String?
        do throws(SessionFault) {
            while true {
                for message in try link.receive() {
                    switch message {
                    case .update(let update): mailbox.post(update)
                    case .closing(let words): reason = words
                    case .reply, .ping: break
                    }
                }
            }
        } catch {
            let words = SessionFault.closed(reason: reason).message
            if case .closed = error { end.withLock { $0 = words } } else { end.withLock { $0 = error.message } }
            wake()
        }
    }
}
