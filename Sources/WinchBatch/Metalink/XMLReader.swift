import Cexpat
package import WinchModel

package struct XMLName: Hashable {
    /// Empty without one.
    package var namespace: String
    package var local: String
}

/// Is told the elements of an XML text in their order.
package protocol XMLBuilder: AnyObject {
    /// An element begins.
    ///
    /// - Parameter line: where it begins, from 1.
    /// - Returns: whether the text of the element is wanted.
    /// - Throws: why the whole text is refused.
    func begin(_ name: XMLName, _ attributes: [String: String], line: Int) throws(InvalidValue) -> Bool

    /// The innermost open element ends.
    ///
    /// - Parameter text: in UTF-8, with the white space around it; empty unless it was wanted. Of an element with others in it
    ///   nothing is kept.
    func end(text: [UInt8]) throws(InvalidValue)
}

/// Reads an XML text with expat, as UTF-8, UTF-16 or what its declaration says. Document types, and with them entities, are
/// refused, and so is what is nested deeply, so that time and memory are in proportion to the length of the text.
package final class XMLReader {
    /// A Metalink has 6 levels, a listing of WebDAV with locks fewer than 10.
    private static let mostLevels = 32
    /// 64 KiB, in bytes: the longest URL.
    private static let longestText = 64 << 10
    /// No URI contains it, so a name can be split at the last one.
    private static let separator = UInt8(ascii: "|")

    private let builder: any XMLBuilder
    /// `nil`: there was no memory for it.
    private let parser: XML_Parser?
    private var fault: BatchProblem?
    private var levels = 0
    /// The text of the open element; `nil`: it is not wanted.
    private var text: [UInt8]?
    /// Bytes given to expat since its last call. It keeps a tag or comment until it is complete.
    private var bytesSinceCall = 0

    package init(_ builder: some XMLBuilder) {
        self.builder = builder
        parser = XML_ParserCreateNS(nil, XML_Char(bitPattern: Self.separator))
        guard let parser else {
            fault = BatchProblem(line: 1, severity: .error, message: "out of memory")
            return
        }
        XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        XML_SetElementHandler(
            parser, { XMLReader.of($0)?.begin($1, $2) }, { reader, _ in XMLReader.of(reader)?.end() })
        XML_SetCharacterDataHandler(parser) { XMLReader.of($0)?.append($1, Int($2)) }
        XML_SetStartDoctypeDeclHandler(parser) { reader, _, _, _, _ in
            XMLReader.of(reader)?.stop("a document type (DOCTYPE) is not allowed; it may define entities")
        }
        XML_SetCommentHandler(parser) { reader, _ in XMLReader.of(reader)?.bytesSinceCall = 0 }
        XML_SetProcessingInstructionHandler(parser) { reader, _, _ in XMLReader.of(reader)?.bytesSinceCall = 0 }
    }

    deinit {
        if let parser { XML_ParserFree(parser) }
    }

    /// Reads a whole text, in parts, so that a tag that is too long is refused before expat has all of it.
    ///
    /// - Returns: why it was refused; `nil` when it was read to its end.
    func read(_ bytes: [UInt8]) -> BatchProblem? {
        bytes.withUnsafeBytes { bytes in
            var start = 0
            while bytes.count - start > Self.longestText {
                let part = bytes[start..<start + Self.longestText]
                if let fault = feed(UnsafeRawBufferPointer(rebasing: part), isLast: false) { return fault }
                start += Self.longestText
            }
            return feed(UnsafeRawBufferPointer(rebasing: bytes[start...]), isLast: true)
        }
    }

    /// Reads the next part of a text, of less than 2 GiB.
    ///
    /// - Parameter isLast: the text ends with it.
    /// - Returns: why the text is refused, now and from then on; `nil`: nothing is wrong so far.
    package func feed(_ bytes: UnsafeRawBufferPointer, isLast: Bool) -> BatchProblem? {
        guard fault == nil, let parser else { return fault }
        bytesSinceCall += bytes.count
        let start = bytes.bindMemory(to: XML_Char.self).baseAddress
        let status = XML_Parse(parser, start, Int32(clamping: bytes.count), isLast ? 1 : 0)
        // One that a call from expat has noted is the cause of the status.
        guard fault == nil else { return fault }
        if status != XML_STATUS_OK {
            let reason = XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) } ?? "unknown error"
            fault = BatchProblem(line: line, severity: .error, message: "not well-formed XML: \(reason)")
        } else if !isLast, bytesSinceCall > Self.longestText {
            let message = "a tag or comment is longer than \(Self.longestText) bytes"
            fault = BatchProblem(line: line, severity: .error, message: message)
        }
        return fault
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
        bytesSinceCall = 0
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
        bytesSinceCall = 0
        guard fault == nil else { return }
        levels -= 1
        let ended = text ?? []
        text = nil
        do throws(InvalidValue) {
            try builder.end(text: ended)
        } catch {
            stop(error.message)
        }
    }

    private func append(_ bytes: UnsafePointer<XML_Char>?, _ count: Int) {
        bytesSinceCall = 0
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

extension [UInt8] {
    /// The text of an element without the white space around it.
    package var trimmed: ArraySlice<UInt8> {
        var bytes = self[...].drop { $0 <= 0x20 }
        while let last = bytes.last, last <= 0x20 { bytes.removeLast() }
        return bytes
    }
}
