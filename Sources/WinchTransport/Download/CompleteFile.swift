import WinchCore

/// A file that an earlier run finished, and that need not be fetched once more.
struct CompleteFile {
    var name: String
    var size: Int64
    var validator: Validator

    /// `If-None-Match: "v1"`: the server says whether it still has this version, and sends nothing then.
    var condition: String {
        switch validator {
        case .strongETag(let tag): "If-None-Match: " + tag
        case .lastModified(let date): "If-Modified-Since: " + date
        }
    }
}
