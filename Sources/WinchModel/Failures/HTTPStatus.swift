/// The statuses of HTTP: what each means for a download and for an upload, and its words for messages.
///
/// - Source: IANA's registry of HTTP status codes (2025) with the documents that it names; RFC 9110, section 15, for codes that
///   are not registered: they mean what x00 of their class means.
package enum HTTPStatus {
    /// What a request was for.
    package enum Use: Hashable, Sendable, CaseIterable {
        case download
        /// PUT, POST, MKCOL and the like.
        case upload
        /// A request of the protocol tus.
        case tus
    }

    /// What is to be done about an answer.
    package enum Meaning: Hashable, Sendable {
        /// The request is done: the body of a download's answer is the file, or a part of it.
        case done
        /// The final answer follows.
        case interim
        /// The `Location` is asked instead.
        case elsewhere
        /// Not now: the same request may succeed later. The server has done nothing of it.
        case later
        /// It may succeed later. The server may have done some of it, so a POST is not repeated.
        case laterUnlessSentOnce
        /// Final, unless the answer has a `Retry-After`.
        case laterIfAsked
        /// The same request would have the same answer.
        case never
    }

    package static func meaning(_ code: Int, of use: Use) -> Meaning {
        let row = rows[code] ?? unregistered(code)
        return switch use {
        // With a Retry-After the server says that the refusal passes.
        case .download where row.download == .never && (400...499).contains(code): .laterIfAsked
        case .download: row.download
        case .upload: row.upload ?? row.download
        case .tus where code == 409: .later
        case .tus: row.upload ?? row.download
        }
    }

    package static func words(_ code: Int) -> String { (rows[code] ?? unregistered(code)).words }

    private struct Row {
        var words: String
        var download: Meaning
        /// `nil`: as for a download.
        var upload: Meaning?

        init(_ words: String, _ download: Meaning, upload: Meaning? = nil) {
            (self.words, self.download, self.upload) = (words, download, upload)
        }
    }

    private static func unregistered(_ code: Int) -> Row {
        switch code {
        case 100...199: Row("interim response", .interim)
        case 200...299: Row("success", .done)
        case 300...399: Row("redirect", .never)
        case 500...599: Row("server error", .laterUnlessSentOnce)
        default: Row("refused", .never)
        }
    }

    private static let rows: [Int: Row] = [
        100: Row("continue", .interim),
        // Nothing of HTTP follows: the connection speaks another protocol, which was not asked for.
        101: Row("switching protocols", .never),
        // The server is at work on the request (RFC 2518). The final answer follows, unless the connection is lost.
        102: Row("still processing", .interim),
        103: Row("early hints", .interim),
        104: Row("upload resumption supported", .interim),

        200: Row("ok", .done),
        // The body describes what the request has made.
        201: Row("created", .never, upload: .done),
        // The body says that the file is being prepared: it is never the file. An upload has arrived.
        202: Row("accepted, not done yet", .later, upload: .done),
        203: Row("not from the origin", .done),
        204: Row("no content", .never, upload: .done),
        205: Row("no content", .never, upload: .done),
        206: Row("partial content", .done),
        // A list of statuses, RFC 4918. 208 occurs only in such a list.
        207: Row("multi-status", .never, upload: .done),
        208: Row("already reported", .never, upload: .done),
        // The difference from another version, RFC 3229, which was not asked for.
        226: Row("difference only", .never, upload: .done),

        300: Row("multiple choices", .elsewhere),
        301: Row("moved permanently", .elsewhere),
        302: Row("found elsewhere", .elsewhere),
        303: Row("see other", .elsewhere, upload: .done),
        // The file has not changed; only asked of a complete file.
        304: Row("not modified", .never),
        305: Row("use a proxy", .never),
        306: Row("unused status", .never),
        307: Row("temporary redirect", .elsewhere),
        308: Row("permanent redirect", .elsewhere),

        400: Row("bad request", .never),
        // Another request with a login may succeed; the same one does not.
        401: Row("login needed", .never),
        402: Row("payment required", .never),
        // Of an upload too: with Retry-After it is a limit (GitHub, "secondary rate limits").
        403: Row("forbidden", .laterIfAsked),
        404: Row("not found", .never),
        405: Row("method not allowed", .never),
        406: Row("not acceptable", .never),
        407: Row("the proxy wants a login", .never),
        // The server has not waited for the whole request.
        408: Row("request timeout", .later),
        // For tus another request holds the upload, or its offset is another one: `meaning`.
        409: Row("conflict", .never),
        410: Row("gone", .never),
        // The size of a stream is found out, and it is sent with that: `HTTPUpload`.
        411: Row("length required", .never),
        412: Row("precondition failed", .never),
        413: Row("too large for the server", .laterIfAsked),
        414: Row("URL too long for the server", .never),
        415: Row("media type not accepted", .never),
        416: Row("range not satisfiable", .never),
        // The request is sent again without Expect: `UploadConnection`.
        417: Row("expectation failed", .never),
        418: Row("unused status", .never),
        // The connection leads to a server that does not know the host; another connection may lead to the right one.
        421: Row("misdirected request", .later),
        422: Row("content not accepted", .never),
        // A lock of another client, or of an upload whose connection was lost: it ends.
        423: Row("locked", .later),
        424: Row("failed dependency", .never),
        // The server does not act on a request that might be a replay (RFC 8470).
        425: Row("too early", .later),
        426: Row("upgrade required", .never),
        428: Row("precondition required", .never),
        429: Row("too many requests", .later),
        431: Row("header fields too large", .never),
        451: Row("unavailable for legal reasons", .never),

        500: Row("server error", .laterUnlessSentOnce),
        501: Row("not implemented", .never),
        502: Row("bad gateway", .laterUnlessSentOnce),
        503: Row("service unavailable", .later),
        504: Row("gateway timeout", .laterUnlessSentOnce),
        505: Row("HTTP version not supported", .never),
        506: Row("variant also negotiates", .never),
        // RFC 4918: a request that stores something is repeated only when the user asks for it.
        507: Row("server's disk is full", .laterUnlessSentOnce, upload: .never),
        508: Row("loop detected", .never),
        510: Row("not extended", .never),
        // A page of the network is in the way until the user has logged in with a browser.
        511: Row("the network wants a login", .later),
    ]
}
