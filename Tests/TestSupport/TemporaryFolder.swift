import Glibc

/// A temporary folder, which is deleted with its contents when the last reference is released.
package final class TemporaryFolder: Sendable {
    package let path: String

    package init() throws {
        var template = Array("/tmp/winch-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Missing() }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    package struct Missing: Error {}

    deinit { Self.remove(path) }

    private static func remove(_ path: String) {
        var status = stat()
        if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
            for name in names(in: path) { remove(path + "/" + name) }
            rmdir(path)
        } else {
            unlink(path)
        }
    }

    package static func names(in path: String) -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// The names of its entries, sorted.
    package var names: [String] { Self.names(in: path) }

    package func bytes(_ name: String) throws -> [UInt8] {
        let file = open(path + "/" + name, O_RDONLY)
        guard file >= 0 else { throw Missing() }
        defer { close(file) }
        var status = stat()
        fstat(file, &status)
        return [UInt8](unsafeUninitializedCapacity: Int(status.st_size)) { room, count in
            while count < room.count {
                let got = pread(file, room.baseAddress.map { $0 + count }, room.count - count, off_t(count))
                if got <= 0 { break }
                count += got
            }
        }
    }

    package func write(_ name: String, _ bytes: [UInt8]) {
        let file = open(path + "/" + name, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        _ = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
        close(file)
    }

    package func link(_ name: String, to target: String) { symlink(target, path + "/" + name) }

    package func makeFolder(_ name: String) { mkdir(path + "/" + name, 0o755) }
}
