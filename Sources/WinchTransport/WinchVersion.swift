/// The version of this program, as `--version` shows it and requests carry it.
public enum WinchVersion {
    public static let text = "0.1.0"
    /// The value of `User-Agent` where the settings name none.
    public static let userAgent = "winch/" + text
}
