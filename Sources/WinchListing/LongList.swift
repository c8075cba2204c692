import WinchModel

/// The answer to FTP's LIST, in the form of `ls -l` or of DOS, and the lines that libcurl makes of an SFTP folder. No standard
/// says how they look: the first line that has one of the two forms decides for the listing.
package struct LongList: ListingParser {
    private var list: LineList<LongLine>

    /// - Parameters:
    ///   - now: in seconds since 1970 UTC, to find the year that `ls` leaves out.
    ///   - isSFTP: the form is that of `ls -l`.
    package init(now: Int64, isSFTP: Bool = false) {
        list = LineList(LongLine(now: now, form: isSFTP ? .unix : nil), isSFTP: isSFTP)
    }

    package mutating func read(_ bytes: UnsafeRawBufferPointer, _ take: (ListedEntry) -> Void) throws(ListingFault) {
        try list.read(bytes, take)
    }

    package mutating func end(_ take: (ListedEntry) -> Void) throws(ListingFault) -> ListingEnd { try list.end(take) }
}

private struct LongLine: LineReader {
    enum Form {
        case unix, dos
    }

    let now: Int64
    var form: Form?
    /// Of the present line; kept for its room.
    private var words: [Range<Int>] = []

    init(now: Int64, form: Form?) { (self.now, self.form) = (now, form) }

    var namesMayGoOn: Bool { form == .unix }

    mutating func reading(of line: ArraySlice<UInt8>) -> LineReading {
        findWords(in: line)
        if form != .dos, let reading = UnixLine.reading(of: line, words, now: now) {
            form = .unix
            return reading
        }
        if form != .unix, let reading = DosLine.reading(of: line, words, now: now) {
            form = .dos
            return reading
        }
        // `total 12`, in any language.
        let isTotal = words.count == 2 && line[words[1]].allSatisfy(\.isDigit)
        return words.isEmpty || isTotal ? .noEntry : .unknown
    }

    /// Finds the first words of a line. Before a name there are at most 8, or some more if names of users contain blanks.
    private mutating func findWords(in line: ArraySlice<UInt8>) {
        words.removeAll(keepingCapacity: true)
        var start = line.startIndex
        while words.count < 24, let first = line[start...].firstIndex(where: { !$0.isBlank }) {
            let end = line[first...].firstIndex(where: \.isBlank) ?? line.endIndex
            words.append(first..<end)
            start = end
        }
    }
}

/// A line in the form of `ls -l`: `-rw-r--r-- 1 user group 1024 Jan  5 12:34 name`.
private enum UnixLine {
    /// The size and date of a line, and where the date ends.
    private struct Facts {
        var size: ListedSize
        var time: ListedTime?
        var end: Int
    }

    /// - Returns: `nil` if the line has another form.
    static func reading(of line: ArraySlice<UInt8>, _ words: [Range<Int>], now: Int64) -> LineReading? {
        guard let mode = words.first, isMode(line[mode]) else { return nil }
        let kind: ListedEntry.Kind
        switch line[mode.lowerBound] {
        case UInt8(ascii: "-"): kind = .file
        case UInt8(ascii: "d"): kind = .folder
        case UInt8(ascii: "l"): kind = .link
        default: return .noEntry
        }
        // One blank ends the date; those after it belong to the name.
        guard let facts = sizeAndDate(in: line, words, now: now), facts.end < line.endIndex else { return nil }
        var name = line[(facts.end + 1)...]
        if kind == .link { name = withoutTarget(name, length: facts.size.bytes) }
        let version = ListedVersion(size: kind == .file ? facts.size : nil, time: facts.time)
        return .entry(ListedEntry(name: Array(name), kind: kind, version: version))
    }

    /// Whether a word is `-rw-r--r--`, also with `+`, `.` or `@` for lists of access and labels behind it, or `-rw-******` as
    /// OpenSSH on Windows writes.
    private static func isMode(_ word: ArraySlice<UInt8>) -> Bool {
        guard let type = word.first, (10...12).contains(word.count) else { return false }
        return "-dlbcpsD".utf8.contains(type)
            && word.dropFirst().prefix(9).allSatisfy { "-rwxsStTlL*".utf8.contains($0) }
    }

