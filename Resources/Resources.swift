/// Files that travel inside the binary.
public enum Resources {
    /// The demo's batch file.
    ///
    /// - Parameter origin: the server that it is fetched from, e.g. `http://127.0.0.1:8080`.
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
