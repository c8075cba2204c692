import Glibc
import Synchronization
import TestSupport
import Testing
import WinchScreen

@testable import WinchModel
@testable import WinchTerminal

@Suite struct `A list of files for completion` {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        for name in ["more-1.txt", "more-2.txt", ".hidden", "bad\u{1B}name"] { folder.write(name, []) }
        folder.makeFolder("more")
        folder.link("link", to: "more")
        folder.link("nowhere", to: "gone")
    }

    private func lister() throws -> PathLister {
        let path = folder.path
        return PathLister(try LoopMailbox()) { (given) throws(InvalidValue) in
            if given == "~nobody/" { throw InvalidValue("there is no such user") }
            return given.replacing("~/", with: path + "/")
        }
    }

    @Test(arguments: [
        ("~/mo", ["more-1.txt", "more-2.txt", "more/"], "more"), ("~/more-2", ["more-2.txt"], "more-2.txt"),
        ("~/.", [".hidden"], ".hidden"), ("~/b", ["bad\\x1Bname"], "bad\\x1Bname"), ("~/li", ["link/"], "link/"),
        ("~/no", ["nowhere"], "nowhere"), ("~/zz", [], ""), ("~", ["~/"], "~/"), ("~/more/", [], ""),
    ])
    func `has the names that continue the path, with a slash for folders and control characters escaped`(
        typed: String, names: [String], common: String
    ) throws {
        try expectEqual(lister().listing(of: typed), PathListing(typed: typed, names: names, common: common))
    }

    @Test func `omits hidden files unless the path starts with a dot`() throws {
        let names = try lister().listing(of: "~/").names
        expect(names.count == 6 && !names.contains(".hidden"))
    }

    @Test func `contains the reason why a folder cannot be read`() throws {
        try expectEqual(lister().listing(of: "~/gone/x").fault, "~/gone/: No such file or directory")
        try expectEqual(lister().listing(of: "~nobody/x").fault, "there is no such user")
    }

    @Test func `is limited, but its common prefix covers all files`() throws {
        for number in 0..<(9 * PathListing.most) { folder.write("file-\(10_000 + number)", []) }
        folder.write("fi", [])
        let listing = try lister().listing(of: "~/f")
        expectEqual(listing.names.count, PathListing.most)
        expect(listing.names.prefix(2) == ["fi", "file-10000"] && listing.common == "fi")
    }

    @Test func `is read on another thread and delivered later`() throws {
        let gate = Mutex(())
        let asked = Mutex(0)
        let mailbox = try LoopMailbox()
        let lister = PathLister(mailbox) { (path) throws(InvalidValue) in
            asked.withLock { $0 += 1 }
            // Simulates a folder whose file system does not answer.
            gate.withLock { _ in }
            return path
        }
        gate.withLock { _ in
            lister.list("/x")
            lister.list("/x")
            for number in 0..<20 { lister.list("/\(number)") }
            expect(mailbox.takeEvents().isEmpty)
        }
        // At most four threads run at a time, and only one per path.
        let clock = MonotonicClock()
        let deadline = clock.now() + .seconds(60)
        var events: [ScreenEvent] = []
        while events.count < 4, clock.now() < deadline {
            usleep(1000)
            events += mailbox.takeEvents()
        }
        expectEqual(asked.withLock { $0 }, 4)
        let typed = events.map { if case .paths(let listing) = $0 { listing.typed } else { "" } }
        expectEqual(typed.sorted(), ["/0", "/1", "/2", "/x"])
        expect(mailbox.takeEvents().isEmpty)
    }
}
