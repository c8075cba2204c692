import Glibc
import TestSupport
import Testing
import WinchModel

@testable import winch

/// The files of certificates and keys that the entries of a list name.
@Suite struct `A certificate or a key of an entry` {
    @Test func `is refused with its line when it is a FIFO`() throws {
        let folder = try TemporaryFolder()
        let fifo = folder.path + "/fifo"
        expectEqual(mkfifo(fifo, 0o600), 0)
        folder.write("file", [1])
        let text = """
            https://h/a
              cert=\(fifo)
            https://h/b
              cert=\(folder.path)/file
              key=\(fifo)
            https://h/c
              cert=\(folder.path)/file
            """
        var batches = BatchFiles(folder: ".", settings: TransferSettings())
        batches.add(Array(text.utf8), of: "list")
        batches.read()
        let words = "a FIFO or pipe, which can be read once; each connection reads it: a regular file is needed"
        expectEqual(
            batches.problems, ["list:1: error: cert \(fifo): \(words)", "list:3: error: key \(fifo): \(words)"])
        expectEqual(batches.specs.map { $0.urls.first?.text }, ["https://h/c"])
    }
}
