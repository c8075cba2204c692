import ArgumentParser
import WinchModel

/// `winch put FILE ... URL`: the command line of `winch` with files in front of the URL.
struct PutCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "put", "Uploads files and folders to a URL, in the dashboard and queue of downloads.",
        usage: "winch put FILE ... URL [options]",
        discussion: """
            The last argument is the URL. One that ends in / is a folder, in which each file gets its own name; any other \
            URL takes one file. http and https send by PUT, --method POST by POST; ftp, ftps and sftp send under a \
            temporary name, which is changed once all is there. - is standard input. With -r a folder is sent with all \
            that lies below it, and becomes a folder of its name at the server. All options of winch apply, \
            except those about files that are saved; see 'winch --help'.
            """)

    @Argument(help: .helpText("The files, and then the URL.", "FILE ... URL"), completion: .file())
    var arguments: [String]
}

extension FolderOptions {
    /// What is done with symbolic links in folders that are uploaded; `nil`: no folder is sent.
    var links: LocalFolderReader.Links? { recursive ? follow ? .followed : .leftOut : nil }

    /// - Parameter upload: of `winch put`.
    /// - Throws: `ValidationError` when folders cannot be sent so.
    func validate(with upload: UploadOptions) throws {
        if let filter { throw ValidationError("\(filter) is about a folder that is downloaded") }
        guard recursive else {
            guard !follow else { throw ValidationError("--follow is about the folders that winch put -r sends") }
            return
        }
        guard upload.form.isEmpty, upload.method != .post, upload.resumable == .plain else {
            throw ValidationError(
                "-r sends each file by PUT to an address of its own; forms, --method POST and --resumable have one for all"
            )
        }
    }
}
