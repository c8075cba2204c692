/// A parser of untrusted input, with the invariants that its results must satisfy for every input.
public enum FuzzTarget: String, CaseIterable, Sendable {
    case batch, settings, sums, disposition, contentRange, digest, url, path, head, resume, values, ssh, metalink, link
    case list, html, json, xmlList

    /// Parses the input and checks the invariants.
    ///
    /// - Returns: the violated invariant; `nil`: none.
    public func fault(_ bytes: [UInt8]) -> String? {
        switch self {
        case .batch: BatchPromises.fault(bytes)
        case .settings: SettingPromises.fault(bytes)
        case .sums: DigestPromises.fault(list: bytes)
        case .digest: DigestPromises.fault(field: bytes)
        case .disposition: NamePromises.fault(disposition: bytes)
        case .contentRange: HeadPromises.fault(contentRange: bytes)
        case .url: NamePromises.fault(url: bytes)
        case .path: NamePromises.fault(path: bytes)
        case .head: HeadPromises.fault(head: bytes)
        case .resume: ResumePromises.fault(bytes)
        case .values: ValuePromises.fault(bytes)
        case .ssh: SSHPromises.fault(bytes)
        case .metalink: MetalinkPromises.fault(bytes)
        case .link: LinkPromises.fault(bytes)
        case .list: LineListPromises.fault(bytes)
        case .html: PagePromises.fault(html: bytes)
        case .json: PagePromises.fault(json: bytes)
        case .xmlList: XMLListPromises.fault(bytes)
        }
    }
}
