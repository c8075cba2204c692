import CTerminal
import Glibc
import WinchModel

/// A terminfo entry: a terminal's capabilities and their sequences, in the order of a compiled entry.
///
/// - Source: terminfo(5), term(5).
struct TerminfoEntry: Sendable {
    /// All standard capabilities in compiled order; `nil` where the terminal lacks it.
    private(set) var flags: [(name: String, value: Bool)]
    private(set) var numbers: [(name: String, value: Int32?)]
    private(set) var strings: [(name: String, value: [UInt8]?)]
    /// The extended flag `RGB`: colour numbers are red, green and blue.
    private(set) var isDirect: Bool
    /// The entry has the extended string `Ms`: the terminal accepts text for the clipboard (OSC 52).
    let hasClipboard: Bool

    /// xterm's `smcup` and `rmcup` save and restore the title too.
    private static let titleSequences = ["\u{1B}[22;0;0t", "\u{1B}[23;0;0t"].map { Array($0.utf8) }

    /// Reads the entry of a terminal type from the database, without the sequences that save and restore the title:
    /// `WindowTitle` does that, and `rmcup` without `smcup`, after a crash before the first frame, would restore a title of
    /// another program.
    init(term: String) throws(TerminalFailure) {
        guard !term.isEmpty else { throw .unknownTerminal(term) }
        switch winch_terminfo_open(term) {
        case 1: break
        case 0: throw .unknownTerminal(term)
        default: throw .noDatabase
        }
        defer { winch_terminfo_close() }
        flags = Self.names(winch_terminfo_flag_name).map { (name: $0, value: winch_terminfo_flag($0)) }
        numbers = Self.names(winch_terminfo_number_name).map { name in
            let number = winch_terminfo_number(name)
            return (name: name, value: number < 0 ? nil : number)
        }
        strings = Self.names(winch_terminfo_string_name).map { name in
            (name: name, value: winch_terminfo_string(name).map { Self.bytes($0) })
        }
        isDirect = winch_terminfo_flag("RGB")
        hasClipboard = winch_terminfo_string("Ms") != nil
        for index in strings.indices where ["smcup", "rmcup"].contains(strings[index].name) {
            for sequence in Self.titleSequences {
                strings[index].value = strings[index].value?.replacing(sequence, with: [UInt8]())
            }
        }
    }

    func number(_ name: String) -> Int? {
        numbers.first { $0.name == name }.flatMap { $0.value.map(Int.init) }
    }

    func string(_ name: String) -> [UInt8]? {
        strings.first { $0.name == name }?.value
    }

