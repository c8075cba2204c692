import Glibc
import TestSupport
import Testing
import WinchBatch
import WinchModel

@testable import winch

/// The files of uploads, before anything is sent.
@Suite struct `The source of an upload` {
    @Test func `is looked at by check, in the order of the lines`() throws {
        let folder = try TemporaryFolder()
        folder.write("full", [1, 2, 3])
        folder.write("empty", [])
        mkfifo(folder.path + "/pipe", 0o600)
        let text = """
            http://h/in/
              upload=\(folder.path)/full
            http://h/a
              upload=\(folder.path)/missing
            http://h/b
              upload=\(folder.path)
            http://h/c
              method=PUT
            http://h/d
              upload=\(folder.path)/empty
            http://h/e
              upload=/dev/null
            http://h/f
              upload=\(folder.path)/pipe
            http://h/g
              form=a=@\(folder.path)/gone
            http://h/in/
              upload=\(folder.path)/full
            """
        var batches = BatchFiles(folder: ".", settings: TransferSettings())
        batches.checksSources = true
        batches.add(Array(text.utf8), of: "list")
        batches.read()
        let path = folder.path
        expectEqual(
            batches.problems,
            [
                "list:3: error: \(path)/missing: No such file or directory",
                "list:5: error: \(path) is a folder; winch put -r sends folders",
                "list:7: error: method is about an upload; name the file with upload=",
                "list:9: warning: \(path)/empty is empty", "list:11: error: /dev/null is neither a file nor a FIFO",
                "list:15: error: \(path)/gone: No such file or directory",
            ])
        expect(batches.hasErrors)
        expectEqual(batches.notices, ["list: 1 duplicate left out: line 17"])
        expectEqual(batches.specs.first?.listedSize, ByteCount(bytes: 3))
        expectEqual(batches.specs.first?.urls.first?.text, "http://h/in/full")
    }

    @Test func `is refused when another one goes to the same URL`() throws {
        var batches = BatchFiles(folder: ".", settings: TransferSettings())
        batches.add(upload: .init(), of: ["a/x.txt", "b/x.txt", "c"], to: "http://h/up/")
        let words = "b/x.txt and a/x.txt both go to http://h/up/x.txt; give each a URL of its own"
        // Before anything is sent: which one is meant is not known.
        expect(batches.specs.isEmpty && batches.hasErrors && batches.problems == ["error: \(words)"])
    }

    @Test func `may be several files on the command line when the URL is a folder`() throws {
        var batches = BatchFiles(folder: ".", settings: TransferSettings())
        batches.add(upload: .init(), of: ["/a b", "/c"], to: "sftp://h/in/")
        expectEqual(batches.specs.map { $0.urls.first?.text }, ["sftp://h/in/a%20b", "sftp://h/in/c"])
        expect(batches.specs.allSatisfy { $0.direction == .up })
        batches.add(upload: .init(), of: ["/a", "/c"], to: "sftp://h/in")
        expectEqual(batches.problems, ["error: several files go to a folder; end the URL in /"])
        var unnamed = BatchFiles(folder: ".", settings: TransferSettings())
        unnamed.add(upload: .init(), of: ["/a", "-", "/c"], to: "sftp://h/in/")
        // All or none: the command is wrong.
        expect(unnamed.specs.isEmpty && unnamed.hasErrors)
        expectEqual(unnamed.problems, ["error: \(UploadFields.Fault.folderWithoutName.message)"])
    }

    @Test func `has a temporary name by FTP and SFTP only`() throws {
        let folder = try TemporaryFolder()
        var fields = UploadFields()
        fields.usesTemporaryName = false
        let refusal = "error: \(UploadFields.Fault.temporaryNameOverHTTP.message)"
        for (url, words) in [("sftp://h/in/", []), ("http://h/in/", [refusal])] as [(String, [String])] {
            for path in ["/a", folder.path] {
                var batches = BatchFiles(folder: ".", settings: TransferSettings())
                batches.add(upload: fields, of: [path], to: url, links: .leftOut)
                expectEqual(batches.problems, words, "\(path) \(url)")
            }
        }
    }

    @Test func `is not standard input when the list came from it`() {
        var list = BatchFiles(folder: ".", settings: TransferSettings())
        list.add(Array("http://h/a\n  upload=-\n".utf8), of: "-")
        list.read()
        let words = "-:1: error: standard input is this list; name a file or a FIFO to upload"
        expect(list.specs.isEmpty && list.hasErrors && list.problems == [words])
    }
}
