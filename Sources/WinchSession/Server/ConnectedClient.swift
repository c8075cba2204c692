import FoundationEssentials
import Glibc
import WinchModel

struct ConnectedClient {
    let file: OpenFile
    /// Distinguishes it from all others of this session.
    let number: Int
    private var input = LineBuffer(most: LineBuffer.mostFromClients)
    private var output: [UInt8] = []
    private var sent = 0
    /// By then it must have introduced itself; `nil`: it has.
    var introductionDue: Moment?
    var follower: UnsentUpdates?
    /// Requests that are being carried out by other threads.
    var repliesToCome = 0
    /// The request whose reply follows the whole state.
    var statusRequest: Int?
    var pace = UpdatePace()
    /// It sends nothing more, but may still read.
    private(set) var hasInputEnded = false
    /// By then it must have read its last line; `nil`: it is not being closed.
    private(set) var closingDue: Moment?
    /// Nothing more is read: it is closed when its output is sent.
    private(set) var isClosing = false
    var isGone = false

    init(_ file: OpenFile, number: Int, at now: Moment) {
        (self.file, self.number) = (file, number)
        introductionDue = now + SessionLimits.introductionTime
    }

    var hasUnsent: Bool { sent < output.count }

    /// It reads what it is sent, so that more may be written.
    var mayHaveUpdate: Bool { output.count - sent < SessionLimits.unsentUpdates && !isClosing }

    /// Sends a line that the client causes: one that has left too many of them unread is closed. However long this line is, a
    /// client that reads gets it.
    mutating func write(_ line: some Encodable) {
        let unread = output.count - sent
        append(line)
        if unread > SessionLimits.unsentReplies, !isClosing { close("too many lines were not read") }
        flush()
    }

    /// Sends a line that the server causes, when `mayHaveUpdate`.
    ///
    /// - Returns: its length.
    mutating func write(update: SessionUpdate?) -> Int {
        let before = output.count - sent
        append(ServerLine(update: update))
        defer { flush() }
        return output.count - sent - before
    }

    private mutating func append(_ line: some Encodable) {
        guard !isGone, let data = try? JSONEncoder().encode(line) else { return }
        if sent > 0, sent > output.count / 2 {
            output.removeFirst(sent)
            sent = 0
        }
        output += data
        output.append(UInt8(ascii: "\n"))
    }

    /// Tells it why, and closes the connection when that has been sent.
    mutating func close(_ reason: String) {
        guard !isClosing else { return }
        isClosing = true
        follower = nil
        write(ServerLine(closing: reason))
    }

    mutating func flush() {
        while sent < output.count {
            let count = output[sent...].withUnsafeBytes {
                send(file.number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                if errno != EAGAIN { isGone = true }
                return
            }
            sent += count
        }
        (output, sent) = ([], 0)
        if isClosing { isGone = true }
    }

    /// Reads what has come. Returns the lines, without those behind a line that is too long.
    mutating func read() -> [ArraySlice<UInt8>] {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        var lines: [ArraySlice<UInt8>] = []
        // Bounded, so that one client does not keep the others waiting.
        for _ in 0..<16 {
            let count = recv(file.number, &buffer, buffer.count, 0)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                if count == 0 { hasInputEnded = true } else if errno != EAGAIN { isGone = true }
                break
            }
            guard !isClosing else { continue }
            input.append(buffer[..<count])
            while let line = input.next() { lines.append(line) }
            if input.isTooLong {
                close("a line is longer than \(LineBuffer.mostFromClients) bytes")
                break
            }
        }
        return lines
    }

    /// Closes the connection of a client that does not introduce itself, or does not read why it is closed.
    mutating func keepTime(at now: Moment) {
        if let due = introductionDue, due <= now {
            close("no introduction came within \(Int(SessionLimits.introductionTime.seconds)) seconds")
        }
        guard isClosing else { return }
        introductionDue = nil
        if let closingDue, closingDue <= now { isGone = true }
        closingDue = closingDue ?? now + SessionLimits.introductionTime
    }
}

enum SessionLimits {
    /// At a time; a further client is told and closed.
    static let clients = 64
    /// From the greeting to the client's first line.
    static let introductionTime = Duration.seconds(5)
    /// Unsent bytes at which a client gets no more updates: a line has up to 900 KiB, and all is at most 1 MiB.
    static let unsentUpdates = 128 << 10
    /// Unsent bytes of replies at which a client that asks and asks, but reads no replies, is closed.
    static let unsentReplies = 1 << 20
}

/// When a client may be sent its next update: 20 a second, fewer if they are long, the first one after quiet at once. After a
/// request of the client an update with more than movements goes at once, because it may be the effect, for which a user waits.
struct UpdatePace {
    /// When the next one is due by the pace alone.
    private var next: Moment?
    /// So many may be early.
    private var early = 0

    static let interval = Duration.milliseconds(50)
    /// Between long updates; what another client does is shown within 200 ms.
    private static let longInterval = Duration.milliseconds(100)
    /// 9 kB a second, as long as that takes no more than `longInterval`: enough for one transfer with eight connections.
    private static let bytesPerSecond = 9000
    /// The first update after a request may be the effect of an earlier one, and an effect may come in two.
    private static let mostEarly = 3

    /// When the next update is due; `nil`, or a time that is past: at once.
    ///
    /// - Parameter isNotable: it has more than movements.
    func due(isNotable: Bool) -> Moment? { isNotable && early > 0 ? nil : next }

    func isDue(at now: Moment, isNotable: Bool) -> Bool { due(isNotable: isNotable).map { $0 <= now } ?? true }

    mutating func expectAnswer() { early = Self.mostEarly }

    /// - Parameter bytes: of the update that was sent.
    mutating func noteUpdate(of bytes: Int, at now: Moment) {
        if let next, next > now {
            early -= 1
        } else {
            let span = Duration.milliseconds(bytes * 1000 / Self.bytesPerSecond)
            next = now + min(max(span, Self.interval), Self.longInterval)
        }
    }
}
