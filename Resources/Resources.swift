/// Files that travel inside the binary.
public enum Resources {
    /// The demo batch, aria2 input-file grammar.
    public static var demoBatch: [UInt8] { PackageResources.demo_urls }
}
