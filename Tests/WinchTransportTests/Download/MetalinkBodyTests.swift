import FaultServer
import Hashing
import TestSupport
import Testing

@testable import WinchHTTP
@testable import WinchModel
@testable import WinchTransport

@Suite(.timeLimit(.minutes(5))) struct `A response that is a Metalink` {
    private static let hash = "<hash type=\"md5\">\(String(repeating: "0", count: 32))</hash>"

    private static func answer(
        _ files: String, type: String = "application/metalink4+xml", length: Int? = nil
    ) -> String {
        let body = "<metalink xmlns=\"urn:ietf:params:xml:ns:metalink\">\(files)</metalink>"
        return "HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nContent-Length: \(length ?? body.utf8.count)\r\n\r\n\(body)"
    }

    private static func listing(
        in events: [TransportEvent]
    ) -> (specs: [TransferSpec], warning: TransferWarning?)? {
        if case .listed(let specs, _, let warning, _) = events.last { (specs, warning) } else { nil }
    }

    @Test func `is reported as its files, and leaves nothing on disk`() async throws {
        try await Rig.serving { server, rig in
            let answer = Self.answer(
                "<file name=\"d/a\">\(Self.hash)<url>http://m/a</url></file><file name=\"../b\"><url>http://m/b</url></file>"
            )
            let body = answer.ranges(of: "\r\n\r\n").first.map { Array(answer[$0.upperBound...].utf8) }
            let own = Checksum("md5=" + HashFunction.md5.hash(body ?? []).hex)
            let events = try await rig.fetch(server.rawURL(answer)) {
                $0.metalink = .follow
                $0.checksum = own
                ($0.user, $0.referer) = ("me", "r")
            }
            let listing = try require(Self.listing(in: events), "\(String(describing: events.last))")
            expectEqual(listing.specs.map(\.name?.text), ["d/a"])
            expectEqual(listing.specs[0].folder, rig.folder.path)
            expectEqual(listing.specs[0].listedChecksum?.algorithm, .md5)
            expectEqual(
                listing.warning,
                .metalink(reason: "line 1: <file name=\"../b\">: the name leaves the target folder ('..')"))
            let settings = listing.specs[0].settings.value
            expect((settings.metalink, settings.checksum, settings.referer) == (.refuse, nil, "r"))
            expectEqual(settings.loginOrigins?.count, 1)
            expectEqual(rig.folder.names, [])
            expect(!events.contains { if case .opened = $0 { true } else { false } })
        }
    }

    @Test(arguments: ["option", "list"])
    func `hands the user's checksum on to its only file, and is the wrong file with several`(origin: String)
        async throws
    {
        try await Rig.serving { server, rig in
            let wanted = try require(Checksum("md5=" + String(repeating: "1", count: 32)))
            let files = ["a", "b"].map { "<file name=\"\($0)\">\(Self.hash)<url>http://m/\($0)</url></file>" }
            for count in 1...2 {
                let url = server.rawURL(Self.answer(files.prefix(count).joined()))
                try rig.start(url, id: count, name: "mine", listed: origin == "list" ? wanted : nil) {
                    $0.metalink = .follow
                    if origin == "option" { $0.checksum = wanted }
                }
                let events = await rig.settled(count)
                let specs = Self.listing(in: events)?.specs ?? []
                expectEqual(specs.map(\.name?.text), count == 1 ? ["mine"] : [])
                let own = specs.map { origin == "list" ? $0.listedChecksum : $0.settings.value.checksum }
                expectEqual(own, count == 1 ? [wanted] : [])
                expectEqual(events.failure?.exitCode, count == 1 ? nil : 32)
            }
        }
    }

    @Test func `is saved as any file unless Metalinks are followed, and refused when another one has named it`()
        async throws
    {
        try await Rig.serving { server, rig in
            let url = server.rawURL(Self.answer("<file name=\"a\"><url>http://m/a</url></file>"))
            try await expectEqual(rig.fetch(url).saved, "raw")
            let second = try await rig.fetch(url, id: 2) { $0.metalink = .refuse }
            let reason = "this is a Metalink, and was named by another one; only one level is followed"
            expectEqual(second.failure, .badResponse(reason))
        }
    }

    @Test func `is saved as any file when it lies in a folder`() async throws {
        try await Rig.serving { server, rig in
            let url = server.rawURL(Self.answer("<file name=\"a\"><url>http://m/a</url></file>"))
            try rig.start(url, below: "/pub", namedParts: 1) { $0.metalink = .follow }
            await expectEqual(rig.settled().saved, "raw")
        }
    }

    @Test(
        arguments: [
            (answer("<file name=\"a\">"), "Metalink: line 1: not well-formed XML: mismatched tag"),
            (answer(""), "Metalink: it names no files"),
            (answer("", length: 9_000_000), "the Metalink has more than 8 MiB; --no-metalink saves it as a file"),
        ])
    func `fails when it is of no use`(answer: String, reason: String) async throws {
        try await Rig.serving { server, rig in
            let events = try await rig.fetch(server.rawURL(answer)) { $0.metalink = .follow }
            expectEqual(events.failure, .badResponse(reason))
            expectEqual(rig.folder.names, [])
        }
    }

    @Test func `that is cut short is no Metalink`() async throws {
        try await Rig.serving { server, rig in
            let answer = Self.answer("<file name=\"a\"><url>http://m/a</url></file>", length: 1000)
            let events = try await rig.fetch(server.rawURL(answer)) { $0.metalink = .follow }
            expect(events.failure != nil && Self.listing(in: events) == nil, "\(String(describing: events.last))")
        }
    }

    @Test func `without checksums gives up no encryption`() throws {
        let xml =
            "<metalink><file name=\"a\"><url>http://m/a</url><url>https://m/a</url></file><file name=\"b\"><url>http://m/b</url></file>"
            + "<file name=\"c\">\(Self.hash)<url>http://m/c</url></file></metalink>"
        var body = try MetalinkBody(ResponseHead())
        Array(xml.utf8).withUnsafeBytes { bytes in try? body.append(bytes) }
        let request = try ConnectionRequest("https://h/x.meta4")
        let listing = try require(Self.listing(in: [try body.listing(for: request)]))
        expectEqual(listing.specs.map { $0.urls.map(\.text) }, [["https://m/a"], ["http://m/c"]])
        expectEqual(listing.warning?.message.contains("b has no checksum"), true)
    }
}
