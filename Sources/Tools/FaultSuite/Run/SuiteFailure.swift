/// Why a case could not be run, as opposed to what a tool did wrong in it.
package enum SuiteFailure: Error, Sendable, CustomStringConvertible {
    case cannotStart(String, String)
    case cannotPrepare(String)

    package var description: String {
        switch self {
        case .cannotStart(let program, let reason): "\(program) does not start: \(reason)"
        case .cannotPrepare(let what): "cannot prepare \(what)"
        }
    }
}
