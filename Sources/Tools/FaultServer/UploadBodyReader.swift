import Hashing
import NIOCore
import NIOPosix

/// Reads the body of one request at the pace of its plan, and answers it.
///
/// Lives on the connection's event loop.
final class UploadBodyReader {
    private let admission: UploadSite.Admission
    private let site: UploadSite
    private let channel: any Channel
    private let onEnd: (ResponsePlan.Ending) -> Void
    private var machine: UploadBodyMachine
    private var body = UploadSite.Body()
    private var hash = RunningHash(.sha256)
    private let appendsAtOnce: Bool
    private var writer: ResponseWriter?
    private var timers: [Scheduled<Void>] = []
    /// How the connection goes on after the answer; `nil` until the answer is written.
    private var ending: ResponsePlan.Ending?
    private var hasEnded = false
    private var isReadingFreely = true

    /// How long a connection is read after its answer was sent and its direction closed, so that the client finds the answer
    /// before the RST that unread bytes would cause.
    private static let linger = TimeAmount.seconds(2)

    /// - Parameter onEnd: called once, when the request is read and answered or the connection is to end.
    init(
        _ admission: UploadSite.Admission, site: UploadSite, channel: any Channel,
        onEnd: @escaping (ResponsePlan.Ending) -> Void
    ) {
        self.admission = admission
        self.site = site
        self.channel = channel
        self.onEnd = onEnd
        self.machine = UploadBodyMachine(admission.plan)
        self.appendsAtOnce = UploadSite.appendsAtOnce(admission)
    }

    func begin() {
        if let window = admission.plan.window {
            try? channel.syncOptions?.setOption(.socketOption(.so_rcvbuf), value: .init(window))
        }
        perform(machine.began())
    }

    func received(_ bytes: ByteBuffer) {
        let before = machine.read
        let (kept, actions) = machine.received(Int64(bytes.readableBytes))
        if machine.read > before { site.read(admission.id, machine.read) }
        bytes.withUnsafeReadableBytes { all in
            let wanted = UnsafeRawBufferPointer(rebasing: all[..<Int(kept)])
            hash.update(wanted)
            if appendsAtOnce {
                site.append(wanted, by: admission)
            } else if !admission.options.discards {
                body.bytes.append(contentsOf: wanted)
            }
        }
        body.count += kept
        perform(actions)
    }

    func requestEnded() {
        body.isWhole = true
        site.ended(admission.id, sha256: hash.digest().hex, isComplete: true)
        perform(machine.ended())
        hasEnded = true
        if let ending { onEnd(ending) }
    }

    func readCompleted() {
        switch machine.nextReading() {
        case .freely: setReading(isFree: true)
        case .never: setReading(isFree: false)
        case .atMost(let count, let delay):
            setReading(isFree: false)
            // A hint: NIO may read a few kilobytes more into a buffer that it uses again.
            let size = FixedSizeRecvByteBufferAllocator(capacity: max(1, count))
            try? channel.syncOptions?.setOption(.recvAllocator, value: size)
            if delay == .zero { channel.read() } else { after(TimeAmount(delay)) { [channel] in channel.read() } }
        }
    }

    func writabilityChanged() { writer?.writabilityChanged() }

    /// The connection is gone, or is left.
    func cancel() {
        timers.forEach { $0.cancel() }
        timers = []
        writer?.cancel()
        writer = nil
        if !body.isWhole { site.ended(admission.id, sha256: hash.digest().hex, isComplete: false) }
        if !body.isWhole || ending == nil { site.brokenOff(admission.id) }
        if let limitKey = admission.limitKey { site.ended(limitKey) }
        setReading(isFree: true)
    }

    private func perform(_ actions: [UploadBodyMachine.Action]) {
        for action in actions {
            switch action {
            case .interim(let status) where admission.plan.interimDelay > .zero:
                after(TimeAmount(admission.plan.interimDelay)) { [self] in send(interim: status, "") }
            case .interim(let status): send(interim: status, "")
            case .progress(let count):
                let location = RequestTarget(admission.request.target).path
                send(
                    interim: 104,
                    "Upload-Draft-Interop-Version: 6\r\nLocation: \(location)\r\nUpload-Offset: \(count)\r\n")
            case .answer(let isEarly): answer(isEarly: isEarly)
            case .breakOff(let reset): onEnd(reset ? .reset : .close)
            }
        }
    }

    private func send(interim status: Int, _ fields: String) {
        guard ending == nil, writer == nil else { return }
        site.sent(admission.id, interim: status)
        let words = [100: "Continue", 103: "Early Hints", 104: "Upload Resumption Supported"][status] ?? "Wait"
        let head = ByteBuffer(string: "HTTP/1.1 \(status) \(words)\r\n\(fields)\r\n")
        channel.writeAndFlush(head, promise: nil)
    }

    private func answer(isEarly: Bool) {
        var plan = site.answer(admission, body)
        let after = admission.plan.afterEarlyAnswer
        if isEarly, plan.status > 0 {
            switch after {
            case .drain: break
            case .close: plan = plan.closing()
            case .cut: plan.ending = admission.plan.resets ? .reset : .close
            case .hold: plan.ending = .hold
            }
        }
        let isLingering = isEarly && after == .close && plan.status > 0
        writer = ResponseWriter(
            plan, channel: channel, onLast: {},
            onEnd: { [self] ending in
                self.ending = ending
                if isLingering {
                    channel.close(mode: .output, promise: nil)
                    self.after(Self.linger) { [onEnd] in onEnd(.close) }
                } else if hasEnded || ending != .keepAlive {
                    onEnd(ending)
                }
            })
        writer?.start()
    }

    private func after(_ delay: TimeAmount, _ action: @escaping () -> Void) {
        timers.append(channel.eventLoop.assumeIsolated().scheduleTask(in: delay, action))
    }

    private func setReading(isFree: Bool) {
        guard isFree != isReadingFreely else { return }
        isReadingFreely = isFree
        let options = channel.syncOptions
        if isFree { try? options?.setOption(.recvAllocator, value: AdaptiveRecvByteBufferAllocator()) }
        try? options?.setOption(.autoRead, value: isFree)
    }
}

extension ResponsePlan {
    /// With `Connection: close` in its head.
    fileprivate func closing() -> ResponsePlan {
        var plan = self
        plan.ending = .close
        for (index, step) in steps.enumerated() {
            guard case .raw(let bytes) = step, bytes.suffix(4) == Array("\r\n\r\n".utf8)[...] else { continue }
            plan.steps[index] = .raw(bytes.dropLast(2) + Array("Connection: close\r\n\r\n".utf8))
            break
        }
        return plan
    }
}
