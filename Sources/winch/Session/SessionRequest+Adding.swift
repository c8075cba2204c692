import WinchModel
import WinchSession

extension SessionRequest {
    /// - Parameter specs: their folders become absolute: the session has another working folder.
    static func adding(_ specs: some Sequence<TransferSpec>, from folder: WorkingFolder = .current()) -> SessionRequest
    {
        var request = SessionRequest(.add)
        request.specs = specs.map { $0.absolute(in: folder) }
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
