import TestSupport
import Testing
import WinchModel

@testable import WinchListing

@Suite struct `The reader of a listing` {
    private func makeOrder(
        level: Int = 0, ancestors: [UInt64] = [], _ change: (inout FolderRules) -> Void = { _ in }
    ) throws -> FolderOrder {
        var rules = FolderRules(tree: 1, start: try TransferURL("https://h/pub/"))
        change(&rules)
        var order = FolderOrder(rules: Shared(rules))
        (order.level, order.ancestors) = (level, ancestors)
        return order
    }

    private func makeReader(
        _ order: FolderOrder, page: String = "https://h/pub/", redirectedFrom url: String? = nil,
        settings: TransferSettings = TransferSettings()
    ) throws -> ListingReader {
        let page = try TransferURL(page)
        let own = try url.map { try TransferURL($0) } ?? page
        var spec = TransferSpec(urls: [own], folder: "dl/pub", settings: Shared(settings))
        spec.namedParts = 1
        return ListingReader(order: order, like: spec, page: page, form: .html)
    }

    /// A name with a slash at its end is a folder.
    private func entry(_ name: String, size: Int64? = nil) -> ListedEntry {
        let version = ListedVersion(size: size.map { ListedSize(bytes: $0) })
        return name.last == "/"
            ? ListedEntry(name: Array(name.dropLast().utf8), kind: .folder)
            : ListedEntry(name: Array(name.utf8), kind: .file, version: version)
    }

    private func urls(_ specs: [TransferSpec]) -> [String] { specs.compactMap { $0.urls.first?.text } }

    @Test func `builds the URLs of files and folders from that of the page`() throws {
        let order = try makeOrder()
        var reader = try makeReader(order, page: "https://h/pub?C=N")
        reader.take(entry("a b?.txt", size: 3))
        reader.take(ListedEntry(name: [0x63, 0xE9], kind: .link, version: ListedVersion(size: ListedSize(bytes: 9))))
        reader.take(entry("sub #1/"))
        let first = reader.takeFiles()
        let (rest, warning, isEmpty) = reader.end()
        let (files, folders) = (first + Array(rest.dropLast()), Array(rest.suffix(1)))
        expectEqual(urls(files), ["https://h/pub/a%20b%3F.txt", "https://h/pub/c%E9"])
        expectEqual(files.map(\.folder), ["dl/pub", "dl/pub"])
        expectEqual(files.map(\.namedParts), [1, 1])
        expectEqual(files.map { $0.listedVersion?.size?.bytes }, [3, nil])
        expectEqual(urls(folders), ["https://h/pub/sub%20%231/"])
        expectEqual(folders.map(\.folder), ["dl/pub/sub #1"])
        expectEqual(folders.map(\.namedParts), [2])
        let below = try #require(folders.first?.folderOrder)
        expectEqual(below.rules, order.rules)
        expectEqual(below.form, .html)
        expectEqual(below.level, 1)
        expectEqual(below.ancestors.count, 1)
        expectNil(warning)
        expect(!isEmpty)
        expectEqual(reader.found.files, 2)
        expectEqual(reader.found.folders, 1)
    }

    @Test func `takes once what is listed twice, and keeps a folder apart from a file of its name`() throws {
        var reader = try makeReader(makeOrder())
        for name in ["a", "a/", ".b", "a", "a.1/", "_b/", "a/", "c/"] { reader.take(entry(name)) }
        expectEqual(urls(reader.takeFiles()), ["https://h/pub/a"])
        let rest = reader.end().specs
        expectEqual(urls(Array(rest.prefix(1))), ["https://h/pub/.b"])
        expectNil(rest.first?.name)
        let folders = Array(rest.dropFirst())
        expectEqual(
            urls(folders), ["https://h/pub/a/", "https://h/pub/a.1/", "https://h/pub/_b/", "https://h/pub/c/"])
        expectEqual(folders.map(\.folder), ["dl/pub/a.2", "dl/pub/a.1", "dl/pub/_b.1", "dl/pub/c"])
        expectEqual(reader.found.files, 2)
        expectEqual(reader.found.folders, 4)
    }

