import ArgumentParser
import Glibc
import WinchKit
import WinchModel
import WinchTerminal
import WinchTransport

extension Wiring {
    /// - Throws: when a log file cannot be opened for writing.
    func openLogs(_ clock: MonotonicClock, _ problems: [String]) throws -> RunLogFiles {
        var logs = RunLogFiles()
        let (level, offset) = (command.log.level, clock.unixOffset())
        do throws(InputFile.Failure) {
            if let path = command.log.file {
                logs.files.append(try LogFile(path: path, level: level, unixOffset: offset))
            }
            if command.session.role == .serve {
                let file = SessionLogFile(folder: stateFolder)
                let rotation = file.rotation(isInBackground: command.session.isInBackground)
                logs.files.append(
                    try LogFile(path: file.path, level: level, unixOffset: offset, rotation: rotation))
            }
        } catch {
            throw ValidationError("--log \(error.message)")
        }
        for problem in problems { logs.report(problem, .warning, at: clock.now()) }
        return logs
    }
}
