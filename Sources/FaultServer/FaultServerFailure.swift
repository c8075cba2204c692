/// Failures of the server: at its start, or for a URL with an option or a value that it does not know.
package enum FaultServerFailure: Error, Equatable, Sendable, CustomStringConvertible {
    case cannotListen(port: Int, reason: String)
    case unknownOption(String)
    case badValue(option: String, value: String)

    package var description: String {
        switch self {
        case .cannotListen(let port, let reason): "cannot listen on 127.0.0.1:\(port): \(reason)"
        case .unknownOption(let name): "no option is called '\(name)'"
        case .badValue(let option, let value): "'\(value)' is no value for '\(option)'"
        }
    }
}
