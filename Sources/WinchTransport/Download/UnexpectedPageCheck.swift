import WinchHTTP
import WinchModel

/// Notices a page of HTML where a file was due: a login form, an error that calls itself a success.
struct UnexpectedPageCheck {
    /// What an earlier answer said that the file is; `nil`: nothing, or a page.
    private let knownType: String?
    /// The answer calls itself a page, and this was expected; decided by the first bytes.
    private var expected: String?

    init(knownType: String?) { self.knownType = knownType }

    /// Kept bytes are not replaced by a page unless they are one; without any, the page is taken with a warning.
    ///
    /// - Parameters:
    ///   - name: of the target.
    ///   - part: what is kept; `nil`: nothing.
    mutating func judge(_ head: ResponseHead, name: String, part: PartFile?) throws(TransferFailure) {
        expected = nil
        guard head.isPage, head.status != 206 else { return }
        let type = ExpectedType.binaryExtension(of: name) ?? knownType
        if let part, part.written > 0, !ExpectedType.mayBePage(part.beginning()) {
            throw .unexpectedPage(expected: type ?? "the rest of \(name)")
        }
        expected = type
    }

    /// To be given the first bytes of the body: many servers call everything HTML.
    mutating func warning(for bytes: UnsafeRawBufferPointer) -> TransferWarning? {
        guard let type = expected else { return nil }
        expected = nil
        return ExpectedType.mayBePage(bytes) ? .page(expected: type) : nil
    }
}
