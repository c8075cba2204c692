import TestSupport
import Testing

@testable import WinchModel
@testable import WinchScreen

@Suite struct `The bar of a file in parts` {
    private func bar(isASCII: Bool = false) -> ProgressBar {
        ProgressBar(look: Appearance(isASCII: isASCII), ink: .flat(.plain), shape: .line)
    }

    private func text(_ cells: [Cell]) -> String { String(cells.compactMap(\.text)) }

    private func cells(
        _ ranges: [Range<Int64>], working: [Int64] = [], of size: Int64 = 1000, width: Int = 8, isASCII: Bool = false
    ) throws -> [Cell] {
        bar(isASCII: isASCII).cells(try require(BarSegments(ranges, working: working, size: size)), width: width)
    }

    @Test(
        arguments: [
            ([0..<250, 500..<600], "━━╶─━╶──", "##>-#---"), ([0..<1, 999..<1000], "╸───────", ">------>"),
            ([560..<1000], "────╺━━╸", "-----##>"), ([0..<999], "━━━━━━━╸", "#######>"), ([], "────────", "--------"),
            ([0..<1000], "━━━━━━━╸", "#######>"), ([-500..<125, 875..<Int64.max], "━╶─────╸", "#>----->"),
        ] as [([Range<Int64>], String, String)])
    func `is filled where the bytes are`(ranges: [Range<Int64>], unicode: String, ascii: String) throws {
        let ends = ranges.map { min($0.upperBound, 999) }
        expectEqual(text(try cells(ranges)), unicode)
        expectEqual(text(try cells(ranges, working: ends, isASCII: true)), ascii)
    }

    @Test func `is bold where a connection works`() throws {
        let cells = try cells([0..<300, 500..<600], working: [300, 600, 900])
        expectEqual(cells.indices.filter { cells[$0].style.isBold }, [2, 4, 7])
        expectEqual(cells[7].text, "╶")
    }

    @Test func `is at most half a cell ahead of that of one connection`() throws {
        for have in Int64(0)..<1000 {
            let halves = try require(BarSegments([0..<have], working: [], size: 1000)).halves(width: 8)
            let plain = Int(Double(have) / 1000 * 16)
            expect(plain...plain + 1 ~= halves.count { $0 })
        }
    }

    @Test func `shows small parts of many connections`() throws {
        let parts = (0..<8).map { (index: Int64) -> Range<Int64> in
            let start = index * 125 + 20
            return start..<start + 60
        }
        expectEqual(text(try cells(parts)), "╸╸╸╸╸╸╸╸")
    }

    @Test func `has as many cells as asked for, whatever the numbers`() throws {
        for width in [0, 1, 2, 300] {
            for size in [1, 2, Int64.max] {
                let cells = try cells([.min..<1, 5..<Int64.max], working: [.min, 0, .max], of: size, width: width)
                expectEqual(cells.count, width)
            }
        }
        expectNil(BarSegments([0..<5], working: [], size: 0))
    }
}
