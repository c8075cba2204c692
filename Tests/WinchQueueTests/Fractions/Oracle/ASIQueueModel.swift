/// Progress as ASIHTTPRequest 1.8 and its ASINetworkQueue count it, faults included: the reference that shows that
/// every difference in Winch is intended.
///
/// Two sums, without a record of which request added what. A request adds to the total when its size becomes known,
/// and to the completed bytes when some arrive, and subtracts nothing.
struct ASIQueueModel {
    private struct Request {
        /// Bytes on disk from which a Range header resumes.
        var part: Int64
        var length: Int64 = 0
        var totalRead: Int64 = 0
        var lastRead: Int64 = 0
        /// The size comes from a HEAD: the GET's own headers add nothing to the total.
        var isSized = false
        /// Counts bytes; otherwise 1 at the end, as every request does in simple mode.
        var isAccurate: Bool
        var postLength: Int64 = 0
        var totalSent: Int64 = 0
        var lastSent: Int64 = 0
        /// Bytes of the first write, assumed to be the system's buffer and left out of the total.
        var uploadBuffer: Int64 = 0

        mutating func forgetBody() { (totalRead, lastRead, length) = (0, 0, 0) }
    }

    private let isAccurate: Bool
    private var requests: [Request] = []
    private var completed: Int64 = 0
    private var total: Int64 = 0
    /// Unsigned in the original: subtracting more than was counted wraps around.
    private var uploaded: UInt64 = 0
    private var uploadTotal: Int64 = 0

    init(isAccurate: Bool) {
        self.isAccurate = isAccurate
    }

    var bar: String { requests.first?.postLength ?? 0 > 0 ? "\(uploaded)/\(uploadTotal)" : "\(completed)/\(total)" }

    mutating func apply(_ move: Move) {
        switch move {
        case .add(let part, _):
            requests.append(Request(part: part, isAccurate: isAccurate))
            if !isAccurate { total += 1 }
        case .addUpload(let size):
            requests.append(Request(part: 0, isAccurate: isAccurate, postLength: size))
            uploadTotal += size
        case .sized(let number, let length, _):
            // The status is ignored: an error page's length counts.
            hear(length, number - 1)
            requests[number - 1].isSized = true
        case .opened(let number, let length, let status):
            if status == 200, requests[number - 1].part > 0 {
                // Subtracts from the total what was never added to it.
                total -= requests[number - 1].part
                requests[number - 1].part = 0
            }
            hear(length, number - 1)
        case .refused(let number, let status, let body):
            // Redirects are ignored; the page of a login or an error counts as the file.
            guard !(300...399).contains(status) else { return }
            hear(body, number - 1)
            read(body, number - 1)
            if status != 416 { requests[number - 1].forgetBody() }
        case .read(let number, let bytes), .late(let number, let bytes): read(bytes, number - 1)
        case .done(let number): end(number - 1)
        case .lost(let number, let asksForRest):
            requests[number - 1].part = asksForRest ? requests[number - 1].part + requests[number - 1].totalRead : 0
            requests[number - 1].forgetBody()
        case .sent(let number, let bytes): send(upTo: bytes, number - 1)
        case .unsent(let number):
            uploaded &-= UInt64(requests[number - 1].totalSent)
            (requests[number - 1].totalSent, requests[number - 1].lastSent) = (0, 0)
        case .cancelAll: (completed, total) = (0, 0)
        // Failed and cancelled requests leave their bytes in the total.
        case .failed, .cancel, .replied, .look: break
        }
    }

    private mutating func hear(_ length: Int64?, _ index: Int) {
        requests[index].length = length ?? 0
        guard requests[index].isAccurate, !requests[index].isSized else { return }
        if let length {
            total += length + requests[index].part
        } else {
            requests[index].isAccurate = false
            total += 1
        }
    }

    private mutating func read(_ bytes: Int64, _ index: Int) {
        requests[index].totalRead += bytes
        guard requests[index].isAccurate, requests[index].length > 0 else { return }
        let soFar = requests[index].totalRead + requests[index].part
        completed += soFar - requests[index].lastRead
        requests[index].lastRead = soFar
    }

    private mutating func end(_ index: Int) {
        if !requests[index].isAccurate || requests[index].length == 0 { completed += 1 }
    }

    private mutating func send(upTo bytes: Int64, _ index: Int) {
        requests[index].totalSent = bytes
        if requests[index].uploadBuffer == 0, bytes != requests[index].postLength {
            requests[index].uploadBuffer = bytes
            uploadTotal -= bytes
        }
        if bytes == requests[index].postLength || requests[index].lastSent > 0 {
            uploaded &+= UInt64(bytes - requests[index].lastSent)
        }
        requests[index].lastSent = bytes
    }
}
