package import Foundation

/// The built programs and libraries.
package enum Product {
    /// Where the build put them: beside the test bundle.
    package static let folder: URL = {
        let me = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let named = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
        let isHere = FileManager.default.isExecutableFile(atPath: me.appending(path: "winch").path)
        return isHere ? me : named
    }()

    package static func path(_ name: String) -> String { folder.appending(path: name).path }
}
