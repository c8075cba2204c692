import ArgumentParser
import WinchModel

/// The options about the headers of each request, part of `TransferOptions`.
struct RequestHeaderOptions: ParsableArguments {
    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("A request header, 'Name: value'; repeatable.", valueName: "LINE"),
        transform: OptionValueParsing.header)
    var header: [String] = []

    @Option(help: ArgumentHelp("The User-Agent header.", valueName: "TEXT"), transform: OptionValueParsing.line)
    var userAgent: String?

    @Option(help: ArgumentHelp("The Referer header.", valueName: "URL"), transform: OptionValueParsing.line)
    var referer: String?

    func apply(to settings: inout TransferSettings) {
        settings.headers = header
        settings.referer = referer
        settings.userAgent = userAgent
    }
}
