/// Why a case could not be run, as opposed to what a tool did wrong in it.
public enum SuiteFailure: Error, Sendable, CustomStringConvertible {
    case cannotStart(String, String)
    case cannotPrepare(String)

    public var description: String {
        switch self {
        case .cannotStart(let program, let reason): "\(program) does not start: \(reason)"
        case .cannotPrepare(let what): "cannot prepare \(what)"
        }
    }
}
