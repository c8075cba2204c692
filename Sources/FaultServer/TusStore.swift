/// The uploads that clients have created by tus, by the number in their URL.
struct TusStore: Sendable {
    struct Upload: Sendable {
        let length: Int64
        let metadata: String?
        /// Those of the URL that created it.
        let options: UploadFaultOptions
        var bytes: [UInt8] = []
        /// The request that may append: a later PATCH takes over from one whose connection has not ended yet.
        var writer: Int?
        var refusedChecksums = 0

        var offset: Int64 { Int64(bytes.count) }
    }

    var uploads: [Int: Upload] = [:]
    private var created = 0

    static let root = "/tus"
    static let version = "1.0.0"

    mutating func create(_ upload: Upload) -> Int {
        created += 1
        uploads[created] = upload
        return created
    }

    /// The number in `/tus/7`; `nil` for where uploads are created.
    static func number(_ path: String) -> Int? {
        path.hasPrefix(root + "/") ? Int(path.dropFirst(root.count + 1)) : nil
    }

    static func contains(_ path: String) -> Bool { path == root || path.hasPrefix(root + "/") }
}

/// An upload by tus, as the server has it.
package struct TusUpload: Equatable, Sendable {
    package let length: Int64
    /// Upload-Metadata, as sent.
    package let metadata: String?
    package let bytes: [UInt8]
    package var isComplete: Bool { Int64(bytes.count) == length }
}