    /// The first date with a size before it. The words before them vary: a group may be missing, and a name have blanks.
    private static func sizeAndDate(in line: ArraySlice<UInt8>, _ words: [Range<Int>], now: Int64) -> Facts? {
        guard words.count > 4 else { return nil }
        for first in 3..<words.count - 1 {
            guard let size = ListingSizes.size(line[words[first - 1]]),
                let (date, last) = isoDate(in: line, words, first) ?? wordDate(in: line, words, first)
            else { continue }
            let time = ListingDates.first(in: date[...], now: now)?.time
            // An unknown word before two numbers is a month only where no user or group can stand.
            guard time != nil || first >= 4 else { continue }
            return Facts(size: size, time: time, end: words[last].upperBound)
        }
        return nil
    }

    /// `2024-01-05 12:34`, or with `12:34:56.000000000 +0100`.
    ///
    /// - Returns: the date's text, and its last word.
    private static func isoDate(
        in line: ArraySlice<UInt8>, _ words: [Range<Int>], _ first: Int
    ) -> (text: [UInt8], last: Int)? {
        let (date, time) = (line[words[first]], line[words[first + 1]])
        let parts = date.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard parts.map(\.count) == [4, 2, 2], parts.allSatisfy({ $0.allSatisfy(\.isDigit) }), isTime(time.prefix(5))
        else { return nil }
        var last = first + 1
        if time.contains(UInt8(ascii: ".")), first + 2 < words.count {
            let zone = line[words[first + 2]]
            let isZone = zone.count == 5 && zone.dropFirst().allSatisfy(\.isDigit)
            if isZone, zone.first == UInt8(ascii: "+") || zone.first == UInt8(ascii: "-") { last = first + 2 }
        }
        return (Array(line[words[first].lowerBound..<words[last].upperBound]), last)
    }

    /// `Jan 5 12:34`, `Jan 5 2024` or `5 Jan 12:34`, in any language.
    ///
    /// - Returns: the date's text in the first of these forms, where the month's name may be unknown, and its last word.
    private static func wordDate(
        in line: ArraySlice<UInt8>, _ words: [Range<Int>], _ first: Int
    ) -> (text: [UInt8], last: Int)? {
        guard first + 2 < words.count else { return nil }
        let (one, two, three) = (line[words[first]], line[words[first + 1]], line[words[first + 2]])
        guard isTime(three) || isYear(three) else { return nil }
        let (month, day) = isDay(two) ? (one, two) : (two, one)
        guard isDay(day), isWord(month) else { return nil }
        let name = month.last == UInt8(ascii: ".") ? month.dropLast() : month
        return (Array([name, day.prefix(while: \.isDigit), three].joined(separator: " ".utf8)), first + 2)
    }

    /// Whether a word may be a month's name: letters of any script, after a number in some languages.
    private static func isWord(_ word: ArraySlice<UInt8>) -> Bool {
        word.count <= 40 && !word.contains(UInt8(ascii: ":")) && !word.drop(while: \.isDigit).isEmpty
    }

    /// `5`, `05`, `5.` or `5日`.
    private static func isDay(_ word: ArraySlice<UInt8>) -> Bool {
        let digits = word.prefix(while: \.isDigit)
        let rest = word.dropFirst(digits.count)
        guard (1...2).contains(digits.count), rest.count <= 3,
            let day = Int(String(decoding: digits, as: UTF8.self)), (1...31).contains(day)
        else { return false }
        return rest.allSatisfy { $0 >= 0x80 || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ",") }
    }

    private static func isYear(_ word: ArraySlice<UInt8>) -> Bool {
        word.count == 4 && word.allSatisfy(\.isDigit) && (word.starts(with: "19".utf8) || word.starts(with: "2".utf8))
    }

    /// `12:34` or `9:34`.
    private static func isTime(_ word: ArraySlice<UInt8>) -> Bool {
        let parts = word.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        return parts.count == 2 && (1...2).contains(parts[0].count) && parts[1].count == 2
            && parts.allSatisfy { $0.allSatisfy(\.isDigit) }
    }

    /// The name of a link, which ` -> TARGET` follows. The size of a link is the length of its target in bytes, so that a name
    /// with an arrow stays whole. Where the size is another one, the first arrow ends the name.
    private static func withoutTarget(_ name: ArraySlice<UInt8>, length: Int64) -> ArraySlice<UInt8> {
        let arrow = " -> ".utf8
        if length <= name.count - arrow.count {
            let end = name.endIndex - arrow.count - Int(length)
            if name[end...].starts(with: arrow) { return name[..<end] }
        }
        return name.firstRange(of: arrow).map { name[..<$0.lowerBound] } ?? name
    }
}

