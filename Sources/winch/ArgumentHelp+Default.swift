import ArgumentParser
import WinchCore

/// What holds when nobody says otherwise: said in the help, and the value of the option.
enum Standard {
    static let queue = QueueSettings()
    static let transfer = TransferSettings()
}

extension ArgumentHelp {
    /// Words with the default at their end: the parser shows defaults only of options that it reads itself.
    static func said(_ words: String, _ valueName: String, default value: some CustomStringConvertible) -> ArgumentHelp
    {
        ArgumentHelp("\(words) (default: \(value))", valueName: valueName)
    }

    /// - Parameter value: shown in seconds, as the options take it.
    static func said(_ words: String, _ valueName: String, default value: Duration) -> ArgumentHelp {
        said(words, valueName, default: value.formattedSeconds)
    }
}

extension Duration {
    /// `30`, `0.5`.
    fileprivate var formattedSeconds: String {
        seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)"
    }
}
