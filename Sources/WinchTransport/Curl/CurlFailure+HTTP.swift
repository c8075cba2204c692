import WinchModel

/// Answers that break HTTP; libcurl reports them by codes that mean something else for other protocols.
extension CurlFailure {
    /// What is wrong with the answer; `nil` when the failure is of another kind.
    ///
    /// - Source: lib/http.c and lib/http_chunks.c of libcurl 7.88.
    var httpFault: String? {
        guard scheme == .http || scheme == .https else { return nil }
        return switch code {
        case .unsupportedProtocol where says("HTTP/0.9"): "not HTTP: no status line"
        case .unsupportedProtocol where says("Unsupported HTTP version ("): "HTTP version \(version) is not supported"
        case .unsupportedProtocol where says("Unsupported HTTP"): "malformed status line"
        case .unsupportedProtocol where says("response code"): "malformed status line: the status has not three digits"
        case .weirdReply where says("Content-Length"): "the Content-Length is not a number"
        case .weirdReply where says("Nul byte"): "a NUL byte in the headers"
        case .weirdReply where says("without colon"): "a header line without a colon"
        case .badArgument where says("chunked"): "malformed trailer after the chunks"
        case .badArgument where isRequested && !isOpen: "malformed header: a blank before the first field"
        case .tooLarge where !isOpen, .outOfMemory where isRequested && !isOpen: "a header line of more than 100 KiB"
        case .receiveError where says("chunked-encoding"): chunkFault
        case .badContentEncoding: "unexpected Transfer-Encoding"
        default: nil
        }
    }

    private var chunkFault: String {
        if says("hexadecimal sequence") { return "malformed chunk: no size" }
        if says("Too long") { return "malformed chunk: a size of more than 16 digits" }
        if says("Out of memory") { return "a trailer line of more than 100 KiB" }
        return "malformed chunk: no line end after its bytes"
    }

    /// As libcurl writes it: `Unsupported HTTP version (1.2) in response`.
    private var version: Substring { words.drop { $0 != "(" }.dropFirst().prefix { $0 != ")" } }

    private func says(_ part: String) -> Bool { words.contains(part) }
}
