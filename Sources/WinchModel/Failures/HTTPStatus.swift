/// Short descriptions of HTTP status codes, for messages.
///
/// - Source: RFC 9110, section 15; RFC 6585.
enum HTTPStatus {
    static func words(_ code: Int) -> String {
        switch code {
        case 400: "bad request"
        case 401: "login needed (--user)"
        case 402: "payment required"
        case 403: "forbidden"
        case 404: "not found"
        case 405: "method not allowed"
        case 406: "not acceptable"
        case 407: "the proxy wants a login"
        case 408: "request timeout"
        case 409: "conflict"
        case 410: "gone"
        case 416: "range not satisfiable"
        case 421: "misdirected request"
        case 429: "too many requests"
        case 451: "unavailable for legal reasons"
        case 500: "server error"
        case 501: "not implemented"
        case 502: "bad gateway"
        case 503: "service unavailable"
        case 504: "gateway timeout"
        case 507: "server's disk is full"
        case 500...599: "server error"
        default: "refused"
        }
    }
}
