/// The options of a file's URL, as `--help` lists them.
package struct FaultOptionsHelp: Sendable {
    /// One option.
    package struct Entry: Sendable {
        /// The option with a typical value, as it is written in a URL: `size=3M`.
        package let example: String
        package let words: String
    }

    package struct Group: Sendable {
        package let title: String
        package let entries: [Entry]

        init(_ title: String, _ entries: [(String, String)]) {
            self.title = title
            self.entries = entries.map { Entry(example: $0.0, words: $0.1) }
        }
    }

    package static let groups = [
        Group(
            "What the file holds",
            [
                ("size=3M", "bytes, with K, M or G (64K)"), ("seed=7", "other content than the name's own"),
                ("change=2", "another file after every 2 requests"), ("versions=2", "so many files at most"),
                ("grow=1K", "longer by so much at each change"),
                ("shrink=1K", "or shorter"), ("gzip", "with Content-Encoding: gzip"),
                ("type=text/plain", "Content-Type"), ("etag=v1", "this ETag"), ("weaketag=v1", "a weak one"),
                ("noetag", "none"), ("lastmodified=0", "seconds since 1970"),
                ("disposition=inline", "Content-Disposition, any bytes"),
                ("header=X-A:%20b", "one more header line, byte for byte"),
                ("trailer=X-A:%20b&chunked", "a line after the last chunk"),
                ("lines=5000", "so many header lines that mean nothing"),
                ("hints=3", "so many 103 answers before the real one"),
            ]),
        Group(
            "How it is framed",
            [
                ("chunked", "in chunks, no length"), ("nolength", "until the connection closes"),
                ("length=5M", "a false Content-Length"), ("lengthraw=5x", "any bytes for it"),
                ("extra=10", "bytes after the end"), ("wrongbyte=1M", "the byte there is wrong"),
                ("ranges=off", "on, off, refuse (416), or lie: starts a byte early"),
                ("noend", "chunked, without the last chunk"), ("contentrange=bytes%20x", "any bytes for it"),
                ("flood=1M", "so many bytes of header lines"), ("interim=103,100", "heads before the answer"),
                ("ranges=careless", "ignores If-Range; bare: and a 206 names no version"),
                ("ranges=alternate", "ignores every second Range; multipart: a 206 in that form"),
                ("http10", "answers as HTTP/1.0"),
            ]),
        Group(
            "When bytes come",
            [
                ("latency=0.5", "seconds before the answer"), ("rate=1M", "bytes a second"),
                ("ratefirst=1K", "on the first request only"),
                ("stall=1M", "stops there for ever"), ("stallfirst=1M", "on the first request only"),
                ("stallfor=8", "or for so many seconds"),
                ("drop=1M", "breaks off there"), ("dropfirst=1M", "on the first request only"),
                ("reset", "breaks with RST instead of FIN"),
            ]),
        Group(
            "What is answered instead",
            [
                ("status=503,close,200", "one request after the other; also reset; the last for ever"),
                ("retryafter=4", "seconds, or date:4 for a date so far ahead"),
                ("errbody=1K", "length of an error's body"),
                ("redirect=3", "so many redirects first"), ("redirectto=http://h/", "where the last one leads"),
                ("redirectcode=301", "302 unless given"), ("user=alice", "wants this login"),
                ("pass=secret", "and this password"), ("digest", "by the Digest scheme"),
                ("ticket", "redirects to a link that works once"), ("page=2", "a page of HTML from the 2nd request on"),
                ("limit=2", "503 for more than 2 at once"),
                ("limitcode=429", "or this status"),
                ("limitkey=disk", "counted together under this name"), ("key=a", "shares its counters with others"),
            ]),
        Group(
            "What HEAD is told",
            [
                ("head=405", "a status, close or reset"), ("headlength=9M", "another length"),
                ("headdelay=2", "seconds more"),
            ]),
    ]

    /// A line for each option, under its heading: those of downloads, then those of uploads.
    package static var text: String {
        text(of: groups)
            + "\n\nUploads go to /up/NAME; GET returns them, /received is the log as JSON, with times when the query says marks.\n\n"
            + text(of: uploadGroups)
    }

    private static func text(of groups: [Group]) -> String {
        let width = (groups.flatMap(\.entries).map(\.example.count).max() ?? 0) + 2
        var lines: [String] = []
        for group in groups {
            lines.append(group.title + ":")
            for entry in group.entries {
                let gap = String(repeating: " ", count: width - entry.example.count)
                lines.append("  \(entry.example)\(gap)\(entry.words)")
            }
        }
        return lines.joined(separator: "\n")
    }
}
