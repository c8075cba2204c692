@testable import WinchModel

extension ResumePoint {
    /// Of `NAME.part`.
    init(_ name: String, have: Int64, of total: Int64? = nil, etag: String? = nil) {
        self.init(
            partPath: name + ".part", targetPath: name, have: ByteCount(bytes: have),
            total: total.map { ByteCount(bytes: $0) }, validator: etag.map { Validator.strongETag("\"\($0)\"") })
    }
}
