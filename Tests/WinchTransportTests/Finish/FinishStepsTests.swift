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
