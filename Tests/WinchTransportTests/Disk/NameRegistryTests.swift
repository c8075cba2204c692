import FaultServer
import TestSupport
import Testing

@testable import WinchModel
@testable import WinchTransport

@Suite struct `The names in use during a run` {
    private let folder = TargetFolder.Identity(device: 1, node: 1)

    private func reserve(_ names: inout NamesInUse, _ id: Int, _ preferred: String, _ address: String = "u") -> String {
        names.reserve(TransferID(id), preferred, of: address, in: folder)
    }

    @Test func `are numbered while they are in use and reused when they are released`() {
        var names = NamesInUse()
        expectEqual((1...3).map { reserve(&names, $0, "a.gz", "u\($0)") }, ["a.gz", "a.1.gz", "a.2.gz"])
        expectEqual(reserve(&names, 2, "a.gz", "u2"), "a.1.gz", "the same wish again")
        names.release(TransferID(2))
        expectEqual(reserve(&names, 4, "a.gz", "u4"), "a.1.gz")
        expectEqual(reserve(&names, 5, "a.gz", "u5"), "a.3.gz")
    }

    @Test func `stay reserved for the URL that left a file or a part under them`() {
        var names = NamesInUse()
        for (id, rest) in [(1, NameRegistry.Rest.file), (2, .part)] {
            _ = reserve(&names, id, "a", "u\(id)")
            names.settle(TransferID(id), with: rest)
        }
        expectEqual(reserve(&names, 3, "a", "other"), "a.2")
        expectEqual(reserve(&names, 4, "a", "u1"), "a")
        expectEqual(reserve(&names, 5, "a", "u2"), "a.1")
        expectEqual(reserve(&names, 6, "a", "u2"), "a.3", "while another transfer is at it")
    }

    @Test func `are kept apart where they differ in case only and the folder takes them for the same`() {
        for ignoresCase in [true, false] {
            var names = NamesInUse()
            var asked = 0
            let reserve = { (names: inout NamesInUse, id: Int, name: String) in
                names.reserve(TransferID(id), name, of: "u\(id)", in: folder, replaces: true) {
                    asked += 1
                    return ignoresCase
                }
            }
            expectEqual(reserve(&names, 1, "Disk.iso"), "Disk.iso")
            expectEqual(reserve(&names, 2, "other"), "other")
            expectEqual(asked, 0, "the folder is asked only where it matters")
            expect(reserve(&names, 3, "disk.iso") == (ignoresCase ? "disk.1.iso" : "disk.iso"))
            names.settle(TransferID(1), with: .file)
            expect(reserve(&names, 4, "DISK.ISO") == (ignoresCase ? "DISK.2.ISO" : "DISK.ISO"))
            // A name that was given back is free in any case.
            names = NamesInUse()
            expectEqual(reserve(&names, 5, "Disk.iso"), "Disk.iso")
            names.release(TransferID(5))
            expectEqual(reserve(&names, 6, "disk.iso"), "disk.iso")
        }
    }

    @Test func `are compared by their bytes, not by what a reader sees`() {
        var names = NamesInUse()
        for (id, name) in [(1, "e\u{301}.txt"), (2, "\u{e9}.txt")] {
            expectEqual(Array(reserve(&names, id, name, "u\(id)").utf8), Array(name.utf8))
        }
    }

    @Test func `of a discarded part are released`() {
        var names = NamesInUse()
        _ = reserve(&names, 1, "a", "u1")
        names.settle(TransferID(1), with: .part)
        names.release(TransferID(1))
        expectEqual(reserve(&names, 2, "a", "u2"), "a")
        // Not released while another transfer continues the part for the same URL.
        names.settle(TransferID(2), with: .part)
        expectEqual(reserve(&names, 3, "a", "u2"), "a")
        names.release(TransferID(2))
        expectEqual(reserve(&names, 4, "a", "u4"), "a.1")
    }

    @Test func `are kept by a transfer that resumes its part`() {
        var names = NamesInUse()
        _ = reserve(&names, 1, "a", "u1")
        _ = reserve(&names, 2, "a", "u2")
        names.settle(TransferID(2), with: .part)
        expectEqual(reserve(&names, 2, "a.1", "u2"), "a.1", "as the resume point names it")
        expectEqual(names.next(TransferID(2), of: "u2", in: folder, after: "a.1"), "a.2", "not a.1.1")
    }

    @Test func `stay few however many transfers have ended`() {
        var names = NamesInUse()
        for id in 1...NamesInUse.mostSettled * 5 / 4 {
            _ = reserve(&names, id, "f\(id)", "u\(id)")
            names.settle(TransferID(id), with: id.isMultiple(of: 2) ? .file : .part)
        }
        expectEqual(names.counts.held, 0)
        expectAtMost(names.counts.remembered, NamesInUse.mostSettled)
    }
}
