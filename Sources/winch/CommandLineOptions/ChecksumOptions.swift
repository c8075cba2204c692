import ArgumentParser
import WinchModel

/// The options about checksums, part of `FileOptions`.
struct ChecksumOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The expected checksum: md5, sha-1, sha-256 or sha-512; without TYPE= the number of digits decides.",
            valueName: "TYPE=HEX"),
        transform: OptionValueParsing.checksum)
    var checksum: Checksum?

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "A checksum list as sha256sum writes it, a path or a URL; repeatable. The files it lists must match.",
            valueName: "FILE"), transform: OptionValueParsing.file)
    var sums: [String] = []

    func apply(to settings: inout TransferSettings) {
        settings.checksum = checksum
    }
}
