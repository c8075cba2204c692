/// The file that an entry asks for: its first URL in normal form, the target folder and the name from `out=`; of an upload also
/// what is sent.
package struct WantedFile: Hashable {
    private let url: String
    private let folder: String
    private let name: String?
    private let upload: UploadOrder.Content?

    init(url: TransferURL, folder: String, name: TargetPath?, upload: UploadOrder?) {
        (self.url, self.folder, self.name, self.upload) = (url.normal, folder, name?.text, upload?.content)
    }
}

extension TransferSpec {
    /// `nil` for an entry without a URL.
    package var wanted: WantedFile? {
        urls.first.map { WantedFile(url: $0, folder: folder, name: name, upload: upload) }
    }
}
