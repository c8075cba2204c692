import WinchBatch
import WinchModel

/// What `winch check` prints of a Metalink.
enum MetalinkReport {
    /// - Parameter path: of the file, as given.
    static func lines(of metalink: Metalink, in path: String) -> [String] {
        guard !metalink.files.isEmpty else { return [] }
        let count = metalink.files.count
        return ["\(path): \(NumberFormat.count(count)) \(count == 1 ? "file" : "files")"]
            + metalink.files.flatMap { lines(of: $0) }
    }

    private static func lines(of file: MetalinkFile) -> [String] {
        let size = file.size.map { "\(NumberFormat.bytes($0)) (\($0.bytes) bytes)" } ?? "not given"
        let checksum = file.checksum.map { "\($0.algorithm.rawValue)=\($0.hex)" } ?? "none"
        let pieces = file.pieces.map { pieces in
            "\(NumberFormat.count(pieces.count)) of \(NumberFormat.bytes(pieces.length)), \(pieces.algorithm.rawValue)"
        }
        return [file.path.text, "  size      \(size)", "  checksum  \(checksum)", "  pieces    \(pieces ?? "none")"]
            + file.urls.enumerated().map { ($0.offset == 0 ? "  URLs      " : "            ") + $0.element.redacted }
    }
}
