import TestSupport
import Testing
import WinchModel

@testable import WinchBatch

@Suite struct `The upload options of an entry` {
    private func parse(_ text: String) -> BatchParser.Batch {
        BatchParser(folder: ".", settings: TransferSettings()).parse(Array(text.utf8))
    }

    @Test func `make it an upload`() throws {
        let batch = parse(
            """
            sftp://h/in/
              upload=/a b.iso
              create-dirs=true
              no-temporary-name=true
            http://h/f
              form=x=y=z
              form=file=@/c.txt;type=text/x;filename=d
            https://h/tus/
              upload=/e
              resumable=tus
              content-type=text/y
              method=post
            http://h/plain
            """)
        expect(batch.problems.isEmpty && batch.specs.map(\.direction) == [.up, .up, .up, .down])
        expectEqual(
            batch.specs.map { $0.urls.first?.text }.prefix(3),
            [
                "sftp://h/in/a%20b.iso", "http://h/f", "https://h/tus/",
            ])
        let orders = batch.specs.compactMap(\.upload)
        expect(orders[0].content == .file("/a b.iso") && orders[0].createsFolders && !orders[0].usesTemporaryName)
        expectEqual(
            orders[1].content,
            .form([
                FormField(name: "x", value: .text("y=z")),
                FormField(name: "file", value: .file(path: "/c.txt", name: "d", type: "text/x")),
            ]))
        expect(orders[1].method == .post && orders[1].isSentOnce)
        expect(orders[2].httpProtocol == .tus && orders[2].contentType == "text/y" && !orders[2].isSentOnce)
        expectEqual(batch.specs[0].expectedName, "a b.iso")
    }

    @Test func `complete those of the command line, which downloads do not have`() {
        var given = UploadFields()
        (given.createsFolders, given.httpProtocol, given.usesTemporaryName, given.method) = (true, .tus, false, .post)
        let text = """
            ftp://h/a/b/
              upload=/x
            http://h/a/
              upload=/x
              create-dirs=false
            http://h/f
              form=x=y
            http://h/plain
            """
        let parser = BatchParser(folder: ".", settings: TransferSettings(), uploads: given)
        let batch = parser.parse(Array(text.utf8))
        let orders = batch.specs.map(\.upload)
        expect(batch.problems == [] && orders.count == 4 && orders.last == .some(nil))
        expectEqual(orders.prefix(3).map { $0?.httpProtocol }, [.plain, .tus, .plain])
        expect(orders[0]?.createsFolders == true && orders[0]?.usesTemporaryName == false)
        expect(orders[1]?.createsFolders == false && orders[1]?.method == .post)
        expectEqual(orders[2]?.createsFolders, true)
        expectEqual(orders[1]?.usesTemporaryName, true, "the option is about FTP and SFTP")
    }

    @Test(arguments: [
        ("http://h/a\n  upload=/x\n  form=a=b", UploadFields.Fault.fileAndForm),
        ("http://h/a\n  form=a=b\n  method=PUT", .formIsPosted), ("ftp://h/a\n  form=a=b", .formOverHTTP),
        ("sftp://h/a\n  upload=/x\n  resumable=tus", .overHTTP(.tus)),
        ("http://h/a\n  form=a=b\n  resumable=tus", .ofForm(.tus)),
        ("http://h/a\n  method=POST", .noFile(option: "method")),
        ("http://h/a\n  resumable=tus", .noFile(option: "resumable")),
        ("http://h/a\n  create-dirs=true", .noFile(option: "create-dirs")),
        ("http://h/a\n  content-type=a/b", .noFile(option: "content-type")),
        ("http://h/a\n  no-temporary-name=true", .noFile(option: "no-temporary-name")),
        ("http://h/a\n  upload=/x\n  no-temporary-name=true", .temporaryNameOverHTTP),
        ("http://h/a\n  upload=/x\n  out=b\n  dir=c", .ofDownload(option: "out")),
        ("http://h/a\n  dir=c\n  form=a=b", .ofDownload(option: "dir")),
        ("http://h/a\n  upload=/x\n  split=4", .ofDownload(option: "split")),
        ("http://h/a\n  max-filesize=1M\n  upload=/x", .ofDownload(option: "max-size")),
        ("http://h/a\n  upload=/x\n  exclude=*", .ofDownload(option: "exclude")),
        ("http://h/a\n  checksum=md5=00000000000000000000000000000000\n  upload=/x", .ofDownload(option: "checksum")),
        ("http://h/a/\n  upload=-", .folderWithoutName), ("http://h/a\thttp://h/b\n  upload=/x", .mirrors),
    ])
    func `must fit together`(text: String, fault: UploadFields.Fault) {
        let batch = parse(text)
        expect(batch.specs.isEmpty)
        expect(batch.problems.map(\.message) == [fault.message] && batch.problems.first?.line == 1)
    }

    @Test(arguments: [
        ("upload=", 2), ("method=GET", 2), ("form=", 2), ("form==x", 2), ("form=a=@", 2), ("resumable=yes", 2),
        ("create-dirs=maybe", 2), ("content-type=a\u{1}b", 2), ("ftp-tls=never", 2),
    ])
    func `must have valid values`(option: String, line: Int) {
        let batch = parse("http://h/a\n  \(option)")
        expect(batch.specs.isEmpty && batch.problems.map(\.line) == [line])
        expectEqual(batch.problems.map(\.severity), [.error])
    }
}