    /// The string without its padding, such as `$<5>`, which only very old terminals need; empty if absent.
    func sequence(_ name: String) -> [UInt8] {
        guard let string = string(name) else { return [] }
        var result: [UInt8] = []
        var rest = string[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "$"), rest.first == UInt8(ascii: "<"),
                let end = rest.firstIndex(of: UInt8(ascii: ">"))
            {
                rest = rest[(end + 1)...]
            } else {
                result.append(byte)
            }
        }
        return result
    }

    /// The cursor can be placed and the screen cleared: enough for a dashboard.
    var canShowScreen: Bool { string("cup") != nil && string("clear") != nil }

    /// A copy that leaves the user's palette unchanged (ncurses would reset it on leaving the screen), and with RGB
    /// values as colour numbers if `isDirect`; numbers below 16 stay the colours of the palette. On leaving the screen it clears
    /// the last row, where ncurses puts the cursor: what the shell writes there would stand among the rest of the row on a
    /// terminal without an alternate screen, or one that has it switched off (GNU screen).
    ///
    /// - Parameter size: written into the copy: ncurses reads the size from the entry, and some entries (`linux`)
    ///   have none.
    func repainted(isDirect: Bool, size: ScreenSize) -> TerminfoEntry {
        var entry = self
        for name in ["oc", "initc", "initp"] { entry.set(name, nil) }
        for index in entry.flags.indices where entry.flags[index].name == "ccc" { entry.flags[index].value = false }
        entry.set("rmcup", (string("ed") ?? []) + (string("rmcup") ?? []))
        entry.set("cols", Int32(size.columns))
        entry.set("lines", Int32(size.rows))
        entry.isDirect = isDirect
        guard isDirect else { return entry }
        entry.set("colors", 1 << 24)
        entry.set("pairs", 1 << 16)
        entry.set("setaf", Self.directColor(normal: "3", bright: "9", direct: "38"))
        entry.set("setab", Self.directColor(normal: "4", bright: "10", direct: "48"))
        return entry
    }

    private mutating func set(_ name: String, _ value: Int32) {
        for index in numbers.indices where numbers[index].name == name { numbers[index].value = value }
    }

    private mutating func set(_ name: String, _ value: [UInt8]?) {
        for index in strings.indices where strings[index].name == name { strings[index].value = value }
    }

    private static func directColor(normal: String, bright: String, direct: String) -> [UInt8] {
        Array(
            ("\u{1B}[%?%p1%{8}%<%t\(normal)%p1%d%e%p1%{16}%<%t\(bright)%p1%{8}%-%d%e"
                + "\(direct);2;%p1%{65536}%/%d;%p1%{256}%/%{255}%&%d;%p1%{255}%&%d%;m").utf8)
    }

    private static func names(_ name: (Int) -> UnsafePointer<CChar>?) -> [String] {
        var names: [String] = []
        while let next = name(names.count) { names.append(String(cString: next)) }
        return names
    }

    private static func bytes(_ string: UnsafePointer<CChar>) -> [UInt8] {
        [UInt8](UnsafeRawBufferPointer(start: string, count: strlen(string)))
    }
}

extension TerminfoEntry {
    /// The entry in the binary format that ncurses reads, so that a changed entry needs no file.
    ///
    /// Shape: six 16-bit numbers, names, flags, 32-bit numbers, string offsets, strings; then the extended part with the
    /// one flag `RGB`. Little endian; -1 stands for absent.
    /// - Source: term(5), "EXTENDED NUMBER FORMAT" and "EXTENDED STORAGE FORMAT".
    func compiled(name: String) -> [UInt8] {
        var table: [UInt8] = []
        let offsets = strings.map { string -> Int in
            guard let value = string.value else { return -1 }
            defer { table += value + [0] }
            return table.count
        }
        let names = Array(name.utf8) + [0]
        var image = CompiledImage()
        for count in [Self.magic32, names.count, flags.count, numbers.count, offsets.count, table.count] {
            image.append16(count)
        }
        image.bytes += names + flags.map { $0.value ? 1 : 0 }
        image.align()
        for number in numbers { image.append32(number.value ?? -1) }
        for offset in offsets { image.append16(offset) }
        image.bytes += table
        if isDirect {
            image.align()
            // 1 flag, no number, no string, 1 name in a table of 4 bytes.
            for count in [1, 0, 0, 1, 4] { image.append16(count) }
            image.bytes.append(1)
            image.align()
            image.append16(0)
            image.bytes += Array("RGB".utf8) + [0]
        }
        return image.bytes
    }

    /// The compiled entry as a value of `TERMINFO`.
    func inlined(name: String) -> String { "hex:" + Hex.encoded(compiled(name: name)) }

    /// 01036: numbers have 32 bits.
    private static var magic32: Int { 0x021E }
}

private struct CompiledImage {
    var bytes: [UInt8] = []

    mutating func append16(_ value: Int) {
        let bits = UInt16(truncatingIfNeeded: value)
        bytes += [UInt8(truncatingIfNeeded: bits), UInt8(truncatingIfNeeded: bits >> 8)]
    }

    mutating func append32(_ value: Int32) {
        append16(Int(value & 0xFFFF))
        append16(Int(value >> 16))
    }

    /// Numbers begin at even offsets.
    mutating func align() {
        if !bytes.count.isMultiple(of: 2) { bytes.append(0) }
    }
}
