import TestSupport
import Testing

@testable import WinchBatch
@testable import WinchModel

@Suite struct `A path that a user types` {
    private let homes = HomeFolders { user in
        switch user {
        case nil: "/home/me"
        case "bob": "/srv/bob/"
        default: nil
        }
    }

    @Test(arguments: [
        ("~", "/home/me"), ("~/x", "/home/me/x"), ("~bob/x", "/srv/bob/x"), ("~bob", "/srv/bob/"), ("./~", "./~"),
        ("x/~", "x/~"), ("/~", "/~"), ("", ""), ("x", "x"),
    ])
    func `expands a tilde to a home folder`(text: String, path: String) throws {
        try expectEqual(homes.expanded(text), path)
    }

    @Test func `is refused when its user does not exist`() {
        #expect(throws: InvalidValue("~eve: there is no such user; a folder of that name is ./~eve")) {
            try homes.expanded("~eve/x")
        }
        #expect(throws: InvalidValue("~: the home folder is not known; give the whole path")) {
            try HomeFolders { _ in nil }.expanded("~/x")
        }
    }

    @Test(arguments: [
        ("~/x", "x"), (".", "."), ("./sub//x/", "sub/x"), ("/home/me/sub", "sub"), ("/srv/./a", "/srv/a"), ("./~", "~"),
    ])
    func `is normalised to the same folder however it is written`(text: String, folder: String) throws {
        let places = Places(homes: homes, workingFolder: WorkingFolder("/home/me"))
        try expectEqual(places.folder(text), folder)
        let batch = BatchParser(folder: ".", settings: TransferSettings(), places: places)
            .parse(Array("http://h/a\n dir=\(text)\n".utf8))
        expectEqual(batch.specs.first?.folder, folder)
    }

    @Test func `with an unknown user is reported with its line in a batch`() {
        let batch = BatchParser(folder: ".", settings: TransferSettings(), places: Places(homes: homes))
            .parse(Array("http://h/a\n dir=~eve/x\n".utf8))
        expectEqual(
            batch.problems.map(\.message), ["dir: ~eve: there is no such user; a folder of that name is ./~eve"])
        expect(batch.specs.isEmpty)
    }
}
