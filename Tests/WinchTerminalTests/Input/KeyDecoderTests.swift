import TestSupport
import Testing
import WinchModel
import WinchScreen

@testable import WinchTerminal

@Suite struct `A key decoder` {
    @Test(arguments: [
        ("q", [Key.character("q")]), ("Q?", [.character("Q"), .character("?")]), ("\r", [.enter]), ("\n", [.enter]),
        ("\t", [.tab]), ("\u{7F}", [.backspace]), ("\u{8}", [.backspace]), ("\u{3}", [.control("c")]),
        ("\u{1A}", [.control("z")]), ("\u{0C}", [.control("l")]), ("\u{1C}", [.control("\\")]),
        ("\u{0}", [.control("@")]), (" ", [.character(" ")]),
        ("é中😀", [.character("é"), .character("中"), .character("😀")]),
    ])
    func `decodes characters and control characters`(bytes: String, keys: [Key]) {
        var decoder = KeyDecoder()
        expectEqual(decoder.feed(bytes.utf8), keys)
        expectNil(decoder.timeout)
    }

    @Test(arguments: [
        "[?1;2c", "[<0;10;10m", "[<2;10;10M", "[<32;10;10M", "[<35;1;1M", "[<0;0;1M", "[<0;1M", "[<;;M", "[<M",
        "[<99999999999999999999;1;1M", "[<-1;1;1M", "[200", "[M !!", "]11;rgb:0000/0000/0000\u{7}", "]0;title\u{1B}\\",
        "P1$r0m\u{1B}\\",
        "[99~", "[I", "[O", "[12;40R", "[1;;;;5X", "[>0;276;0c", "Ox", "[$p", "[2~",
    ])
    func `drops sequences that are not keys`(sequence: String) {
        var decoder = KeyDecoder()
        expectEqual(decoder.feed("\u{1B}\(sequence)".utf8), [])
    }

    @Test(arguments: [
        ("[A", Key.up), ("[B", .down), ("[C", .right), ("[D", .left), ("OA", .up), ("OD", .left), ("[H", .home),
        ("[F", .end), ("OH", .home), ("[1~", .home), ("[7~", .home), ("[4~", .end), ("[8~", .end), ("[3~", .delete),
        ("[5~", .pageUp), ("[6~", .pageDown), ("OP", .function(1)), ("[11~", .function(1)), ("[[A", .function(1)),
        ("[[E", .function(5)), ("OS", .function(4)), ("[15~", .function(5)), ("[17~", .function(6)),
        ("[21~", .function(10)), ("[23~", .function(11)), ("[24~", .function(12)), ("[1;5A", .up),
        ("[1;2P", .function(1)),
        ("[5;3~", .pageUp), ("OM", .enter), ("[Z", .backTab),
    ])
    func `decodes the sequences of terminals`(sequence: String, key: Key) {
        var decoder = KeyDecoder()
        expectEqual(decoder.feed("\u{1B}\(sequence)".utf8), [key])
        expectNil(decoder.timeout)
    }

    @Test func `decodes the sequences of the terminfo entry`() {
        var decoder = KeyDecoder(sequences: KeySequences(own: [Array("\u{1B}[224z".utf8): .function(1)]))
        expectEqual(decoder.feed("\u{1B}[224z".utf8), [.function(1)])
    }

    @Test(arguments: [
        ("[<0;1;1M", Mouse.click(column: 0, row: 0)), ("[<0;300;90M", .click(column: 299, row: 89)),
        ("[<16;5;6M", .click(column: 4, row: 5)), ("[<64;5;6M", .wheelUp), ("[<65;5;6M", .wheelDown),
        ("[<69;5;6M", .wheelDown),
    ])
    func `decodes mouse events`(sequence: String, mouse: Mouse) {
        var decoder = KeyDecoder()
        expectEqual(decoder.feed("\u{1B}\(sequence)q".utf8), [.mouse(mouse), .character("q")])
    }

    @Test func `keeps reports of the focus apart from keys`() {
        var decoder = KeyDecoder()
        expectEqual(decoder.feed("a\u{1B}[Ob\u{1B}[Ic".utf8), [.character("a"), .character("b"), .character("c")])
        expectEqual(decoder.hasFocus, true)
        expectEqual(decoder.feed("\u{1B}[O".utf8), [])
        expectEqual(decoder.hasFocus, false)
    }

    @Test func `waits a limited time for what follows Escape`() {
        var decoder = KeyDecoder()
        expectEqual(decoder.feed([0x1B]), [])
        expectEqual(decoder.timeout, .milliseconds(25))
        expectEqual(decoder.settle(), [.escape])
        expectNil(decoder.timeout)
        expectEqual(decoder.feed("\u{1B}[".utf8), [])
        expectEqual(decoder.settle(), [.escape, .character("[")])
        expectEqual(decoder.feed("\u{1B}P".utf8), [])
        expectEqual(decoder.timeout, .milliseconds(25))
        expectEqual(decoder.settle(), [.escape, .character("P")])
    }

    @Test func `decodes a sequence that arrives in parts`() {
        var decoder = KeyDecoder()
        expectEqual("\u{1B}[1;5".utf8.flatMap { decoder.feed([$0]) }, [])
        expectEqual(decoder.feed("A".utf8), [.up])
        expectEqual("中".utf8.flatMap { decoder.feed([$0]) }, [.character("中")])
    }

