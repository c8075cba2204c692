/// Everything that can go wrong here, on the way up or in a URL that asks for what the server does not know.
public enum FaultServerFailure: Error, Equatable, Sendable, CustomStringConvertible {
    case cannotListen(port: Int, reason: String)
    case unknownOption(String)
    case badValue(option: String, value: String)

    public var description: String {
        switch self {
        case .cannotListen(let port, let reason): "cannot listen on 127.0.0.1:\(port): \(reason)"
        case .unknownOption(let name): "no option is called '\(name)'"
        case .badValue(let option, let value): "'\(value)' is no value for '\(option)'"
        }
    }
}
