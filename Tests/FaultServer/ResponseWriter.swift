/// Performs one plan on one connection, never faster than the client reads.
struct ResponseWriter {
    private let socket: ConnectionSocket
    private let ending: ResponsePlan.Ending
    private var steps: ArraySlice<ResponsePlan.Step>
    private var pacer: BodyPacing?
    private var paceStart: ContinuousClock.Instant?
    /// Bytes that leave with what follows: a head in one packet with the body.
    private var unsent: [UInt8] = []
    /// Body bytes handed to the kernel so far.
    private(set) var bodyBytes: Int64 = 0

    /// 128 KiB: larger slices gain nothing on loopback, smaller ones cost a system call each.
    private static let slice: Int64 = 128 << 10

    init(_ plan: ResponsePlan, socket: ConnectionSocket) {
        self.socket = socket
        self.ending = plan.ending
        self.steps = plan.steps[...]
        self.pacer = plan.rate.map(BodyPacing.init)
    }

    /// Returns when all bytes are handed to the kernel.
    ///
    /// - Parameter onLast: called before the last bytes are sent, since the client may have received them and sent a request
    ///   before the call returns; not for a plan that ends in `.hold`.
    mutating func send(onLast: () -> Void = {}) throws(ConnectionSocket.Gone) {
        while let step = steps.popFirst() { try perform(step, onLast) }
        try flush()
    }

    private mutating func perform(_ step: ResponsePlan.Step, _ onLast: () -> Void) throws(ConnectionSocket.Gone) {
        switch step {
        case .wait(let duration):
            try flush()
            // The pacer starts anew: a body does not exceed its rate after a pause to catch up.
            paceStart = nil
            pacer = pacer.map { BodyPacing(rate: $0.rate) }
            try socket.sleep(duration)
        case .raw(let bytes): unsent += bytes
        case .body(let source):
            let slice = takeSlice(of: source) { .body($0) }
            try sendBody(slice, after: [], onLast)
        case .chunks(let source):
            let slice = takeSlice(of: source) { .chunks($0) }
            try sendChunk(slice, onLast)
        case .entries(let listing, from: let first):
            let end = listing.pieceEnd(from: first)
            if end < listing.entries.upperBound {
                steps.insert(.entries(listing, from: end), at: steps.startIndex)
                if let pause = listing.folder.site.pause { steps.insert(.wait(pause), at: steps.startIndex) }
            }
            try sendChunk(.bytes(listing.bytes(first..<end)[...]), onLast)
        }
    }

    /// Takes the slice to send now and puts the rest back as the next step.
    private mutating func takeSlice(of source: BodySource, rest: (BodySource) -> ResponsePlan.Step) -> BodySource {
        let count = min(source.count, Self.slice, pacer?.slice ?? Self.slice)
        if count < source.count { steps = [rest(source.slice(count..<source.count))] + steps }
        return source.slice(0..<count)
    }

    private mutating func sendChunk(_ slice: BodySource, _ onLast: () -> Void) throws(ConnectionSocket.Gone) {
        try sendBody(slice, after: Array("\(String(slice.count, radix: 16))\r\n".utf8), onLast)
    }

    /// - Parameter frame: the size line of a chunk; empty for a body without chunks.
    private mutating func sendBody(_ slice: BodySource, after frame: [UInt8], _ onLast: () -> Void)
        throws(ConnectionSocket.Gone)
    {
        if steps.isEmpty, ending != .hold { onLast() }
        unsent += frame
        let head = unsent.count
        slice.append(to: &unsent)
        if !frame.isEmpty { unsent += [UInt8(ascii: "\r"), UInt8(ascii: "\n")] }
        let sent = socket.write(unsent)
        bodyBytes += min(slice.count, max(0, Int64(sent - head)))
        guard sent == unsent.count else { throw ConnectionSocket.Gone() }
        unsent.removeAll(keepingCapacity: true)
        guard var pacer else { return }
        let now = ContinuousClock.now
        let start = paceStart ?? now
        let due = start + pacer.due(afterSending: slice.count)
        self.pacer = pacer
        paceStart = start
        if due > now { try socket.sleep(now.duration(to: due)) }
    }

    private mutating func flush() throws(ConnectionSocket.Gone) {
        guard socket.write(unsent) == unsent.count else { throw ConnectionSocket.Gone() }
        unsent.removeAll(keepingCapacity: true)
    }
}

extension BodySource {
    fileprivate func append(to bytes: inout [UInt8]) {
        switch self {
        case .bytes(let own): bytes += own
        case .seeded(let content, let range): bytes += content.bytes(in: range)
        }
    }
}

/// Spaces the slices of a body so that it is sent at `rate` bytes per second.
struct BodyPacing: Equatable, Sendable {
    let rate: Int64
    private(set) var sent: Int64 = 0

    init(rate: Int64) { self.rate = rate }

    /// Bytes of one slice, a twentieth of a second's worth: progress looks smooth, and the timers stay few.
    var slice: Int64 { max(1, rate / 20) }

    /// When the next slice is due, counted from the first.
    mutating func due(afterSending count: Int64) -> Duration {
        sent += count
        return .nanoseconds(Int64(Double(sent) / Double(rate) * 1e9))
    }
}