    @Test(arguments: [["-d/", "_d/", "~d/"], ["~d/", "-d/", "_d/"]])
    func `keeps folders apart whose names are made the same, in whatever order they are listed`(
        names: [String]
    ) throws {
        var reader = try makeReader(makeOrder())
        for name in names { reader.take(entry(name)) }
        let folders = reader.end().specs.map { ($0.urls.first?.text ?? "", $0.folder) }
        expectEqual(
            Dictionary(folders) { first, _ in first },
            [
                "https://h/pub/_d/": "dl/pub/_d", "https://h/pub/-d/": "dl/pub/_d.1",
                "https://h/pub/~d/": "dl/pub/_d.2",
            ])
    }

    @Test(arguments: [["-x", "_x", "~x", "_x/"], ["_x/", "~x", "_x", "-x"]])
    func `leaves a file the name that it has at the server, in whatever order they are listed`(
        names: [String]
    ) throws {
        var reader = try makeReader(makeOrder())
        for name in names { reader.take(entry(name)) }
        let own = reader.takeFiles()
        expectEqual(urls(own), ["https://h/pub/_x"])
        expectNil(own.first?.name)
        let others = reader.end().specs.map { ($0.urls.first?.text ?? "", $0.name?.text ?? $0.folder) }
        expectEqual(
            Dictionary(others) { first, _ in first },
            [
                "https://h/pub/_x/": "dl/pub/_x.1", "https://h/pub/-x": "_x.2", "https://h/pub/~x": "_x.3",
            ])
    }

    @Test func `sees that a folder is empty`() throws {
        var reader = try makeReader(makeOrder())
        let end = reader.end()
        expect(end.isEmpty && end.specs.isEmpty)
    }

    @Test(arguments: [
        "", ".", "..", "a/b", "../a", "/", "a\0", "...", "\u{202E}", "a\\", String(repeating: "a", count: 1001),
    ])
    func `refuses a name that no file may have`(name: String) throws {
        var reader = try makeReader(makeOrder())
        for kind in [ListedEntry.Kind.file, .folder, .link] {
            reader.take(ListedEntry(name: Array(name.utf8), kind: kind))
        }
        expectEqual(reader.takeFiles(), [])
        let end = reader.end()
        expectEqual(end.specs, [])
        expectEqual(end.warning, .namesRefused(3, first: String(name.prefix(100))))
        expectEqual(reader.found.refused, 3)
    }

    @Test(arguments: ["ftp://h/pub/", "ftps://h/pub/", "sftp://h/pub/"])
    func `refuses a name that no command can have for FTP alone`(page: String) throws {
        var reader = try makeReader(makeOrder(), page: page)
        let names: [[UInt8]] = [[0x0A], [0x0D], [0x09], [0x1B], [0xFF], [0xFF, 0xFB, 0x61], [0xFF, 0xFF, 0x61]]
        for name in names + [[0x7F], [0xFF, 0xFA]] { reader.take(ListedEntry(name: [0x61] + name, kind: .file)) }
        expectEqual((reader.takeFiles() + reader.end().specs).count, page.hasPrefix("sftp") ? 9 : 2)
    }

    /// A path of FTP would begin with it.
    @Test(arguments: [("ftp://h/", 1), ("ftp://h/pub/", 3), ("sftp://h/", 3)])
    func `refuses the name of a home folder at the top for FTP alone`(page: String, count: Int) throws {
        var reader = try makeReader(makeOrder(), page: page)
        reader.take(entry("~x", size: 3))
        reader.take(entry("~bob/"))
        reader.take(ListedEntry(name: Array("~".utf8), kind: .link))
        expectEqual(reader.found.files + reader.found.folders, count)
    }

    @Test func `refuses what lies too deep or has too long a URL`() throws {
        var deep = try makeReader(makeOrder(level: ListingReader.mostLevels))
        deep.take(entry("sub/"))
        expectEqual(deep.end().warning, .namesRefused(1, first: "sub"))
        var long = try makeReader(makeOrder(), page: "https://h/" + String(repeating: "a", count: 7990))
        long.take(entry("b"))
        expectEqual(long.end().warning, .namesRefused(1, first: "b"))
    }

