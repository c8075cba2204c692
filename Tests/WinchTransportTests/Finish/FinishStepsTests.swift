import FaultServer
import Glibc
import TestSupport
import Testing

@testable import WinchModel
@testable import WinchTransport

@Suite struct `A name on a file system without hard links` {
    @Test func `is free again when the file could not be moved there`() throws {
        let folder = try TemporaryFolder()
        let target = try TargetFolder.open(folder.path, parts: [])
        expectEqual(FinishSteps.rename("missing.part", toPlaceholder: "x", in: target.descriptor.number), ENOENT)
        expectEqual(folder.names, [])
        folder.write("a.part", [1])
        expectEqual(FinishSteps.rename("a.part", toPlaceholder: "a", in: target.descriptor.number), 0)
        expectEqual(folder.names, ["a"])
        folder.write("b.part", [2])
        expectEqual(FinishSteps.rename("b.part", toPlaceholder: "a", in: target.descriptor.number), EEXIST)
        try expectEqual(folder.bytes("a"), [1])
    }
}

@Suite struct `The attributes of a finished file` {
    /// U+0301 joins the slash before it: together they are one character.
    @Test(arguments: ["x", "\u{301}x"]) func `are those of no part, also below the target folder`(name: String) throws {
        let folder = try TemporaryFolder()
        folder.makeFolder("a")
        folder.write("a/" + name, [1])
        let target = try TargetFolder.open(folder.path, parts: ["a"])
        let file = try require(target.opened(name))
        Attribute.url.set("http://h/x", on: file)
        let ending = FinishResult.Ending.done(.saved(path: "a/" + name), size: 1)
        FinishSteps(names: NameRegistry()).settle(ending, in: target)
        expectNil(Attribute.url.get(from: file))
    }
}
