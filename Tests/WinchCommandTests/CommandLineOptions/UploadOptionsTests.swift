import ArgumentParser
import Testing

@testable import WinchBatch
@testable import WinchModel
@testable import winch

@Suite struct `The options of uploads` {
    @Test func `become the fields of an upload`() throws {
        let options = try UploadOptions.parse([
            "-Ta", "-T", "-", "--method", "POST", "--resumable", "tus", "--content-type", "text/plain", "--create-dirs",
            "--no-temporary-name",
        ])
        #expect(options.uploadFile == ["a", "-"])
        #expect(options.fields.method == .post)
        #expect(options.fields.isTus && options.fields.createsFolders == true)
        #expect(options.fields.usesTemporaryName == false)
        #expect(options.fields.contentType == "text/plain")
        #expect(options.fields.file == nil, "each file is an entry of its own")
    }

    @Test func `have a form of fields in their order`() throws {
        let fields = try UploadOptions.parse(["-F", "name=value", "-F", "file=@x"]).fields
        #expect(fields.form.count == 2)
        #expect(!fields.isEmpty && fields.usesTemporaryName == nil)
    }

    @Test(arguments: ["--method=GET", "--resumable=other", "--content-type=a\nb"])
    func `refuse what has no meaning`(option: String) {
        #expect(throws: (any Error).self) { try UploadOptions.parse([option]) }
    }
}