    @Test(
        arguments: [
            (1, 0, ["a"]), (2, 0, ["a", "sub"]), (2, 1, ["a"]), (1, 1, []), (nil, 50, ["a", "sub"]),
        ] as [(Int?, Int, [String])])
    func `goes as deep as the user wants`(depth: Int?, level: Int, names: [String]) throws {
        var reader = try makeReader(makeOrder(level: level) { $0.depth = depth })
        reader.take(entry("a"))
        reader.take(entry("sub/"))
        let specs = reader.takeFiles() + reader.end().specs
        expectEqual(urls(specs).map { String($0.split(separator: "/").last ?? "") }, names)
    }

    @Test func `compares the path below the start with the globs`() throws {
        let order = try makeOrder(level: 1) {
            $0.globs = [GlobRule(includes: false, pattern: Array("/a b/x".utf8))]
        }
        var reader = try makeReader(order, page: "https://h/pub/a%20b/")
        reader.take(entry("x"))
        reader.take(entry("y"))
        expectEqual(urls(reader.end().specs), ["https://h/pub/a%20b/y"])
        expectEqual(reader.found.files, 1)
    }

    @Test func `compares the names that have led to it with the globs where the server redirects`() throws {
        let order = try makeOrder(level: 1) {
            $0.globs = ["/latest/y", "/latest/s b/y", "/v2/x"].map {
                GlobRule(includes: false, pattern: Array($0.utf8))
            }
        }
        var reader = try makeReader(order, page: "https://h/pub/v2/", redirectedFrom: "https://h/pub/latest/")
        for name in ["x", "y", "s b/"] { reader.take(entry(name)) }
        let specs = reader.end().specs
        expectEqual(urls(specs), ["https://h/pub/v2/x", "https://h/pub/v2/s%20b/"])
        let below = try #require(specs.last?.folderOrder)
        var next = try makeReader(below, page: "https://h/pub/v2/s%20b/")
        for name in ["x", "y", "t/"] { next.take(entry(name)) }
        let rest = next.end().specs
        expectEqual(urls(rest), ["https://h/pub/v2/s%20b/x", "https://h/pub/v2/s%20b/t/"])
        expectEqual(rest.last?.folderOrder?.path, "latest%2Fs%20b%2Ft%2F")
        // The names are those of the URL again.
        var same = try makeReader(below, page: "https://h/pub/latest/s%20b/")
        same.take(entry("t/"))
        let folder = try #require(same.end().specs.last?.folderOrder)
        expectNil(folder.path)
    }

    @Test func `ends a loop of redirects as soon as one of links`() throws {
        var order = try makeOrder()
        var url = "https://h/pub/"
        var warnings: [TransferWarning?] = []
        for _ in 0...3 {
            var reader = try makeReader(order, redirectedFrom: url)
            for name in ["a", "up/"] { reader.take(entry(name, size: 10)) }
            let end = reader.end()
            warnings.append(end.warning)
            guard let folder = end.specs.last, let below = folder.folderOrder else { break }
            (order, url) = (below, folder.urls.first?.text ?? "")
        }
        expectEqual(warnings, [nil, nil, nil, .loop])
    }

