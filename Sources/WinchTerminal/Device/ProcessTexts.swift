import Glibc
import WinchModel

/// Arguments and environment of the process. Foundation and the standard library lose the bytes in them that are not UTF-8.
package enum ProcessTexts {
    /// Without the program's name.
    package static var arguments: [String] {
        UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc)).dropFirst()
            .compactMap { $0.map { String(systemC: $0) } }
    }

    /// The path of the running program; `nil` when it cannot be learnt.
    package static var program: String? {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &path, path.count)
        return count > 0 ? String(system: path.prefix(count).map { UInt8(bitPattern: $0) }) : nil
    }

    /// Each variable as `NAME=value`.
    package static var variables: [String] {
        var lines: [String] = []
        var next = environ
        while let line = next.pointee {
            lines.append(String(systemC: line))
            next += 1
        }
        return lines
    }

    /// The values by the variables' names; of two with one name the first, as `getenv` has it.
    package static var environment: [String: String] {
        var values: [String: String] = [:]
        for variable in variables {
            guard let equals = variable.utf8.firstIndex(of: UInt8(ascii: "=")) else { continue }
            let name = String(variable[..<equals])
            if values[name] == nil { values[name] = String(variable[variable.utf8.index(after: equals)...]) }
        }
        return values
    }
}
