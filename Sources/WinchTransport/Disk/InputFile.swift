import CTransport
import Glibc
import WinchBatch
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
            return try read(Descriptor(fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)), "standard input", largest)
        }
        return try read(Descriptor.open(path, O_RDONLY), path, largest)
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
        return try read(file, path, largestTyped)
    }

    private static func read(_ file: Descriptor?, _ name: String, _ largest: Int) throws(Failure) -> [UInt8] {
        guard let file else { throw failure(name) }
        var text = InputText(largest: largest, isMetalink: Metalink.isName(name))
        var (gunzip, isFirst, fault): (Gunzip?, Bool, String?) = (nil, true, nil)
        let code = file.readPieces { piece in
            if isFirst {
                isFirst = false
                // No text begins with this control character, and a pipe may bring the first byte alone.
                if piece.first == Gunzip.firstByte {
                    gunzip = Gunzip()
                } else if let status = file.status, status.isFile {
                    text.reserve(Int(status.st_size))
                }
            }
            if let gunzip {
                fault = gunzip.unpack(piece, into: &text)
            } else {
                fault = text.append(piece)
            }
            return fault == nil
        }
        guard code == 0 else { throw Failure(message: "\(name): \(String(cString: strerror(code)))") }
        if let gunzip, fault == nil, !gunzip.isAtEnd { fault = Gunzip.damaged }
        if let fault { throw Failure(message: "\(name): \(fault)") }
        return text.bytes
    }

    private static func failure(_ name: String) -> Failure {
        Failure(message: "\(name): \(String(cString: strerror(errno)))")
    }
}

/// The text of a file as it comes. What is no list is refused early: `/dev/zero` and most archives have no lines, and gzip data of a
/// few kilobytes can unpack to gigabytes of empty ones. A Metalink may be one line, and has a limit of its own.
struct InputText {
    private(set) var bytes: [UInt8] = []
    /// Ended lines.
    private var lines = 0
    /// In bytes, of the line that has not ended.
    private var line = 0
    private let largest: Int
    private let hasMetalinkName: Bool
    private let mostLines: Int

    /// 1 MiB, in bytes: 16 mirrors with the longest URLs.
    static let longestLine = 1 << 20

    /// - Parameters:
    ///   - largest: in bytes.
    ///   - isMetalink: by its name; without it the first bytes tell.
    ///   - mostLines: ten million with 54 bytes each are as large as a list may be.
    init(largest: Int, isMetalink: Bool = false, mostLines: Int = 10_000_000) {
        (self.largest, hasMetalinkName, self.mostLines) = (largest, isMetalink, mostLines)
    }

    /// A long list would be copied several times while the array grows.
    mutating func reserve(_ count: Int) { bytes.reserveCapacity(min(count, largest)) }

    /// - Returns: why the text is refused; `nil`: it goes on.
    mutating func append(_ piece: ArraySlice<UInt8>) -> String? {
        bytes += piece
        guard bytes.count <= largest else { return Self.tooLarge(largest) }
        let isList = count(piece)
        guard !isList || bytes.count > Metalink.largest else { return nil }
        if hasMetalinkName || Metalink.begins(bytes) {
            return bytes.count > Metalink.largest ? Self.tooLarge(Metalink.largest) : nil
        }
        guard !isList else { return nil }
        return lines > mostLines
            ? "more than \(NumberFormat.count(mostLines)) lines; is it the right file?"
            : "line \(lines + 1) is longer than \(Self.longestLine >> 20) MiB; is it the right file?"
    }

    private static func tooLarge(_ most: Int) -> String { "more than \(most >> 20) MiB; is it the right file?" }

    /// - Returns: false when there are too many lines, or one is too long.
    private mutating func count(_ piece: ArraySlice<UInt8>) -> Bool {
        piece.withUnsafeBytes { piece in
            guard var start = piece.baseAddress else { return true }
            let end = start + piece.count
            while let found = memchr(start, Int32(UInt8(ascii: "\n")), end - start) {
                let newline = UnsafeRawPointer(found)
                guard line + (newline - start) <= Self.longestLine, lines < mostLines else {
                    if lines == mostLines { lines += 1 }
                    return false
                }
                lines += 1
                line = 0
                start = newline + 1
            }
            line += end - start
            return line <= Self.longestLine
        }
    }
}

/// Unpacks gzip data as they come: all members of the stream, one after the other.
///
/// - Source: RFC 1952.
final class Gunzip {
    /// `nil`: there was no memory for it.
    private let inflater = winch_inflater_new()
    private var place = Place.member
    private var unpacked = [UInt8](repeating: 0, count: 64 << 10)

    private enum Place {
        case member, betweenMembers
        /// Zeros after the last member, as tape archives have it.
        case padding
    }

    static let firstByte: UInt8 = 0x1F
    static let damaged = "damaged gzip data"

    deinit {
        if let inflater { winch_inflater_free(inflater) }
    }

    /// What was given ends with a whole member.
    var isAtEnd: Bool { place != .member }

    /// - Returns: why the data or the text are refused; `nil`: they go on.
    func unpack(_ given: ArraySlice<UInt8>, into text: inout InputText) -> String? {
        guard let inflater else { return "out of memory" }
        var rest = given
        // The inflater may have more of the text than there was room for.
        var isFull = false
        while !rest.isEmpty || isFull {
            switch place {
            case .padding: return rest.allSatisfy { $0 == 0 } ? nil : Self.damaged
            case .betweenMembers:
                place = rest.first == 0 ? .padding : .member
                if place == .member { winch_inflater_reset(inflater) }
            case .member:
                var (left, space) = (rest.count, unpacked.count)
                let state = rest.withUnsafeBufferPointer { input in
                    unpacked.withUnsafeMutableBufferPointer { output in
                        winch_inflate(inflater, input.baseAddress, &left, output.baseAddress, &space)
                    }
                }
                let came = unpacked.count - space
                let isStuck = came == 0 && left == rest.count && left > 0
                rest = rest.dropFirst(rest.count - left)
                isFull = space == 0
                if let fault = text.append(unpacked[..<came]) { return fault }
                switch state {
                case WINCH_INFLATE_END: (place, isFull) = (.betweenMembers, false)
                case WINCH_INFLATE_MORE where !isStuck: break
                default: return Self.damaged
                }
            }
        }
        return nil
    }
}

/// A file that libcurl opens for each connection: certificates, a key, cookies, a netrc.
package enum ReopenedFile {
    /// Why it cannot be one; `nil`: it can, or is not there. libcurl would wait for the writer of a FIFO on the thread of all
    /// transfers, and read some devices without end.
    package static func fault(_ path: String) -> String? {
        var status = stat()
        guard stat(path.cBytes, &status) == 0 else { return nil }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return nil
        case S_IFDIR: return "a folder; a regular file is needed"
        case S_IFIFO:
            return "a FIFO or pipe, which can be read once; each connection reads it: a regular file is needed"
        default:
            var null = stat()
            guard stat("/dev/null", &null) == 0 else { return nil }
            let isNull = null.st_mode == status.st_mode && null.st_rdev == status.st_rdev
            return isNull ? nil : "a device or socket; a regular file is needed"
        }
    }
}

extension TransferSettings {
    /// Why libcurl must not open one of the files; `nil`: it may.
    var fileFault: TransferFailure? {
        for case let path? in [cookieFile, caFile, certificateFile, keyFile] {
            if let fault = ReopenedFile.fault(path) { return .readWrite(path, reason: fault) }
        }
        return nil
    }
}
