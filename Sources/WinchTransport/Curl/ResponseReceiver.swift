/// What takes an answer as it comes, on the loop's thread, inside libcurl's callbacks.
protocol ResponseReceiver: AnyObject {
    /// The connection stands and a request is about to go out; once for every hop of a redirect.
    func requestGoesOut()
    /// - Returns: false ends the transfer.
    func take(header line: UnsafeRawBufferPointer) -> Bool
    func take(body bytes: UnsafeRawBufferPointer) -> BodyAnswer
}

/// What becomes of a piece of a body.
enum BodyAnswer {
    case taken
    /// Nothing of it was taken: it comes again once the handle is released.
    case notNow
    /// The transfer ends.
    case refused
}
