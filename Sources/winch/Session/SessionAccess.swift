import ArgumentParser
import WinchModel
import WinchSession
import WinchTerminal
import WinchTransport

struct SessionAccess {
    let place: SessionSocket

    /// 60 s: what is added or taken over is acknowledged when it is saved, and a disk may be slow.
    static let longPatience = Duration.seconds(60)

    /// 69 (EX_UNAVAILABLE): no session answers.
    static let unavailableCode: Int32 = 69

    init(folder: String) {
        place = SessionSocket(folder: folder)
    }

    /// - Parameter state: of the command line; the settings file and the environment count where it says nothing.
    init(_ state: StateFolderOption) throws {
        self.init(folder: try state.chosenFolder)
    }

    /// - Parameter patience: for the greeting; a session that begins with a long list greets when it has read it.
    func open(
        patience: Duration = .seconds(5)
    ) throws(SessionFailure) -> (link: SessionConnection, greeting: Greeting) {
        let socket = try place.connect()
        let link = try SessionConnection(reading: socket, writing: socket)
        return (link, try link.begin(client: Self.client, origin: Self.clockOrigin, patience: patience))
    }

    /// 5: a session may end, and another one end that was started at the same moment; more is a fault that does not go away.
    private static let attempts = 5

    /// Asks the session for something. One that ends by itself meanwhile, or does not run, is followed by the next one; one that is
    /// stopped is not, because the user wants none to run.
    ///
    /// - Parameters:
    ///   - patience: for the greeting; a session that another process has started greets when it has read its list.
    ///   - endTime: for the end of a session that no longer answers.
    ///   - start: starts a session unless one runs.
    ///   - undone: what the session was not asked for any more when it was stopped, for the user.
    ///   - body: called again with the next session when the one before has ended in it.
    /// - Throws: the failure; for a session that was stopped the exit code, after a message.
    func withSession<Result>(
        patience: Duration, endTime: Duration = .seconds(5), start: () throws -> Void, undone: () -> String,
        _ body: (SessionConnection) throws(SessionFailure) -> Result
    ) throws -> Result {
        var failures = 0
        while true {
            do throws(SessionFailure) {
                return try body(try open(patience: patience).link)
            } catch {
                if error == .stopped {
                    ErrorOutput.report("\(error.message); \(undone())")
                    throw ExitCode(Self.unavailableCode)
                }
                failures += 1
                guard error.isEndOfSession, failures < Self.attempts else { throw error }
            }
            place.waitForEndOrStart(until: .now + endTime)
            if (try? place.connect()) == nil { try start() }
        }
    }

    static var client: String { "winch \(WinchVersion.text)" }

    /// The calendar time at which the clock of this process read zero.
    static var clockOrigin: UnixTime {
        UnixTime(milliseconds: Int64(MonotonicClock().unixOffset() * 1000))
    }
}

extension SessionReply {
    /// Says that the queue cannot be saved.
    func reportUnsaved() {
        if let unsaved { ErrorOutput.report("warning: \(unsaved)") }
    }
}

extension SessionFailure {
    func reported(_ commands: StateCommands) -> String {
        switch self {
        case .notRunning: "\(message); \(commands.line("serve")) starts one"
        case .running: "\(message); \(commands.line("add")) gives it more to do"
        case .unsafe, .system, .unknownProtocol, .unreachable, .closed, .silent, .refused: message
        }
    }

    var exitCode: Int32 {
        switch self {
        case .notRunning, .closed, .silent, .unreachable: SessionAccess.unavailableCode
        case .running, .unsafe, .system, .unknownProtocol, .refused: 1
        }
    }
}