/// A line in the form of DOS: `01-05-24  12:34PM       <DIR>          name`.
private enum DosLine {
    /// - Returns: `nil` if the line has another form.
    static func reading(of line: ArraySlice<UInt8>, _ words: [Range<Int>], now: Int64) -> LineReading? {
        guard words.count >= 3, isDate(line[words[0]]), isTime(line[words[1]]) else { return nil }
        var date = line[words[0]]
        date.append(UInt8(ascii: " "))
        date += line[words[1]]
        var fact = 2
        if ["AM", "PM"].contains(String(decoding: line[words[2]], as: UTF8.self).uppercased()) {
            date += line[words[2]]
            fact = 3
        }
        guard fact < words.count, words[fact].upperBound < line.endIndex else { return nil }
        var version = ListedVersion(time: ListingDates.first(in: date, now: now)?.time)
        let word = words[fact]
        if let size = ListingSizes.size(line[word]) {
            version.size = size
            return .entry(ListedEntry(name: Array(line[(word.upperBound + 1)...]), kind: .file, version: version))
        }
        switch String(decoding: line[word], as: UTF8.self).uppercased() {
        case "<DIR>":
            return .entry(ListedEntry(name: Array(nameColumn(in: line, after: word)), kind: .folder, version: version))
        case "<JUNCTION>", "<SYMLINK>", "<SYMLINKD>":
            // `name [C:\target]`.
            var name = nameColumn(in: line, after: word)
            if name.last == UInt8(ascii: "]"), let target = name.firstRange(of: " [".utf8) {
                name = name[..<target.lowerBound]
            }
            return .entry(ListedEntry(name: Array(name), kind: .link, version: version))
        default: return nil
        }
    }

    /// The name after `<DIR>` and its like, whose column is 15 bytes wide.
    private static func nameColumn(in line: ArraySlice<UInt8>, after word: Range<Int>) -> ArraySlice<UInt8> {
        let start = line[word.upperBound...].firstIndex { !$0.isBlank } ?? line.endIndex
        return line[min(start, max(word.lowerBound + 15, word.upperBound + 1))...]
    }

    /// Three numbers: `01-05-24`, `1/5/2024`, `2024-01-05` or `05.01.2024`.
    private static func isDate(_ word: ArraySlice<UInt8>) -> Bool {
        let parts = word.split(omittingEmptySubsequences: false) { "-/.".utf8.contains($0) }
        return parts.count == 3
            && parts.allSatisfy { (1...4).contains($0.count) && $0.allSatisfy(\.isDigit) }
    }

    /// `12:34`, `12:34:56`, `12:34PM` or `3:04pm`.
    private static func isTime(_ word: ArraySlice<UInt8>) -> Bool {
        let parts = word.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), let last = parts.last, parts.dropLast().allSatisfy({ isNumber($0) })
        else { return false }
        let half = last.dropFirst(2)
        return isNumber(last.prefix(2))
            && (half.isEmpty || ["AM", "PM"].contains(String(decoding: half, as: UTF8.self).uppercased()))
    }

    private static func isNumber(_ word: ArraySlice<UInt8>) -> Bool {
        (1...2).contains(word.count) && word.allSatisfy(\.isDigit)
    }
}
