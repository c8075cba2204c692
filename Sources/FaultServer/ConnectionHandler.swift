import Glibc

/// One connection: reads requests and answers them one after another, on a thread of its own.
///
/// Answers are written as bytes, without an HTTP encoder: an encoder would correct the intended faults.
struct ConnectionHandler {
    let socket: ConnectionSocket
    let records: ServerRecords

    func serve() {
        let number = records.connected()
        // Bytes that are no HTTP, or a client that has disconnected: the connection is closed without an answer.
        try? answerAll(number)
        records.disconnected()
    }

    private func answerAll(_ number: Int) throws {
        var reader = RequestReader(socket)
        while let request = try reader.nextHead() {
            let ending: ResponsePlan.Ending
            if RequestTarget(request.target).uploadPath != nil {
                let admission = records.uploads.admit(request, connection: number)
                var body = UploadBodyReader(admission, site: records.uploads, socket: socket)
                ending = try body.receive(from: &reader)
            } else {
                while !reader.isAtEnd { _ = try reader.nextBody(most: 64 << 10) }
                ending = try answer(request, number)
                if ending == .close { socket.dropArrived() }
            }
            switch ending {
            case .keepAlive: break
            case .hold, .close: return
            case .reset:
                socket.resetAtClose()
                return
            }
        }
    }

    private func answer(_ request: ReceivedRequest, _ number: Int) throws -> ResponsePlan.Ending {
        var admission = records.admit(request, connection: number, now: Int64(time(nil)))
        var writer = ResponseWriter(admission.plan, socket: socket)
        var isWhole = false
        defer {
            admission.makeRoom(in: records)
            records.finished(admission, bodyBytes: writer.bodyBytes, isWhole: isWhole)
        }
        try writer.send { admission.makeRoom(in: records) }
        if admission.plan.ending == .hold { try socket.sleep(nil) }
        isWhole = true
        return admission.plan.ending
    }
}
