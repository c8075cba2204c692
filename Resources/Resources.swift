/// Files that are embedded in the binary.
public enum Resources {
    /// The built-in themes by name, in the order in which the user cycles through them.
    public static let themes: [(name: String, text: [UInt8])] = [
        ("dark", PackageResources.dark_theme), ("light", PackageResources.light_theme),
        ("high-contrast", PackageResources.high_contrast_theme), ("ocean", PackageResources.ocean_theme),
        ("ember", PackageResources.ember_theme), ("rainbow", PackageResources.rainbow_theme),
        ("mono", PackageResources.mono_theme),
    ]

    /// The demo's batch file.
    ///
    /// - Parameter origin: the server of the demo's URLs, e.g. `http://127.0.0.1:8080`.
    public static func demoBatch(origin: String) -> String {
        String(decoding: PackageResources.demo_urls, as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false)
            .map { line in
                line.hasPrefix("#")
                    ? String(line)
                    : line.split(separator: "ORIGIN", omittingEmptySubsequences: false).joined(separator: origin)
            }
            .joined(separator: "\n")
    }
}
