import Cexpat
import WinchModel

/// The name of an element.
struct XMLName: Hashable {
    /// Empty without one.
    var namespace: String
    var local: String
}

/// Reads the XML text of a Metalink with expat, as UTF-8, UTF-16 or what its declaration says. Document types, and with
/// them entities, are refused, and so is what is nested deeply, so that time and memory are in proportion to the length
/// of the text.
final class XMLReader {
    /// A Metalink has 6 levels.
    private static let mostLevels = 32
    /// 64 KiB, in bytes: the longest URL.
    private static let longestText = 64 << 10
    /// No URI contains it, so a name can be split at the last one.
    private static let separator = UInt8(ascii: "|")

    private let builder: MetalinkBuilder
    private var parser: XML_Parser?
    private var fault: BatchProblem?
    private var levels = 0
    /// The text of the open element; `nil`: it is not wanted.
    private var text: [UInt8]?

    /// - Parameter builder: is told the elements.
    init(_ builder: MetalinkBuilder) {
        self.builder = builder
    }

    /// Reads a whole text of less than 2 GiB.
    ///
    /// - Returns: why it was refused; `nil` when it was read to its end.
    func read(_ bytes: [UInt8]) -> BatchProblem? {
        guard let parser = XML_ParserCreateNS(nil, XML_Char(bitPattern: Self.separator)) else {
            return BatchProblem(line: 1, severity: .error, message: "out of memory")
        }
        self.parser = parser
        defer {
            XML_ParserFree(parser)
            self.parser = nil
        }
        XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        XML_SetElementHandler(
            parser, { XMLReader.of($0)?.begin($1, $2) }, { reader, _ in XMLReader.of(reader)?.end() })
        XML_SetCharacterDataHandler(parser) { XMLReader.of($0)?.append($1, Int($2)) }
        XML_SetStartDoctypeDeclHandler(parser) { reader, _, _, _, _ in
            XMLReader.of(reader)?.stop("a document type (DOCTYPE) is not allowed; it may define entities")
        }
        let status = bytes.withUnsafeBytes { buffer in
            XML_Parse(parser, buffer.bindMemory(to: XML_Char.self).baseAddress, Int32(clamping: buffer.count), 1)
        }
        if let fault { return fault }
        guard status != XML_STATUS_OK else { return nil }
        let reason = XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) } ?? "unknown error"
        return BatchProblem(line: line, severity: .error, message: "not well-formed XML: \(reason)")
    }

    private static func of(_ pointer: UnsafeMutableRawPointer?) -> XMLReader? {
        pointer.map { Unmanaged<XMLReader>.fromOpaque($0).takeUnretainedValue() }
    }

    private var line: Int { parser.map { Int(clamping: XML_GetCurrentLineNumber($0)) } ?? 1 }

    private func stop(_ message: String) {
        guard fault == nil, let parser else { return }
        fault = BatchProblem(line: line, severity: .error, message: message)
        XML_StopParser(parser, XML_Bool(XML_FALSE))
    }
}

// MARK: - Calls from expat, of which a few may follow the one that has stopped it

extension XMLReader {
    private func begin(_ name: UnsafePointer<XML_Char>?, _ pairs: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?) {
        guard fault == nil, let name else { return }
        levels += 1
        guard levels <= Self.mostLevels else { return stop("elements are nested more than \(Self.mostLevels) deep") }
        do throws(InvalidValue) {
            text = try builder.begin(Self.split(String(cString: name)), Self.attributes(pairs), line: line) ? [] : nil
        } catch {
            stop(error.message)
        }
    }

    private func end() {
        guard fault == nil else { return }
        levels -= 1
        var bytes = (text ?? [])[...].drop { $0 <= 0x20 }
        while let last = bytes.last, last <= 0x20 { bytes.removeLast() }
        text = nil
        do throws(InvalidValue) {
            try builder.end(text: String(decoding: bytes, as: UTF8.self))
        } catch {
            stop(error.message)
        }
    }

    private func append(_ bytes: UnsafePointer<XML_Char>?, _ count: Int) {
        guard fault == nil, text != nil, let bytes else { return }
        text?.append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: count))
        if (text?.count ?? 0) > Self.longestText {
            stop("the text of an element is longer than \(Self.longestText) bytes")
        }
    }

    private static func split(_ name: String) -> XMLName {
        guard let end = name.utf8.lastIndex(of: separator) else { return XMLName(namespace: "", local: name) }
        return XMLName(namespace: String(name[..<end]), local: String(name[name.utf8.index(after: end)...]))
    }

    /// - Parameter pairs: names and values in turn; the end is `nil`.
    private static func attributes(_ pairs: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?) -> [String: String] {
        guard var next = pairs else { return [:] }
        var attributes: [String: String] = [:]
        while let name = next[0], let value = next[1] {
            attributes[String(cString: name)] = String(cString: value)
            next += 2
        }
        return attributes
    }
}
