import TestSupport
import Testing

@testable import WinchTransport

@Suite struct `The text of a list` {
    /// Why a text in pieces of 64 KiB is refused, and how much of it had come.
    private func refusal(of text: inout InputText, _ piece: [UInt8], pieces: Int) -> (words: String?, bytes: Int) {
        for _ in 0..<pieces {
            if let words = text.append(piece[...]) { return (words, text.bytes.count) }
        }
        return (nil, text.bytes.count)
    }

    @Test func `is refused at its first line that is too long`() {
        var text = InputText(largest: 512 << 20)
        expectNil(text.append(Array("http://h/a\n#\n".utf8)[...]))
        let (words, bytes) = refusal(of: &text, [UInt8](repeating: 0, count: 64 << 10), pieces: 8192)
        expectEqual(words, "line 3 is longer than 1 MiB; is it the right file?")
        expect(bytes < 1200 << 10, "\(bytes)")
    }

    @Test func `may have lines of 1 MiB`() {
        var text = InputText(largest: 512 << 20)
        let line = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20) + [UInt8(ascii: "\n")]
        expectNil(refusal(of: &text, line, pieces: 20).words)
        expectEqual(text.bytes.count, 20 * line.count)
    }

    @Test func `is refused with too many lines or bytes`() {
        var lines = InputText(largest: 512 << 20, mostLines: 1000)
        expectNil(lines.append([UInt8](repeating: UInt8(ascii: "\n"), count: 1000)[...]))
        expectEqual(lines.append(Array("\n".utf8)[...]), "more than 1,000 lines; is it the right file?")
        var bytes = InputText(largest: 2 << 20)
        let (words, _) = refusal(of: &bytes, Array("http://h/a\n".utf8), pieces: 1 << 20)
        expectEqual(words, "more than 2 MiB; is it the right file?")
    }

    @Test(arguments: [("<?xml version='1.0'?>", false), ("<metalink>", false), ("", true)])
    func `may be one line of 16 MiB as a Metalink`(start: String, hasName: Bool) {
        var text = InputText(largest: 512 << 20, isMetalink: hasName)
        expectNil(text.append(Array(start.utf8)[...]))
        let (words, bytes) = refusal(of: &text, [UInt8](repeating: UInt8(ascii: "x"), count: 64 << 10), pieces: 8192)
        expectEqual(words, "more than 16 MiB; is it the right file?")
        expect(bytes > 16 << 20 && bytes < 17 << 20, "\(bytes)")
    }

    @Test func `is read from a file or refused with its name`() throws {
        let folder = try TemporaryFolder()
        folder.write("list", Array("http://h/a\n".utf8))
        try expectEqual(InputFile.read(folder.path + "/list"), Array("http://h/a\n".utf8))
        let error = #expect(throws: InputFile.Failure.self) { try InputFile.read("/dev/zero") }
        expectEqual(error?.message, "/dev/zero: line 1 is longer than 1 MiB; is it the right file?")
    }
}
