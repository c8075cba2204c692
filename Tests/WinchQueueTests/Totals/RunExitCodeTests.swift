import TestSupport
import Testing

@testable import WinchModel
@testable import WinchQueue

@Suite struct `The exit code of a run` {
    private static let table: [(RunSummary, Int32)] = [
        (RunSummary(), 0),
        (RunSummary(finished: 3), 0),
        (RunSummary(finished: 3, cancelled: 1), 0),
        (RunSummary(finished: 3, unfinished: 1), 7),
        (RunSummary(unfinished: 1, failures: [.httpStatus(404)]), 7),
        (RunSummary(finished: 1, failures: [.httpStatus(404), .httpStatus(410)]), 3),
        (RunSummary(failures: [.httpStatus(404), .httpStatus(500)]), 1),
        (RunSummary(failures: [.diskFull(folder: "."), .stoppedByFailFast]), 9),
        (RunSummary(failures: [.stoppedByFailFast]), 1),
    ]

    @Test(arguments: table)
    func `has aria2's exit code when all failures share it`(summary: RunSummary, code: Int32) {
        expectEqual(summary.exitCode, code)
    }
}
