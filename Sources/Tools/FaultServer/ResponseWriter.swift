import NIOCore

/// Performs one plan on one connection, never faster than the client reads.
///
/// Lives on the connection's event loop.
final class ResponseWriter {
    private enum State {
        case running
        /// Until the channel is writable again.
        case blocked
        case sleeping(Scheduled<Void>)
        case ended
    }

    private let channel: any Channel
    private let ending: ResponsePlan.Ending
    private let onLast: () -> Void
    private let onEnd: (ResponsePlan.Ending) -> Void
    private var steps: ArraySlice<ResponsePlan.Step>
    private var state = State.running
    private var pacer: BodyPacing?
    private var paceStart: NIODeadline?
    private var buffer: ByteBuffer
    /// Body bytes written so far.
    private(set) var bodyBytes: Int64 = 0

    /// 128 KiB: larger slices gain nothing on loopback, smaller ones cost a system call each.
    private static let slice: Int64 = 128 << 10
    /// After 2 MiB the other connections of the loop have their turn.
    private static let burst: Int64 = 2 << 20

    /// - Parameters:
    ///   - onLast: called before the last bytes are sent: the client may have received them and sent a request before
    ///     `onEnd`.
    ///   - onEnd: called once, when all bytes are handed to the kernel; never for a plan that ends in `.hold`.
    init(
        _ plan: ResponsePlan, channel: any Channel, onLast: @escaping () -> Void,
        onEnd: @escaping (ResponsePlan.Ending) -> Void
    ) {
        self.onLast = onLast
        self.channel = channel
        self.ending = plan.ending
        self.onEnd = onEnd
        self.steps = plan.steps[...]
        self.pacer = plan.rate.map(BodyPacing.init)
        self.buffer = channel.allocator.buffer(capacity: 0)
    }

    func start() { pump() }

    func writabilityChanged() {
        guard case .blocked = state, channel.isWritable else { return }
        state = .running
        pump()
    }

    /// The connection is gone.
    func cancel() {
        if case .sleeping(let timer) = state { timer.cancel() }
        state = .ended
    }

    private func pump() {
        let burstEnd = bodyBytes + Self.burst
        while case .running = state {
            guard channel.isWritable else {
                state = .blocked
                channel.flush()
                return
            }
            guard bodyBytes < burstEnd else {
                sleep(.zero)
                return
            }
            guard let step = steps.popFirst() else {
                end()
                return
            }
            perform(step)
        }
    }

    private func perform(_ step: ResponsePlan.Step) {
        switch step {
        case .wait(let duration):
            // The pacer starts anew: a body does not exceed its rate after a pause to catch up.
            paceStart = nil
            pacer = pacer.map { BodyPacing(rate: $0.rate) }
            channel.flush()
            sleep(TimeAmount(duration))
        case .raw(let bytes):
            buffer.clear()
            buffer.writeBytes(bytes)
            // Not flushed yet: a head leaves in one packet with the body that follows.
            channel.write(buffer, promise: nil)
        case .body(let source):
            let slice = takeSlice(of: source) { .body($0) }
            buffer.clear()
            buffer.write(slice)
            sendBody(slice.count)
        case .chunks(let source):
            let slice = takeSlice(of: source) { .chunks($0) }
            buffer.clear()
            buffer.writeString(String(slice.count, radix: 16) + "\r\n")
            buffer.write(slice)
            buffer.writeString("\r\n")
            sendBody(slice.count)
        }
    }

    /// Takes the slice to send now and puts the rest back as the next step.
    private func takeSlice(of source: BodySource, rest: (BodySource) -> ResponsePlan.Step) -> BodySource {
        let count = min(source.count, Self.slice, pacer?.slice ?? Self.slice)
        if count < source.count { steps = [rest(source.slice(count..<source.count))] + steps }
        return source.slice(0..<count)
    }

    private func sendBody(_ count: Int64) {
        if steps.isEmpty, ending != .hold { onLast() }
        channel.writeAndFlush(buffer, promise: nil)
        bodyBytes += count
        guard var pacer else { return }
        let now = NIODeadline.now()
        let start = paceStart ?? now
        let due = start + TimeAmount(pacer.due(afterSending: count))
        self.pacer = pacer
        paceStart = start
        if due > now { sleep(due - now) }
    }

    private func sleep(_ delay: TimeAmount) {
        if case .ended = state { return }
        state = .sleeping(
            channel.eventLoop.assumeIsolated().scheduleTask(in: delay) { [self] in
                guard case .sleeping = state else { return }
                state = .running
                pump()
            })
    }

    private func end() {
        state = .ended
        guard ending != .hold else {
            channel.flush()
            return
        }
        // When an empty write completes, everything before it has been handed to the kernel.
        channel.writeAndFlush(channel.allocator.buffer(capacity: 0)).assumeIsolated().whenComplete {
            [onEnd, ending] _ in
            onEnd(ending)
        }
    }
}

extension ByteBuffer {
    fileprivate mutating func write(_ source: BodySource) {
        switch source {
        case .bytes(let bytes): writeBytes(bytes)
        case .seeded(let content, let range):
            writeWithUnsafeMutableBytes(minimumWritableBytes: range.count) { space in
                content.fill(UnsafeMutableRawBufferPointer(rebasing: space[..<range.count]), from: range.lowerBound)
                return range.count
            }
        }
    }
}
