import WinchModel

/// Sizes in the forms in which servers list them.
enum ListingSizes {
    /// The size that the whole text is: digits, `1,234`, `1.2M`, `4.0K`, `12 KiB`, `1.5 MB`. `-` and `<dir>` are none.
    static func size(_ text: ArraySlice<UInt8>) -> ListedSize? {
        var rest = text.drop(while: \.isBlank)
        while let last = rest.last, last.isBlank { rest.removeLast() }
        guard let (size, end) = read(rest), end == rest.endIndex else { return nil }
        return size
    }

    /// The first size in a text, and where it stands. Numbers that are part of a time, of a date or of a span, as `2 days ago`,
    /// are none.
    static func first(in text: ArraySlice<UInt8>) -> (size: ListedSize, range: Range<Int>)? {
        var index = text.startIndex
        while index < text.endIndex {
            guard text[index].isDigit else {
                index += 1
                // A number in a word is no size.
                if text[index - 1].isOfWord { index = text[index...].firstIndex { !$0.isOfWord } ?? text.endIndex }
                continue
            }
            if let (size, end) = read(text[index...]), !(end < text.endIndex && text[end].isOfWord),
                !isSpan(text[end...])
            {
                return (size, index..<end)
            }
            index = text[index...].firstIndex { !$0.isOfWord } ?? text.endIndex
        }
        return nil
    }

    /// What a number before one of these words counts is not bytes.
    private static let spans = ["sec", "min", "hour", "day", "week", "month", "year", "item", "file", "folder", "dir"]
        .map { Array($0.utf8) }

    private static func isSpan(_ rest: ArraySlice<UInt8>) -> Bool {
        let word = rest.prefix(16).drop(while: \.isBlank).map { $0 | 0x20 }
        return spans.contains { word.starts(with: $0) }
    }

    /// Reads a size from the start of a text, and says where it ends.
    private static func read(_ text: ArraySlice<UInt8>) -> (ListedSize, Int)? {
        var digits = text.prefix(while: \.isDigit)
        var rest = text[digits.endIndex...]
        // Groups of three digits, else a fraction with a point or a comma.
        if (1...3).contains(digits.count) {
            while rest.first == UInt8(ascii: ","), rest.dropFirst().prefix(while: \.isDigit).count == 3 {
                digits += rest.dropFirst().prefix(3)
                rest = rest.dropFirst(4)
            }
        }
        guard let whole = Int64(String(decoding: digits, as: UTF8.self)) else { return nil }
        var (fraction, scale): (Int64, Int64) = (0, 1)
        if let mark = rest.first, ".,".utf8.contains(mark), rest.dropFirst().first?.isDigit ?? false {
            let run = rest.dropFirst().prefix(while: \.isDigit)
            guard run.count <= 3, let value = Int64(String(decoding: run, as: UTF8.self)) else { return nil }
            rest = rest[run.endIndex...]
            fraction = value
            for _ in run { scale *= 10 }
        }
        guard let unit = unit(&rest), scale == 1 || unit.most > 1 else { return nil }
        guard let least = product(whole, fraction, scale, unit.least),
            let most = product(whole, fraction, scale, unit.most)
        else { return nil }
        // Some servers cut, others round: a whole last digit either way.
        let digit = unit.most == 1 ? 0 : unit.most / scale + (unit.most % scale == 0 ? 0 : 1)
        let middle = least + (most - least) / 2
        return (ListedSize(bytes: middle, tolerance: most - middle + digit), rest.startIndex)
    }

    /// `whole.fraction * unit`; `nil`: it is too large.
    private static func product(_ whole: Int64, _ fraction: Int64, _ scale: Int64, _ unit: Int64) -> Int64? {
        let (high, isOver) = whole.multipliedReportingOverflow(by: unit)
        guard !isOver else { return nil }
        let low = unit / scale * fraction + unit % scale * fraction / scale
        let (sum, isTooMuch) = high.addingReportingOverflow(low)
        return isTooMuch ? nil : sum
    }

    /// Reads a unit, directly behind the number or with a blank between if it ends in `B` or `bytes`. Without one it is a byte.
    /// `MB` is a million bytes at some servers and 1,048,576 at others.
    ///
    /// - Returns: `nil`: a word that is no unit follows directly.
    private static func unit(_ rest: inout ArraySlice<UInt8>) -> (least: Int64, most: Int64)? {
        let behind = rest.drop(while: \.isBlank)
        let word = behind.prefix { $0.isAlphanumeric && !$0.isDigit }
        let letters = word.prefix(8).map { $0 | 0x20 }
        let isDirect = behind.startIndex == rest.startIndex
        guard let first = letters.first, behind.startIndex - rest.startIndex <= 1 else { return (1, 1) }
        let power = Array("kmgtpe".utf8).firstIndex(of: first).map { $0 + 1 }
        var unit: (least: Int64, most: Int64)?
        switch (String(decoding: letters.dropFirst(), as: UTF8.self), power) {
        case ("", let power?) where isDirect, ("i", let power?) where isDirect, ("ib", let power?):
            unit = (1 << (10 * Int64(power)), 1 << (10 * Int64(power)))
        case ("b", let power?):
            var least: Int64 = 1
            for _ in 0..<power { least *= 1000 }
            unit = (least, 1 << (10 * Int64(power)))
        case ("", nil) where first == UInt8(ascii: "b"), ("yte", nil) where first == UInt8(ascii: "b"),
            ("ytes", nil) where first == UInt8(ascii: "b"):
            unit = (1, 1)
        default: break
        }
        guard let unit else { return isDirect ? nil : (1, 1) }
        rest = rest[word.endIndex...]
        return unit
    }
}

extension ListedSize {
    /// The exact size that the whole text is; `nil`: it is no number of bytes.
    init?(digits text: ArraySlice<UInt8>) {
        guard let bytes = Int64(digits: String(decoding: text, as: UTF8.self)) else { return nil }
        self.init(bytes: bytes)
    }
}

extension UInt8 {
    /// A byte of a word, a time or a date, within which a number is no size.
    fileprivate var isOfWord: Bool { isAlphanumeric || ":/-+_.,%".utf8.contains(self) || self >= 0x80 }
}
