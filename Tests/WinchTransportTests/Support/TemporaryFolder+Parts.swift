import Glibc
import TestSupport
import WinchSystem

@testable import WinchTransport

extension TemporaryFolder {
    static let attributeNames = [
        "user.winch.url", "user.winch.total", "user.winch.validator", "user.winch.modified", "user.winch.durable",
        "user.xdg.origin.url",
    ]

    /// Names of the file's extended attributes of this program.
    func attributes(_ name: String) -> [String] { Self.attributeNames.filter { attribute($0, of: name) != nil } }

    func size(_ name: String) -> Int64 {
        var status = stat()
        return stat(path + "/" + name, &status) == 0 ? Int64(status.st_size) : -1
    }

    /// As a part from this boot identifies itself.
    func sign(_ name: String, _ url: String, total: Int64?, etag: String) {
        set("user.winch.url", to: url, of: name)
        set("user.winch.total", to: total.map { "\($0)" }, of: name)
        set("user.winch.validator", to: "\"\(etag)\"", of: name)
        set("user.winch.durable", to: (BootID.current ?? "-") + ":0", of: name)
    }
}
