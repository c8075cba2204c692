/// Names that FTP has trouble with: it has no way to quote a byte of a name.
package enum FTPName {
    /// Why a server would not get a name as it is; `nil`: it would.
    ///
    /// - Source: RFC 959, sections 4.1 and 5.3: a command is a line of Telnet, whose own commands begin with FF (RFC 854). libcurl
    ///   refuses all control characters but DEL.
    package static func fault(_ name: [UInt8]) -> String? {
        if name.contains(where: { $0 < 0x20 }) { return "a control character in the name" }
        let endsCommand = name.indices.contains { index in
            // FB to FE and a further byte are a command; two FF are one in a name.
            name[index] == 0xFF && (index + 1 == name.count || name[index + 1] >= 0xFB)
        }
        return endsCommand ? "the byte FF in the name" : nil
    }

    /// Servers take the name for a home folder where a path begins with it: `~` for the user's, `~USER` for another's.
    package static func meansHome(_ name: [UInt8]) -> Bool { name.first == UInt8(ascii: "~") }

    /// The decoded components of a path.
    package static func parts(of url: TransferURL) -> [[UInt8]] {
        url.pathText.utf8.split(separator: UInt8(ascii: "/")).map { PercentCoding.bytes(Substring($0)) }
    }
}
