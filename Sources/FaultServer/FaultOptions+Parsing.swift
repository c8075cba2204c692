/// Reads the options of a URL. Each family of faults reads its own, in the file that also has their effect: `ContentFaults`,
/// `HeadFaults`, `FramingFaults`, `RangeFaults`, `TimingFaults`, `RefusalFaults`.
extension FaultOptions {
    init(key: String, name: String) {
        self.key = key
        self.limitKey = key
        self.seed = SeededContent.seed(of: name)
    }

    /// - Returns: `nil` when the path is not `/f/NAME`.
    /// - Throws: `.unknownOption`, `.badValue`: a typing error in a batch file must not pass for an honest server.
    init?(_ target: RequestTarget) throws(FaultServerFailure) {
        guard let name = target.fileName else { return nil }
        self.init(key: "/f/" + name, name: name)
        for option in target.options {
            guard try read(option) else { throw .unknownOption(option.name) }
        }
    }

    /// - Returns: whether an option is called like that.
    mutating func read(_ option: OptionText) throws(FaultServerFailure) -> Bool {
        switch option.name {
        case "key": key = option.text
        case "user": credentials = BasicCredentials(user: option.text, password: credentials?.password ?? "")
        case "pass": credentials = BasicCredentials(user: credentials?.user ?? "", password: option.text)
        case "limitkey": limitKey = option.text
        default:
            if try readContent(option) { return true }
            if try readFraming(option) { return true }
            if try readRanges(option) { return true }
            if try readTiming(option) { return true }
            if try readRefusal(option) { return true }
            return try readHead(option)
        }
        return true
    }
}
