import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix

/// One connection: collects requests, answers them one after another.
///
/// Answers are written as bytes, without an HTTP encoder: an encoder would correct the intended faults.
final class ConnectionHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart

    private let reception: Reception
    private var number = 0
    private var head: HTTPRequestHead?
    /// Pipelined requests that wait for the answer under way.
    private var waiting: [ReceivedRequest] = []
    private var current: (admission: Reception.Admission, writer: ResponseWriter)?
    private var isLeaving = false

    init(_ reception: Reception) { self.reception = reception }

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
        current?.writer.writabilityChanged()
        context.fireChannelWritabilityChanged()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): self.head = head
        case .body: break
        case .end:
            guard let head else { return }
            self.head = nil
            waiting.append(ReceivedRequest(head))
            answerNext(context.channel)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // The bytes are no HTTP, or the client has disconnected: the connection is closed without an answer.
        leave(.close, context.channel)
    }

    private func answerNext(_ channel: any Channel) {
        guard current == nil, !isLeaving, !waiting.isEmpty else { return }
        let request = waiting.removeFirst()
        let admission = reception.admit(request, connection: number, now: Int64(time(nil)))
        let writer = ResponseWriter(
            admission.plan, channel: channel,
            onLast: { [self] in current?.admission.makeRoom(in: reception) },
            onEnd: { [self] ending in
                finishCurrent(isWhole: true)
                leave(ending, channel)
            })
        current = (admission, writer)
        writer.start()
    }

    private func finishCurrent(isWhole: Bool) {
        guard let (admission, writer) = current else { return }
        current?.admission.makeRoom(in: reception)
        current = nil
        writer.cancel()
        reception.finished(admission, bodyBytes: writer.bodyBytes, isWhole: isWhole)
    }

    private func leave(_ ending: ResponsePlan.Ending, _ channel: any Channel) {
        switch ending {
        case .keepAlive: answerNext(channel)
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
