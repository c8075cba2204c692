import CTransport
import Glibc

extension TemporaryFolder {
    /// `nil` when the file has none of that name.
    package func attribute(_ attribute: String, of name: String) -> String? {
        let file = open(path + "/" + name, O_RDONLY)
        defer { close(file) }
        return withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
            let count = winch_get_attribute(file, attribute, buffer.baseAddress, buffer.count)
            return count >= 0 ? String(decoding: buffer.prefix(count), as: UTF8.self) : nil
        }
    }

    /// - Parameter value: `nil` removes it.
    package func set(_ attribute: String, to value: String?, of name: String) {
        let file = open(path + "/" + name, O_RDONLY)
        defer { close(file) }
        guard var value else {
            winch_remove_attribute(file, attribute)
            return
        }
        value.withUTF8 { _ = winch_set_attribute(file, attribute, $0.baseAddress, $0.count) }
    }
}
