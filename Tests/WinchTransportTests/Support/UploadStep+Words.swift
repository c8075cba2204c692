@testable import WinchModel
@testable import WinchTransport

extension UploadStep {
    /// A step that is no request, in a few words.
    var words: String {
        switch self {
        case .request: "a request"
        case .wait(let span): "wait \(span)"
        case .awaitFolder(let folder): "await \(folder.text)"
        case .hold(let place): "hold \(place.name)"
        case .needsSize: "needs the size"
        case .done: "done"
        case .failed(let failure, let place): "\(failure)" + (place == nil ? "" : ", kept")
        }
    }
}
