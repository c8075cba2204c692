/// The header fields of the protocol tus 1.0.
///
/// - Source: https://tus.io/protocols/resumable-upload
package struct TusFields: Sendable, Equatable {
    /// The versions that the server speaks, as sent; `nil` without the field.
    package var version: String?
    /// In lower case.
    package var extensions: [String] = []
    /// Names of hash functions, in lower case.
    package var checksums: [String] = []
    /// Bytes of the upload that the server has. Also sent with the status 104.
    package var offset: Int64?

    package init() {}

    /// The words of a list with commas, in lower case.
    static func words(_ text: String) -> [String] {
        text.lowercased().split(separator: ",").map { $0.filter { $0 != " " && $0 != "\t" } }
    }

    /// A number without a sign; `nil` for anything else.
    static func count(_ text: String) -> Int64? {
        text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int64(text) : nil
    }
}
