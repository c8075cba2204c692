import WinchModel
import WinchSession

extension SessionRequest {
    /// - Parameter folder: relative paths become absolute in it, because the session has another working folder; `nil`: they
    ///   are left to a session on another machine.
    static func adding(
        _ specs: some Sequence<TransferSpec>, from folder: WorkingFolder? = .current()
    ) -> SessionRequest {
        var request = SessionRequest(.add)
        request.specs = specs.map { spec in folder.map { spec.absolute(in: $0) } ?? spec }
        return request
    }
}

extension Collection<TransferSpec> {
    /// A request has room for so many.
    var inPieces: [SubSequence] {
        var (pieces, rest) = ([SubSequence](), self[...])
        while !rest.isEmpty {
            pieces.append(rest.prefix(200))
            rest = rest.dropFirst(200)
        }
        return pieces
    }
}
