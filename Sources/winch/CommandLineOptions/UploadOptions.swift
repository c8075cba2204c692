import ArgumentParser
import WinchBatch
import WinchModel

/// The options "Uploads": what is sent instead of downloaded, and how.
struct UploadOptions: OptionSection {
    @Option(
        name: .joined("T"),
        help: .helpText("Upload this file to the URL; - is standard input; repeatable when the URL ends in /.", "FILE"),
        completion: .file(), transform: OptionValueParsing.file)
    var uploadFile: [String] = []

    @Option(
        name: .joined("F"),
        help: .helpText("A field of a form that is sent by POST, NAME=VALUE or NAME=@FILE; repeatable.", "FIELD"),
        transform: OptionValueParsing.formField)
    var form: [FormField] = []

    @Option(help: .helpText("PUT, or POST for the file as it is.", "METHOD"), transform: OptionValueParsing.method)
    var method: UploadOrder.Method?

    @Option(
        help: .helpText("The protocol that resumes uploads over HTTP: tus.", "PROTOCOL"),
        transform: OptionValueParsing.resumable)
    var resumable = HTTPUploadProtocol.plain

    @Option(help: .helpText("The media type of what is sent.", "TYPE"), transform: OptionValueParsing.line)
    var contentType: String?

    @Flag(help: "Create missing folders on the server.")
    var createDirs = false

    @Flag(help: "Upload to FTP and SFTP under the final name from the start, for servers that cannot rename.")
    var noTemporaryName = false

    /// Set by `winch put`.
    @Flag(name: .customLong("put-files"), help: .private)
    var isPut = false

    static let traits: [OptionTrait: [String]] = [
        .ofOneRun: ["upload-file", "form", "method", "resumable", "content-type", "create-dirs", "no-temporary-name"]
    ]

    /// The options without a file.
    var fields: UploadFields {
        var fields = UploadFields()
        fields.method = method
        fields.form = form
        fields.httpProtocol = resumable
        fields.createsFolders = createDirs ? true : nil
        fields.contentType = contentType
        fields.usesTemporaryName = noTemporaryName ? false : nil
        return fields
    }
}
