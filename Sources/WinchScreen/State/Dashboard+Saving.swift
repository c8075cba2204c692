import WinchCore

/// The texts of options that the screen gives a meaning to.
public enum SettingText {
    /// The values of the option `sort` without `,reverse`.
    public static let sorts: [String] = RowSort.Column.allCases.map { "\($0)" }

    /// What is wrong with the value of the option `sort`; `nil`: nothing.
    public static func fault(ofSort text: String) -> String? {
        guard RowSort(text: text) == nil else { return nil }
        let names = RowSort.Column.allCases.map { "\($0)" }
        let question = NearestName.question(for: text, among: names)
        return "one of \(names.joined(separator: ", ")), with ,reverse behind it or not; not '\(text)'\(question)"
    }
}
