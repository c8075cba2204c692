/// Reads the body of one request at the pace of its machine, and answers it.
struct UploadBodyReader {
    private let admission: UploadSite.Admission
    private let site: UploadSite
    private let socket: ConnectionSocket
    private var machine: UploadBodyMachine
    private var body = UploadSite.Body()
    /// How the connection goes on after the answer; `nil` until the answer is written.
    private var answered: ResponsePlan.Ending?
    /// When a connection whose answer was early is left although more of the body arrives.
    private var lingerEnd: ContinuousClock.Instant?
    /// How the connection ends before the request is read and answered.
    private var brokenOff: ResponsePlan.Ending?

    /// How long a connection is read after its answer was sent and its direction closed, so that the client finds the answer
    /// before the RST that unread bytes would cause.
    private static let linger = Duration.seconds(2)

    init(_ admission: UploadSite.Admission, site: UploadSite, socket: ConnectionSocket) {
        self.admission = admission
        self.site = site
        self.socket = socket
        self.machine = admission.machine
    }

    /// Returns when the request is read and answered, or the connection is to end.
    mutating func receive(from reader: inout RequestReader) throws -> ResponsePlan.Ending {
        defer { finish() }
        if let window = admission.options.window { socket.setReceiveBuffer(window) }
        try perform(machine.began())
        while true {
            if let brokenOff { return brokenOff }
            if let answered, answered != .keepAlive, lingerEnd == nil || reader.isAtEnd { return answered }
            if reader.isAtEnd { break }
            if try !readOn(&reader) { return .close }
        }
        body.isWhole = true
        site.completed(admission.id)
        try perform(machine.ended())
        if let ending = brokenOff ?? answered { return ending }
        try socket.sleep(nil)
        return .close
    }

    /// - Returns: false when the connection is to be left without an answer to the rest.
    private mutating func readOn(_ reader: inout RequestReader) throws -> Bool {
        let most: Int
        switch machine.nextReading() {
        case .never:
            try socket.sleep(nil)
            return false
        case .freely: most = UploadBodyMachine.most
        case .atMost(let count, let delay):
            // A client that has ended its direction is read at once: it is to be noticed that it is gone.
            if delay > .zero { _ = try socket.wait(delay) }
            most = max(1, count)
        }
        if let lingerEnd {
            let left = ContinuousClock.now.duration(to: lingerEnd)
            if left <= .zero { return false }
            if try !reader.hasReceived && socket.wait(left, awaitsInput: true) == .time { return false }
        }
        try perform(take(try reader.nextBody(most: most)))
        return true
    }

    private mutating func take(_ bytes: ArraySlice<UInt8>) -> [UploadBodyMachine.Action] {
        guard !bytes.isEmpty else { return [] }
        let before = machine.read
        let (kept, actions) = machine.received(Int64(bytes.count))
        if machine.read > before { site.read(admission.id, machine.read) }
        bytes.withUnsafeBytes { all in
            let wanted = UnsafeRawBufferPointer(rebasing: all[..<Int(kept)])
            if admission.appendsAtOnce {
                site.append(wanted, by: admission)
            } else {
                body.bytes.append(contentsOf: wanted)
            }
        }
        return actions
    }

    private func finish() {
        if !body.isWhole || answered == nil { site.brokenOff(admission.id) }
        if let limitKey = admission.limitKey { site.ended(limitKey) }
    }

    private mutating func perform(_ actions: [UploadBodyMachine.Action]) throws {
        for action in actions {
            switch action {
            case .interim(let status): send(interim: status, "")
            case .progress(let count):
                let location = RequestTarget(admission.request.target).path
                send(
                    interim: 104,
                    "Upload-Draft-Interop-Version: 6\r\nLocation: \(location)\r\nUpload-Offset: \(count)\r\n")
            case .answer(let isEarly): try answer(isEarly: isEarly)
            case .breakOff(let reset): brokenOff = reset ? .reset : .close
            }
        }
    }

    private func send(interim status: Int, _ fields: String) {
        guard answered == nil else { return }
        site.sent(admission.id, interim: status)
        _ = socket.write(ResponseFields.interim(status, fields))
    }

    private mutating func answer(isEarly: Bool) throws {
        var plan = site.answer(admission, body)
        let after = machine.afterEarlyAnswer
        if isEarly, plan.status > 0 {
            switch after {
            case .drain: break
            case .close: plan = plan.closing()
            case .cut: plan.ending = admission.options.resets ? .reset : .close
            }
        }
        var writer = ResponseWriter(plan, socket: socket)
        try writer.send()
        answered = plan.ending
        if isEarly && after == .close && plan.status > 0 {
            socket.endOutput()
            lingerEnd = ContinuousClock.now + Self.linger
        }
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