    @Test(
        arguments: [
            // `=` lists the same.
            ("a/a/a/", "===", false, true), ("a/a/", "==", false, false), ("a/b/a/", "===", false, false),
            ("a/a/a/", "=.=", false, false), ("x/a/a/a/", "..==", false, false), ("x/a/a/a/", ".===", false, true),
            ("a/up/a/up/a/up/", "=.=.=.", false, true), ("a/up/a/up/", "=.=.", false, false),
            // Two links back, in orders that do not repeat: their number in the tree ends them.
            ("a/b/a/a/b/b/", "======", false, false),
            ("up/", "=", true, true), ("a/up/", "=.", true, true), ("up/", ".", true, false),
        ] as [(String, String, Bool, Bool)])
    func `leaves out what leads back to a folder above`(
        path: String, above: String, isLink: Bool, isLoop: Bool
    ) throws {
        func take(_ names: [String], _ reader: inout ListingReader) {
            for name in names { reader.take(entry(name, size: 10)) }
        }
        var first = try makeReader(makeOrder())
        take(["a", "b", "last/"], &first)
        let own = try #require(first.end().specs.last?.folderOrder?.ancestors.last)
        var order = try makeOrder(level: above.count, ancestors: above.map { $0 == "=" ? own : 1 })
        order.isLink = isLink
        var reader = try makeReader(order, page: "https://h/pub/\(path)")
        // In another order.
        take(["last/", "b", "a"], &reader)
        expectEqual(reader.takeFiles(), [])
        let end = reader.end()
        expectEqual(end.warning, isLoop ? TransferWarning.loop : nil, "\(path)")
        expectEqual(end.specs.count, isLoop ? 0 : 3)
        expectEqual(end.specs.last?.folderOrder?.isLink ?? false, false)
        expectEqual(reader.found.files, isLoop ? 0 : 2)
        expectEqual(reader.found.folders, isLoop ? 0 : 1)
    }

    /// - Parameters:
    ///   - path: below the start.
    ///   - above: for each folder on the way whether it lists the same (`=`).
    private func copy(
        _ path: String, above: String, of names: [String], size: Int64? = 10
    ) throws -> ListingReader {
        func reader(_ order: FolderOrder) throws -> ListingReader {
            var reader = try makeReader(order, page: "https://h/pub/\(path)")
            for name in names { reader.take(entry(name, size: size)) }
            return reader
        }
        let own = try reader(makeOrder()).ownFingerprint
        return try reader(makeOrder(level: above.count, ancestors: above.map { $0 == "=" ? own : 1 }))
    }

    @Test func `counts the copies of a folder by the first one above`() throws {
        let names = ["a", "self/", "sub/"]
        let copied = try #require(try copy("self/", above: "=", of: names).copied)
        for (path, above) in [("sub/up/", "=."), ("self/sub/up/", "==."), ("sub/up/self/", "=.=")] {
            try expectEqual(copy(path, above: above, of: names).copied, copied, "\(path)")
        }
        // Packages side by side, each with a folder in it that lists the same.
        let packages = try (1...200).compactMap { try copy("p\($0)/p/", above: ".=", of: names).copied }
        expectEqual(Set(packages).count, 200)
        try expectNil(copy("p/", above: ".", of: names).copied)
        try expectNil(copy("00/", above: "=", of: ["00/", "01/"]).copied)
        try expectNil(copy("a/", above: "=", of: ["a", "b"]).copied)
    }

    @Test(arguments: [(10, ListingReader.mostCopies), (nil, ListingReader.mostCopiesOfNames)] as [(Int64?, Int)])
    func `ends a tree of two links back by the number of its copies`(size: Int64?, most: Int) throws {
        for copies in [0, most - 1, most] {
            var reader = try copy("self/sub/up/", above: "==.", of: ["a", "self/", "sub/"], size: size)
            let end = reader.end(copies: copies)
            expectEqual(end.specs.count, copies < most ? 3 : 0)
            expectEqual(end.warning, copies < most ? nil : .loop)
        }
    }

    @Test func `keeps files below the start back as long as they are few`() throws {
        var reader = try makeReader(makeOrder(level: 1))
        for number in 1..<ListingReader.mostHeld { reader.take(entry("\(number)")) }
        expectEqual(reader.takeFiles().count, 0)
        reader.take(entry("a"))
        expectEqual(reader.takeFiles().count, ListingReader.mostHeld)
        reader.take(entry("b"))
        expectEqual(reader.takeFiles().count, 1)
        expectEqual(reader.end().specs.count, 0)
        expectEqual(reader.found.files, ListingReader.mostHeld + 1)
    }

