/// How Winch names itself to servers.
public enum UserAgent {
    public static let version = "0.1.0"
    public static let standard = "winch/" + version
}
