/// The version of this program, as `--version` shows it and requests carry it.
package enum WinchVersion {
    package static let text = "0.1.0"
    /// The value of `User-Agent` where the settings name none.
    package static let userAgent = "winch/" + text
}