    @Test func `only counts when nothing else is wanted`() throws {
        var order = try makeOrder()
        order.isCounting = true
        var reader = try makeReader(order)
        for name in ["a", "b", "sub/"] { reader.take(entry(name)) }
        expectEqual(reader.takeFiles() + reader.end().specs, [])
        expectEqual(reader.found.files, 2)
        expectEqual(reader.found.folders, 1)
        while !reader.hasMore { reader.take(entry("c")) }
        expectEqual(reader.found.files + reader.found.folders, ListingReader.mostCounted)
    }

    @Test func `gives a listing up that has too many entries`() throws {
        var reader = try makeReader(makeOrder())
        reader.mostEntries = 2
        for name in ["a", "b"] { reader.take(entry(name)) }
        expectNil(reader.fault)
        reader.take(entry("c"))
        expectEqual(reader.fault?.message, "the folder has more than 2 entries")
        expectEqual(reader.takeFiles().count, 2)
    }

    @Test func `keeps secrets for the origin of the start`() throws {
        var settings = TransferSettings()
        settings.password = "secret"
        var reader = try makeReader(makeOrder(), settings: settings)
        reader.take(entry("a"))
        reader.take(entry("sub/"))
        let specs = reader.takeFiles() + reader.end().specs
        expectEqual(specs.map { $0.settings.value.loginOrigins }, [["https://h"], ["https://h"]])
    }

    @Test func `names nothing outside of the folder, whatever a server lists`() throws {
        let seed = Runs.firstSeed()
        var random = SplitMix64(seed: seed)
        let pieces: [[UInt8]] =
            [
                "..", ".", "/", "\\", "%2e", "%2F", "%252e", "\0", "\r\n", "?", "#", ";type=i", ":", "//", "@", "~",
                " ", "-", "a", "http://other/", "\u{202E}", "\u{FEFF}", "\u{10FEAF}", "é", "C:",
            ].map { Array($0.utf8) } + [[0xE9], [0xFF], [UInt8](repeating: 0x61, count: 300)]
        let pages = ["https://h/pub/", "http://h", "ftp://h/%2e%2e/x", "sftp://h/~/a%20b/", "http://h/pub/?list=1"]
        for round in 1...10_000 {
            let comment: Comment = "WINCH_SEED=\(seed), round \(round)"
            let page = pages[Int.random(in: 0..<pages.count, using: &random)]
            let level = Int.random(in: 0...3, using: &random)
            let order = try makeOrder(level: level) {
                $0.globs = [GlobRule(includes: false, pattern: pieces.randomElement(using: &random) ?? [])]
            }
            var reader = try makeReader(order, page: page)
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                let name: [UInt8] = (0..<Int.random(in: 0...4, using: &random)).flatMap { _ in
                    pieces.randomElement(using: &random) ?? []
                }
                reader.take(ListedEntry(name: name, kind: Bool.random(using: &random) ? .file : .folder))
            }
            var base = String(page.prefix { $0 != "?" })
            if base.last != "/" { base += "/" }
            for spec in reader.takeFiles() + reader.end().specs {
                let url = try #require(spec.urls.first)
                expect(url.text.hasPrefix(base), comment)
                var component = url.text.dropFirst(base.count)
                if spec.folderOrder != nil {
                    expectEqual(component.popLast(), "/", comment)
                    expect(spec.folder.utf8.starts(with: "dl/pub/".utf8), comment)
                    expectSafe(Substring(spec.folder.utf8.dropFirst("dl/pub/".utf8.count)), comment)
                } else {
                    expectEqual(spec.folder, "dl/pub", comment)
                    expectSafe(TargetName(url: url).text[...], comment)
                }
                expect(component.utf8.allSatisfy { $0.isAlphanumeric || "-._~%".utf8.contains($0) }, comment)
                let name = PercentCoding.bytes(component)
                expect(!name.isEmpty && !name.contains(0) && !name.contains(.slash), comment)
                expect(!name.elementsEqual(".".utf8) && !name.elementsEqual("..".utf8), comment)
            }
        }
    }

    private func expectSafe(_ name: Substring, _ comment: Comment) {
        expect(!name.isEmpty && name != "." && name != ".." && !name.utf8.contains(.slash), comment)
    }
}
