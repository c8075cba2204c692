public import ArgumentParser
public import WinchModel

/// The options about files that exist already, at the server or on disk, part of `FileOptions`.
struct ExistingFileOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("What to do if a different file with the name exists.", valueName: "WAY"))
    var onConflict = Standard.transfer.onConflict

    @Option(
        help: ArgumentHelp("What to do if the remote file has changed since the partial download.", valueName: "WAY"))
    var onChange = Standard.transfer.onChange

    @Option(
        help: ArgumentHelp("Reserve disk space for a file of known size before its bytes come.", valueName: "WAY"))
    var fileAllocation = Standard.transfer.fileAllocation

    func apply(to settings: inout TransferSettings) {
        settings.onConflict = onConflict
        settings.onChange = onChange
        settings.fileAllocation = fileAllocation
    }
}

extension NameConflict: ExpressibleByArgument {}
extension FileChange: ExpressibleByArgument {}
extension FileAllocation: ExpressibleByArgument {
    public init?(argument: String) { self.init(reading: argument) }
}