    @Test(arguments: [
        ("\u{1B}q", [Key.escape, .character("q")]), ("\u{1B}\u{1B}[A", [.escape, .up]), ("\u{1B}\u{1B}", [.escape]),
        ("\u{1B}[\u{3}", [.control("c")]), ("\u{1B}[1\u{1B}[B", [.down]), ("\u{1B}[Ax", [.up, .character("x")]),
    ])
    func `separates Escape from the bytes after it`(bytes: String, keys: [Key]) {
        var decoder = KeyDecoder()
        expectEqual(decoder.feed(bytes.utf8), keys)
    }

    @Test(arguments: [
        [0xFF], [0xC3, 0x28], [0x80], [0xE4, 0xB8], [0xF8, 0x88], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xC2, 0x9B],
        [0xF4, 0x90, 0x80, 0x80],
    ])
    func `drops bytes that are not UTF-8`(bytes: [UInt8]) {
        var decoder = KeyDecoder()
        let keys = decoder.feed(bytes) + decoder.settle() + decoder.feed("a".utf8)
        expectEqual(keys.last, .character("a"))
        expect(keys.allSatisfy { $0 == .character("a") || $0 == .character("(") })
    }

    @Test func `decodes single-byte letters in such a locale`() {
        var decoder = KeyDecoder(encoding: ByteEncoding([0xE9: "é", 0xF1: "ñ", 0x9B: "\u{9B}"]))
        expectEqual(decoder.feed([0xE9, 0x61, 0x9B, 0xF2, 0xF1]), ["é", "a", "ñ"])
        let paste = decoder.feed(Array("\u{1B}[200~".utf8) + [0xE9, 0x0D, 0xF1] + Array("\u{1B}[201~".utf8))
        expectEqual(paste, [.paste("é\nñ")])
    }

    @Test(arguments: [
        ("http://a/b\rhttp://a/c", "http://a/b\nhttp://a/c"), ("a\r\nb", "a\nb"), ("\t x\u{7}\u{9B}y", "\t xy"),
        ("\u{1B}[31mred", "[31mred"), ("中文", "中文"), ("", ""),
    ])
    func `returns a paste as one text`(pasted: String, text: String) {
        var decoder = KeyDecoder()
        expectEqual(
            decoder.feed("x\u{1B}[200~\(pasted)\u{1B}[201~q".utf8), [.character("x"), .paste(text), .character("q")])
    }

    @Test func `limits the length of a paste`() {
        var decoder = KeyDecoder(longestPaste: 100_000)
        _ = decoder.feed("\u{1B}[200~".utf8)
        let piece = [UInt8](repeating: UInt8(ascii: "a"), count: 64 << 10)
        for _ in 0..<4 { expectEqual(decoder.feed(piece), []) }
        let keys = decoder.feed("\u{1B}[201~q".utf8)
        expectEqual(keys, [.paste(String(repeating: "a", count: 100_000)), .character("q")])
    }

    /// Over ssh a paste may stall in the middle of a line or of its end sequence.
    @Test(arguments: ["one\nt|wo\nq", "one|\ntwo\nq", "one\ntwo\nq\u{1B}|", "one\ntwo\nq\u{1B}[2|", "o|n|e|\n|two\nq"])
    func `takes what comes after a stall as part of the paste`(pieces: String) {
        var decoder = KeyDecoder()
        expectEqual(decoder.feed("\u{1B}[200~".utf8), [])
        let end = "\u{1B}[201~"
        var sent = ""
        for piece in pieces.split(separator: "|") {
            sent += piece
            expectEqual(decoder.feed(piece.utf8), [])
            expectEqual(decoder.timeout, .seconds(1))
            expectEqual(decoder.settle(), [])
            expectNil(decoder.timeout)
        }
        let whole = "one\ntwo\nq" + end
        expectEqual(decoder.feed(whole.dropFirst(sent.count).utf8), [.paste("one\ntwo\nq")])
        expectEqual(decoder.feed("q".utf8), [.character("q")])
    }

    @Test func `ends a stalled paste at Ctrl-C, in case its end sequence is lost`() {
        var decoder = KeyDecoder()
        expectEqual(decoder.feed("\u{1B}[200~ha\u{3}lf".utf8), [], "it belongs to the text")
        expectEqual(decoder.settle(), [])
        expectEqual(decoder.feed("\u{3}".utf8), [.paste("half")])
        expectEqual(decoder.feed("q".utf8), [.character("q")])
    }

    private static let seeds = (0..<20).map { _ in UInt64.random(in: 0...UInt64.max) }

    @Test(arguments: seeds)
    func `recovers from arbitrary input`(seed: UInt64) {
        var decoder = KeyDecoder()
        var random = Seeded(seed: seed)
        let likely = Array("\u{1B}[]O200~201;?<ABMZ\u{7}\\\r".utf8)
        for _ in 0..<500 {
            let byte = random.below(2) == 0 ? random.byte() : likely[random.below(likely.count)]
            _ = decoder.feed([byte])
            if random.below(50) == 0 { _ = decoder.settle() }
        }
        _ = decoder.settle()
        _ = decoder.feed([0x03])
        expectEqual(decoder.feed("q".utf8), [.character("q")])
    }
}
