import TestSupport
import Testing

@testable import WinchHTTP

@Suite struct `A Link field` {
    @Test(
        arguments: [
            ("<http://m/a>; rel=duplicate", [WebLink(target: "http://m/a", relations: ["duplicate"])]),
            (
                "<http://m/a>; rel=duplicate; pri=2; geo=gb; pref, <b>;rel=\"Duplicate\" ; pri=1",
                [
                    WebLink(target: "http://m/a", relations: ["duplicate"], priority: 2),
                    WebLink(target: "b", relations: ["duplicate"], priority: 1),
                ]
            ),
            (
                "</a.meta4>; rel=\"describedby x\"; type=\"Application/Metalink4+XML; a=b\"",
                [
                    WebLink(
                        target: "/a.meta4", relations: ["describedby", "x"], mediaType: "application/metalink4+xml")
                ]
            ),
            (
                "<a,b;c>; title=\"x\\\"; rel=no, <y>\"; rel=duplicate; rel=other",
                [WebLink(target: "a,b;c", relations: ["duplicate"])]
            ),
            ("<a>; rel=duplicate; anchor=\"#x\", <b>; rel=next", [WebLink(target: "b", relations: ["next"])]),
            (
                "<a>; rel=duplicate; pri=0, <b>; rel=\"duplicate",
                [
                    WebLink(target: "a", relations: ["duplicate"]), WebLink(target: "b", relations: ["duplicate"]),
                ]
            ),
            ("<a>; rel=duplicate, nonsense, <b>; rel=duplicate", [WebLink(target: "a", relations: ["duplicate"])]),
            ("<a>, <>; rel=duplicate, <b>; rel, <c>; rel=\" \"", []), ("", []), ("<a", []),
        ] as [(String, [WebLink])])
    func `is read as far as it is correct`(field: String, links: [WebLink]) {
        expectEqual(LinkField.links(field), links)
    }

    @Test func `tells mirrors from Metalinks`() throws {
        let links = LinkField.links(
            "<a>; rel=duplicate, <b>; rel=describedby; type=application/metalink4+xml, <c>; rel=describedby; type=text/plain"
        )
        expectEqual(links.map(\.isDuplicate), [true, false, false])
        expectEqual(links.map(\.isMetalink), [false, true, false])
    }

    @Test func `has at most 64 links, over all fields of a head`() {
        let field = String(repeating: "<a>; rel=duplicate,", count: 100)
        expectEqual(LinkField.links(field).count, 64)
        expectEqual(LinkField.links(String(repeating: " ", count: 40_000) + field), [])
        var head = ResponseHead()
        for line in ["HTTP/1.1 302 Found", "Link: <x>; rel=next", "link: \(field)", "Link: \(field)"] {
            Array(line.utf8).withUnsafeBytes { _ = head.read($0) }
        }
        expectEqual(head.links.count, 64)
        expectEqual(head.links.first?.target, "x")
        Array("HTTP/1.1 200 OK".utf8).withUnsafeBytes { _ = head.read($0) }
        expect(head.links.isEmpty)
    }
}
