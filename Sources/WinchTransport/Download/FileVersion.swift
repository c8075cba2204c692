import WinchHTTP
import WinchModel

/// What is known of the whole file at the server: later answers must be about the same.
struct FileVersion: Hashable, Sendable {
    /// Bytes; `nil`: the server has not said.
    var total: Int64?
    var validator: Validator?

    init(total: Int64? = nil, validator: Validator? = nil) {
        self.total = total
        self.validator = validator
    }

    /// As a part says of itself.
    init(_ attributes: PartAttributes) { self.init(total: attributes.total, validator: attributes.validator) }

    init?(_ attributes: PartAttributes?) {
        guard let attributes else { return nil }
        self.init(attributes)
    }

    /// Takes what the head of an answer says.
    ///
    /// - Parameters:
    ///   - offset: of the body: without an answer about the kept bytes they keep their validator.
    ///   - total: as the answer names it.
    mutating func take(_ head: ResponseHead, offset: Int64, total: Int64?) {
        if let answered = head.validator { validator = answered } else if offset == 0 { validator = nil }
        self.total = total
    }
}
