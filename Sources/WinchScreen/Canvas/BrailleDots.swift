/// A grid of dots, two by four in a cell, drawn with Braille patterns: the finest resolution that text allows. In
/// ASCII a cell shows only how many of its dots are set.
struct BrailleDots {
    let columns: Int
    let rows: Int
    private var cells: [UInt8]

    /// - Parameters:
    ///   - columns: cells across.
    ///   - rows: cells down.
    init(columns: Int, rows: Int) {
        self.columns = max(0, columns)
        self.rows = max(0, rows)
        cells = Array(repeating: 0, count: self.columns * self.rows)
    }

    /// Sets the lowest `height` dots of the dot column `x`, 0 at the left.
    mutating func fill(x: Int, height: Int) {
        for y in 0..<min(max(0, height), rows * 4) { set(x: x, y: rows * 4 - 1 - y) }
    }

    /// - Parameters:
    ///   - x: 0 at the left.
    ///   - y: 0 at the top.
    mutating func set(x: Int, y: Int) {
        guard x >= 0, y >= 0, x / 2 < columns, y / 4 < rows else { return }
        cells[y / 4 * columns + x / 2] |= Self.bit(x: x % 2, y: y % 4)
    }

    /// The characters of one line of cells, left to right; blank where no dot is set.
    func line(_ row: Int, isASCII: Bool) -> [Character] {
        guard row >= 0, row < rows else { return [] }
        return cells[row * columns..<(row + 1) * columns].map { dots in
            if dots == 0 { return " " }
            if isASCII { return Self.ascii(dots) }
            return Unicode.Scalar(0x2800 + UInt32(dots)).map(Character.init) ?? " "
        }
    }

    /// - Source: Unicode, Braille Patterns: dots 1-3 and 7 are the left column, 4-6 and 8 the right one.
    private static func bit(x: Int, y: Int) -> UInt8 {
        let left: [UInt8] = [0x01, 0x02, 0x04, 0x40]
        let right: [UInt8] = [0x08, 0x10, 0x20, 0x80]
        return (x == 0 ? left : right)[y]
    }

    private static func ascii(_ dots: UInt8) -> Character {
        switch dots.nonzeroBitCount {
        case ...2: "."
        case 3...5: ":"
        default: "#"
        }
    }
}
