import CTransport
import Glibc
import TestSupport

extension TemporaryFolder {
    /// Names of the file's extended attributes of this program.
    func attributes(_ name: String) -> [String] {
        let file = open(path + "/" + name, O_RDONLY)
        defer { close(file) }
        return ["user.winch.url", "user.winch.total", "user.winch.validator"].filter {
            winch_get_attribute(file, $0, nil, 0) >= 0
        }
    }
}
