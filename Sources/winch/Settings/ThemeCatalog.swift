import WinchBatch
import WinchScreen
import WinchTransport

/// The available themes: the built-in ones, and the user's own from `$XDG_CONFIG_HOME/winch/themes/NAME.theme`.
struct ThemeCatalog {
    private(set) var themes = Theme.builtIn
    /// By theme name: why its file could not be read.
    private var unreadable: [String: String] = [:]

    private static let suffix = ".theme"
    /// The largest theme file that is read, in bytes; a theme has some twenty lines.
    private static let largest = 1 << 20
    /// How many files are read: more themes cannot be chosen with `t`, which shows one after the other.
    private static let most = 100

    /// - Parameter folder: the folder with the user's themes, which need not exist; `nil`: none.
    init(folder: String?) {
        guard let folder else { return }
        let names = FolderNames.all(in: folder)
        for name in names.filter({ $0.hasSuffix(Self.suffix) && $0 != Self.suffix }).sorted().prefix(Self.most) {
            take(folder + "/" + name, name: String(name.dropLast(Self.suffix.count)))
        }
    }

    /// Reads a theme. One with the name of a built-in theme replaces it.
    private mutating func take(_ path: String, name: String) {
        do throws(InputFile.Failure) {
            let bytes = try InputFile.read(path, largest: Self.largest)
            var (theme, found) = Theme.parsing(bytes, name: name) { base in themes.first { $0.name == base } }
            theme.problems = found.map { "\(path):\($0.line): \($0.message)" }
            if let index = themes.firstIndex(where: { $0.name == name }) {
                themes[index] = theme
            } else {
                themes.append(theme)
            }
        } catch {
            unreadable[name] = error.message
        }
    }

    /// `standard` is another name of the default theme.
    subscript(name: String) -> Theme? {
        themes.first { $0.name == name } ?? (name == "standard" ? Theme.standard : nil)
    }

    /// The error message for a name that no theme has; `nil` for the name of a theme.
    func fault(of name: String) -> String? {
        guard self[name] == nil else { return nil }
        if let reason = unreadable[name] { return "theme: \(reason)" }
        let names = themes.map(\.name)
        return "theme: '\(name.prefix(40))' is not one of \(names.joined(separator: ", "))"
            + NearestName.question(for: name, among: names)
    }
}
