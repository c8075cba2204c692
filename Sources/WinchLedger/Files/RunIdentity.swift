import Glibc
import WinchModel

/// The process of a run and the boot of the machine in which it runs.
struct RunIdentity: Hashable, Sendable {
    var pid: Int32
    /// Changes with every boot of the machine; empty when the kernel does not provide it.
    var bootID: String
    /// Relative folders are resolved against it.
    let workingFolder: String
    private let folder: WorkingFolder

    init(pid: Int32, bootID: String, workingFolder: String) {
        self.pid = pid
        self.bootID = bootID
        self.workingFolder = workingFolder
        folder = WorkingFolder(workingFolder)
    }

    static func current() -> RunIdentity {
        RunIdentity(pid: getpid(), bootID: readBootID(), workingFolder: readWorkingFolder())
    }

    /// True unless it is certain that the machine has not been rebooted since.
    func isAfterReboot(since bootID: String) -> Bool { bootID.isEmpty || bootID != self.bootID }

    /// As `WorkingFolder` has it.
    func absolute(_ path: String) -> String { folder.absolute(path) }

    private static func readBootID() -> String {
        let file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "" }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(file, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)).prefix { $0 > 0x20 }, as: UTF8.self)
    }

    private static func readWorkingFolder() -> String {
        guard let path = getcwd(nil, 0) else { return "/" }
        defer { free(path) }
        return String(systemC: path)
    }
}
