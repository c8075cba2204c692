import CTransport
import Glibc
import WinchModel

/// Reads a whole batch file, from disk or standard input, plain or gzip.
package enum InputFile {
    /// The message names the file.
    package struct Failure: Error {
        package let message: String

        package init(message: String) { self.message = message }
    }

    /// 512 MiB, in bytes: a batch of a million lines has about 100 MB, so a larger file is no batch.
    private static let largest = 512 << 20

    /// - Parameters:
    ///   - path: `-` for standard input.
    ///   - largest: in bytes; a larger file is an error, also after decompression.
    package static func read(_ path: String, largest: Int? = nil) throws(Failure) -> [UInt8] {
        let largest = largest ?? Self.largest
        guard path != "-" else {
            let bytes = try read(Descriptor(fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)), "standard input", largest)
            return try inflated(bytes, path, largest)
        }
        return try inflated(try read(Descriptor.open(path, O_RDONLY), path, largest), path, largest)
    }

    private static func inflated(_ bytes: [UInt8], _ path: String, _ largest: Int) throws(Failure) -> [UInt8] {
        guard bytes.starts(with: [0x1F, 0x8B]) else { return bytes }
        guard let inflated = Gunzip.inflate(bytes, limit: largest) else {
            throw Failure(message: "\(path): damaged gzip data, or more than \(largest >> 20) MiB of it")
        }
        return inflated
    }

    /// 64 MiB, in bytes: half a million URLs.
    private static let largestTyped = 64 << 20

    /// Reads a file that is named in the dashboard. Only regular files are accepted: standard input is the keyboard, and FIFOs
    /// and devices may block the reader.
    ///
    /// A network file system may still block, so do not call this on the main thread.
    package static func readTyped(_ path: String) throws(Failure) -> [UInt8] {
        if path == "-" {
            throw Failure(message: "standard input is the keyboard here; start winch with -i - instead")
        }
        // Without O_NONBLOCK, opening a FIFO blocks until another process opens it for writing.
        let file = Descriptor.open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY)
        guard let status = file?.status else { throw failure(path) }
        guard status.isFile else {
            let kind = status.isFolder ? "a folder" : "not a regular file"
            throw Failure(message: "\(path) is \(kind); give a batch file")
        }
        return try inflated(try read(file, path, largestTyped), path, largestTyped)
    }

    private static func read(_ file: Descriptor?, _ name: String, _ largest: Int) throws(Failure) -> [UInt8] {
        guard let bytes = file?.bytes(most: largest) else { throw failure(name) }
        guard bytes.count <= largest else {
            throw Failure(message: "\(name): more than \(largest >> 20) MiB; is it the right file?")
        }
        return bytes
    }

    private static func failure(_ name: String) -> Failure {
        Failure(message: "\(name): \(String(cString: strerror(errno)))")
    }
}

/// gzip in memory, for batch files.
///
/// - Source: RFC 1952.
enum Gunzip {
    /// All members of the stream, one after the other.
    ///
    /// - Parameter limit: of the result, in bytes: a few kilobytes can unpack to gigabytes.
    /// - Returns: `nil` of data that are damaged, and where more would come out.
    static func inflate(_ bytes: [UInt8], limit: Int) -> [UInt8]? {
        guard let inflater = winch_inflater_new() else { return nil }
        defer { winch_inflater_free(inflater) }
        var result: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        var taken = 0
        while true {
            var left = bytes.count - taken
            var space = piece.count
            let state = bytes.withUnsafeBufferPointer { input in
                piece.withUnsafeMutableBufferPointer { output in
                    winch_inflate(inflater, input.baseAddress.map { $0 + taken }, &left, output.baseAddress, &space)
                }
            }
            let came = piece.count - space
            let hasMoved = came > 0 || left < bytes.count - taken
            taken = bytes.count - left
            guard result.count + came <= limit else { return nil }
            result.append(contentsOf: piece[..<came])
            switch state {
            case WINCH_INFLATE_END:
                // Zeros after the last member are padding, as tape archives have it.
                if bytes[taken...].allSatisfy({ $0 == 0 }) { return result }
                winch_inflater_reset(inflater)
            case WINCH_INFLATE_MORE where hasMoved: continue
            default: return nil
            }
        }
    }
}
