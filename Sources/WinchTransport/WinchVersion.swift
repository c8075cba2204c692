/// The version of this program, as `--version` shows it and requests carry it in their User-Agent.
package enum WinchVersion {
    package static let text = "0.1.0"
}
