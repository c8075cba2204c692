import ArgumentParser
import FoundationEssentials
import WinchModel
import WinchSession
import WinchTerminal
import WinchTransport

/// Reaches the session of a state folder.
struct SessionAccess {
    let place: SessionSocket

    /// 69 (EX_UNAVAILABLE): no session answers.
    static let unavailableCode: Int32 = 69

    init(folder: String) {
        place = SessionSocket(folder: folder)
    }

    /// - Parameter state: of the command line; the settings file and the environment count where it says nothing.
    init(_ state: StateFolderOption) throws {
        let folder =
            try state.chosenFolder
            ?? StateFolderOption.folder(
                SettingSources(arguments: [], environment: ProcessTexts.environment))
        self.init(folder: folder)
    }

    /// - Throws: `ExitCode` 69 after a message when no session answers.
    func link(patience: Duration = .seconds(5)) throws -> SessionConnection {
        do throws(SessionFailure) {
            return try open(patience: patience).link
        } catch {
            throw Self.failure(error)
        }
    }

    /// - Parameter patience: for the greeting; a session that begins with a long list greets when it has read it.
    func open(
        patience: Duration = .seconds(5)
    ) throws(SessionFailure) -> (link: SessionConnection, greeting: Greeting) {
        let socket = try place.connect()
        let link = try SessionConnection(reading: socket, writing: socket)
        return (link, try link.begin(client: Self.client, origin: Self.clockOrigin, patience: patience))
    }

    static var client: String { "winch \(WinchVersion.text)" }

    /// The calendar time at which the clock of this process read zero.
    static var clockOrigin: UnixTime {
        UnixTime(milliseconds: Int64(MonotonicClock().unixOffset() * 1000))
    }

    /// The error with its exit code.
    static func failure(_ fault: SessionFailure) -> any Error {
        ErrorOutput.report(fault.message)
        return switch fault {
        case .notRunning, .closed, .silent, .unreachable: ExitCode(unavailableCode)
        case .running, .unsafe, .system, .unknownProtocol, .refused: ExitCode(1)
        }
    }
}
