/// How a tus server behaves besides what every upload's options say.
///
/// - Source: https://tus.io/protocols/resumable-upload, version 1.0.0.
struct TusFaultOptions: Equatable, Sendable {
    /// Answers to HEAD in turn, the last for ever; empty means 200.
    var headAnswers: [FaultOptions.Answer] = []
    /// Answers to the POST that creates.
    var creationAnswers: [FaultOptions.Answer] = []
    /// The upload no longer exists once it has so many bytes.
    var loseAt: Int64?
    var lostStatus = 404
    /// False Upload-Offset in answers to HEAD and to PATCH.
    var headOffset: Int64?
    var patchOffset: Int64?
    /// The number of PATCHes with a checksum that are answered 460 although it is right.
    var badChecksums = 0
    var checksums = "sha1,sha256,md5"
    var extensions = "creation,creation-with-upload,checksum,termination"
    var longest: Int64?
    /// A PATCH that was cut leaves nothing behind.
    var keepsWholeOnly = false
    /// The server knows nothing of tus.
    var isAbsent = false

    /// - Returns: whether it is an option of tus.
    mutating func read(_ option: OptionText) throws(FaultServerFailure) -> Bool {
        switch option.name {
        case "headstatus": headAnswers = try FaultOptions.answers(option)
        case "create": creationAnswers = try FaultOptions.answers(option)
        case "lose": loseAt = try option.count()
        case "lostas": lostStatus = try option.status()
        case "headoffset": headOffset = try option.count()
        case "patchoffset": patchOffset = try option.count()
        case "badchecksum": badChecksums = Int(min(try option.count(), 1 << 20))
        case "checksums": checksums = option.text
        case "extensions": extensions = option.text
        case "maxsize": longest = try option.count()
        case "keepwhole": keepsWholeOnly = true
        case "notus": isAbsent = true
        default: return false
        }
        return true
    }
}
