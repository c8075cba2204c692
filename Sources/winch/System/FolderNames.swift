import Glibc
import WinchModel

enum FolderNames {
    /// - Returns: all but `.` and `..`, in no order; none when the folder cannot be read.
    static func all(in folder: String) -> [String] {
        guard let stream = opendir(folder.cBytes) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(system: $0.prefix { $0 != 0 }) }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
