/// How the body of one request is read and when the request is answered, decided when its head has arrived.
struct UploadBodyPlan: Equatable, Sendable {
    /// Content-Length; `nil` for a chunked body.
    var length: Int64?
    /// Statuses of heads that are sent before the body is read.
    var interim: [Int] = []
    var interimDelay: Duration = .zero
    var answerPoint = AnswerPoint.end
    var afterEarlyAnswer = AfterEarlyAnswer.drain
    /// The connection ends once this much of the body has been read.
    var drop: Int64?
    /// That end is a RST.
    var resets = false
    /// Reading stops here.
    var stallAt: Int64?
    /// How long it stops; `nil` is for ever.
    var stallFor: Duration?
    /// Bytes per second.
    var rate: Int64?
    /// Distance in bytes between answers 104 that tell what has been read.
    var progressEvery: Int64?
    /// Bytes that the kernel may hold for the connection while the program does not read.
    var window: Int64?

    enum AnswerPoint: Equatable, Sendable {
        /// After this many bytes of the body, or at its end if that comes first.
        case after(Int64)
        case end, never
    }

    /// What follows on an answer that was sent before the body was read.
    enum AfterEarlyAnswer: Equatable, Sendable {
        /// The rest is read and the connection kept.
        case drain
        /// The answer says `Connection: close`; its direction is closed, and what still arrives is dropped for 2 s.
        case close
        /// The connection is closed at once. The client may lose the answer to the RST that unread bytes cause.
        case cut
        /// Nothing more is read; the connection stays open.
        case hold
    }
}
