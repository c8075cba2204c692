import WinchModel
import WinchScreen

/// The values that a shell offers for an option after Tab. Options whose values are a Swift enumeration, and those that take files
/// or folders, need none.
enum OptionCompletionValues {
    /// `--theme`: the built-in ones.
    static let themes = Theme.builtIn.map(\.name)
    /// `--sort`
    static let sorts = SettingText.sorts
    /// `--columns`
    static let columns = ["auto"] + ColumnChoice.all
}
