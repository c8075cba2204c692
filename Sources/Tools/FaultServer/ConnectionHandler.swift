import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix

/// One connection: collects requests, answers them one after another.
///
/// Answers are written as bytes, without an HTTP encoder: an encoder would correct the intended faults.
final class ConnectionHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart

    private let reception: ServerRecords
    private var number = 0
    private var head: HTTPRequestHead?
    /// Parts of pipelined requests that wait for the answer under way.
    private var waiting: [HTTPServerRequestPart] = []
    private var current = Exchange.none
    private var isLeaving = false

    /// The request that is being answered.
    private enum Exchange {
        case none
        case download(ServerRecords.Admission, ResponseWriter)
        /// Its body may still be on its way.
        case upload(UploadBodyReader, isReading: Bool)
    }

    init(_ reception: ServerRecords) { self.reception = reception }

    func channelActive(context: ChannelHandlerContext) {
        number = reception.connected()
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        isLeaving = true
        finishCurrent(isWhole: false)
        reception.disconnected()
        context.fireChannelInactive()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        switch current {
        case .none: break
        case .download(_, let writer): writer.writabilityChanged()
        case .upload(let intake, _): intake.writabilityChanged()
        }
        context.fireChannelWritabilityChanged()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        waiting.append(unwrapInboundIn(data))
        takeParts(context.channel)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if case .upload(let intake, true) = current { intake.readCompleted() }
        context.fireChannelReadComplete()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // The bytes are no HTTP, or the client has disconnected: the connection is closed without an answer.
        leave(.close, context.channel)
    }

    private var isReady: Bool {
        switch current {
        case .none, .upload(_, isReading: true): true
        case .download, .upload(_, isReading: false): false
        }
    }

    private func takeParts(_ channel: any Channel) {
        while !isLeaving, isReady, !waiting.isEmpty { take(waiting.removeFirst(), channel) }
    }

    private func take(_ part: HTTPServerRequestPart, _ channel: any Channel) {
        switch (part, current) {
        case (.head(let head), _) where RequestTarget(head.uri).uploadPath != nil:
            receive(ReceivedRequest(head), channel)
        case (.head(let head), _): self.head = head
        case (.body(let bytes), .upload(let intake, _)): intake.received(bytes)
        case (.body, _): break
        case (.end, .upload(let intake, _)):
            current = .upload(intake, isReading: false)
            intake.requestEnded()
        case (.end, _):
            guard let head else { return }
            self.head = nil
            answer(ReceivedRequest(head), channel)
        }
    }

    private func answer(_ request: ReceivedRequest, _ channel: any Channel) {
        let admission = reception.admit(request, connection: number, now: Int64(time(nil)))
        let writer = ResponseWriter(
            admission.plan, channel: channel,
            onLast: { [self] in makeRoom() },
            onEnd: { [self] ending in
                finishCurrent(isWhole: true)
                leave(ending, channel)
            })
        current = .download(admission, writer)
        writer.start()
    }

    private func receive(_ request: ReceivedRequest, _ channel: any Channel) {
        let intake = UploadBodyReader(
            reception.uploads.admit(request, connection: number), site: reception.uploads, channel: channel,
            onEnd: { [self] ending in
                finishCurrent(isWhole: true)
                leave(ending, channel)
            })
        current = .upload(intake, isReading: true)
        intake.begin()
    }

    private func makeRoom() {
        guard case .download(var admission, let writer) = current else { return }
        admission.makeRoom(in: reception)
        current = .download(admission, writer)
    }

    private func finishCurrent(isWhole: Bool) {
        makeRoom()
        let finished = current
        current = .none
        switch finished {
        case .none: break
        case .download(let admission, let writer):
            writer.cancel()
            reception.finished(admission, bodyBytes: writer.bodyBytes, isWhole: isWhole)
        case .upload(let intake, _): intake.cancel()
        }
    }

    private func leave(_ ending: ResponsePlan.Ending, _ channel: any Channel) {
        switch ending {
        case .keepAlive: takeParts(channel)
        case .hold: break
        case .close:
            isLeaving = true
            channel.close(promise: nil)
        case .reset:
            isLeaving = true
            ResetClose(channel).begin()
        }
    }
}

extension ReceivedRequest {
    fileprivate init(_ head: HTTPRequestHead) {
        self.init(
            method: head.method.rawValue, target: head.uri,
            headers: head.headers.map { Header(name: $0.name, value: $0.value) }, isKeepAlive: head.isKeepAlive)
    }
}
