/// The URLs of one file. Nearly every file has a single URL, which is stored without an array, and for the entries of a long
/// list not even as a text of its own (`pack`).
public struct MirrorList: Sendable {
    /// The main URL as a part of `block.text`, in bytes of UTF-8.
    private var start: UInt32
    private var length: UInt32
    private var block: Block

    private final class Block: Sendable {
        /// The main URL alone, or those of many lists one after the other.
        let text: String
        /// The main URL; `nil` in a block of many lists, and in an empty one.
        let main: TransferURL?
        let others: [TransferURL]

        init(text: String, main: TransferURL? = nil, others: [TransferURL] = []) {
            (self.text, self.main, self.others) = (text, main, others)
        }
    }

    package init(_ urls: [TransferURL]) {
        block = urls.isEmpty ? Self.empty : Block(text: urls[0].text, main: urls[0], others: Array(urls.dropFirst()))
        (start, length) = (0, UInt32(clamping: block.text.utf8.count))
    }

    private static let empty = Block(text: "")

    /// 64 KiB, in bytes: as long as one of its lists is used, a block stays in memory.
    private static let blockSize = 1 << 16

    /// Stores the URLs of many lists together: a text of its own takes twice the memory of a short URL. Reading a packed URL
    /// copies it. Lists of several mirrors stay as they are.
    package static func pack(_ lists: inout [MirrorList]) {
        var rest = lists.indices.filter { lists[$0].block.main != nil && lists[$0].count == 1 }[...]
        while let first = rest.first {
            var (size, count) = (Int(lists[first].length), 1)
            for index in rest.dropFirst() {
                let next = size + Int(lists[index].length)
                if next > blockSize { break }
                (size, count) = (next, count + 1)
            }
            defer { rest = rest.dropFirst(count) }
            guard count > 1 else { continue }
            var text = ""
            text.reserveCapacity(size)
            for index in rest.prefix(count) { text += lists[index].block.text }
            let block = Block(text: text)
            var start: UInt32 = 0
            for index in rest.prefix(count) {
                lists[index].start = start
                lists[index].block = block
                start += lists[index].length
            }
        }
    }

    private var main: TransferURL {
        if let main = block.main { return main }
        let text = block.text.utf8
        let begin = text.index(text.startIndex, offsetBy: Int(start))
        return TransferURL(checked: String(Substring(text[begin..<text.index(begin, offsetBy: Int(length))])))
    }
}

extension MirrorList: RandomAccessCollection, MutableCollection {
    public var startIndex: Int { 0 }
    public var endIndex: Int { length == 0 ? 0 : 1 + block.others.count }

    /// The URL at `position`, which must be in `startIndex..<endIndex`.
    public subscript(position: Int) -> TransferURL {
        get { position == 0 ? main : block.others[position - 1] }
        set {
            var urls = Array(self)
            urls[position] = newValue
            self = MirrorList(urls)
        }
    }
}

extension MirrorList: Hashable {
    public static func == (left: MirrorList, right: MirrorList) -> Bool {
        // Copies of one list, which rows of a queue are compared with, have the same block.
        if left.block === right.block, left.start == right.start, left.length == right.length { return true }
        return left.elementsEqual(right)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        for url in self { hasher.combine(url) }
    }
}

extension MirrorList: Codable {
    /// Decodes an array of URLs.
    ///
    /// - Throws: when one is no usable URL.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode([TransferURL].self))
    }

    public func encode(to encoder: any Encoder) throws { try Array(self).encode(to: encoder) }
}
