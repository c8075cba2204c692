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
    func inlined(name: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        let hex = compiled(name: name).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return "hex:" + String(decoding: hex, as: UTF8.self)
    }

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
