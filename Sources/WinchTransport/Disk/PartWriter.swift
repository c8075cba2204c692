import WinchModel

/// Writes the bytes of one connection into a part, one after the other from a position on. Used on the loop's thread only.
///
/// Small pieces are gathered and written in large ones: a write costs more for its own sake than for its bytes.
final class PartWriter {
    let part: PartFile
    /// Where the next byte goes that is on disk.
    private(set) var written: Int64
    private var gathered: UnsafeMutableRawBufferPointer?
    private var filled = 0
    /// What was gathered could not be written: the next byte of the body is not the one that belongs at `position`.
    private var failure: TransferFailure?
    /// Up to here the system was asked to write back.
    private var writtenBack: Int64

    /// 256 KiB: larger writes are no faster, and sixteen of these must fit beside sixteen receive buffers.
    private static let gatherCapacity = 256 << 10
    /// What comes in pieces this large is written as it comes.
    private static let direct = 128 << 10
    /// Bytes after which the system is asked to begin writing to the disk: soon, so that the wait at the end is short.
    private static let writeBackStep: Int64 = 8 << 20

    init(_ part: PartFile, at position: Int64) {
        self.part = part
        written = position
        writtenBack = position
    }

    deinit { gathered?.deallocate() }

    /// Where the next byte goes; the bytes before it are on disk or gathered.
    var position: Int64 { written + Int64(filled) }

    /// Goes on at another position; what is gathered is dropped.
    func move(to position: Int64) {
        (filled, failure) = (0, nil)
        written = position
        writtenBack = position
    }

    /// Takes the next bytes of the body.
    ///
    /// - Parameter isWhole: the body ends with these.
    /// - Throws: also the error of an earlier `flush`: the bytes that it dropped would be missing before these.
    func append(_ bytes: UnsafeRawBufferPointer, isWhole: Bool) throws(TransferFailure) {
        if let failure { throw failure }
        if filled == 0, isWhole || bytes.count >= Self.direct { return try write(bytes) }
        var rest = bytes
        while !rest.isEmpty {
            let buffer = gathered ?? .allocate(byteCount: Self.gatherCapacity, alignment: 4096)
            gathered = buffer
            let count = min(rest.count, buffer.count - filled)
            UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]).copyMemory(
                from: UnsafeRawBufferPointer(rebasing: rest[..<count]))
            filled += count
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            if filled == buffer.count { try flush() }
        }
    }

    func append(_ content: [UInt8]) throws(TransferFailure) {
        try content.withUnsafeBufferPointer { (bytes) throws(TransferFailure) in
            try append(UnsafeRawBufferPointer(bytes), isWhole: true)
        }
    }

    /// Puts on disk what is gathered. What cannot be written is dropped, and nothing is taken behind it.
    func flush() throws(TransferFailure) {
        if let failure { throw failure }
        guard filled > 0, let gathered else { return }
        let count = filled
        filled = 0
        try write(UnsafeRawBufferPointer(rebasing: gathered[..<count]))
    }

    /// What the system is to begin writing to the disk now; `nil`: too little has come since the last time.
    func takeWriteBack() -> Range<Int64>? {
        guard written - writtenBack >= Self.writeBackStep else { return nil }
        defer { writtenBack = written }
        return writtenBack..<written
    }

    private func write(_ bytes: UnsafeRawBufferPointer) throws(TransferFailure) {
        do throws(TransferFailure) {
            try part.write(bytes, at: &written)
        } catch {
            failure = error
            throw error
        }
    }
}
