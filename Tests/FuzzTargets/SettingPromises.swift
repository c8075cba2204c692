import WinchBatch
import WinchModel

/// Invariants of the parser of settings files and themes.
enum SettingPromises {
    static func fault(_ bytes: [UInt8]) -> String? {
        let file = NameValueLines(parsing: bytes)
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).count
        let numbers = file.lines.map(\.number) + file.problems.map(\.line)
        if let wrong = numbers.first(where: { !(1...lines).contains($0) }) { return "line \(wrong) of \(lines)" }
        if Set(numbers).count != numbers.count { return "a line counts twice" }
        for line in file.lines {
            let setting = line.setting
            if setting.name.isEmpty { return "a setting without a name" }
            if setting.name.utf8.contains(UInt8(ascii: "=")) { return "a name with = in it" }
            guard let again = NameValueLine("\(setting.name)=\(setting.value)") else {
                return "its own text is no setting"
            }
            if again != setting { return "\(setting) is \(again) when read again" }
        }
        return nil
    }
}
