/// The file that an entry asks for: its first URL in normal form, the target folder and the name from `out=`.
package struct WantedFile: Hashable {
    private let url: String
    private let folder: String
    private let name: String?

    init(url: TransferURL, folder: String, name: TargetPath?) {
        (self.url, self.folder, self.name) = (url.normal, folder, name?.text)
    }
}

extension TransferSpec {
    /// `nil` for an entry without a URL.
    package var wanted: WantedFile? { urls.first.map { WantedFile(url: $0, folder: folder, name: name) } }
}
