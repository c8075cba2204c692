import TestSupport
import Testing

@testable import WinchModel

@Suite struct `The lines of a text` {
    /// 4 MB: long enough that the lines that were read are freed several times.
    @Test func `are all there when those that were read are freed`() {
        let lines = (1...400_000).map { "line \($0)" }
        var number = 0
        for (index, line) in TextLines(Array(lines.joined(separator: "\r\n").utf8)) {
            number += 1
            guard index == number, line.elementsEqual(lines[number - 1].utf8) else {
                Issue.record("line \(number) is \(index): \(String(decoding: line, as: UTF8.self))")
                return
            }
        }
        expectEqual(number, lines.count)
    }
}
