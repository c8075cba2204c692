import CTerminal
import Glibc
import WinchModel

/// Descriptors 0, 1 and 2, which all code assumes to be open.
package enum StandardStreams {
    /// Opens those that the parent process has closed (`winch ... >&-`) as `/dev/null`: otherwise the next opened
    /// file would get their number, and messages would be written into it. Standard input cannot be read then, and standard output
    /// not be written, as if they were closed: a list or an upload that comes from there is not empty, and a file that goes there
    /// is not lost, without an error.
    package static func fill() {
        for stream: Int32 in 0...2 where fcntl(stream, F_GETFD) == -1 {
            // `open` returns the lowest free descriptor, which is `stream`.
            _ = open("/dev/null", [O_WRONLY, O_RDONLY, O_RDWR][Int(stream)])
        }
    }

    /// What is written to standard output and standard error goes nowhere from now on.
    package static func discardOutput() {
        let nowhere = open("/dev/null", O_RDWR | O_CLOEXEC)
        guard nowhere >= 0 else { return }
        for stream in [STDOUT_FILENO, STDERR_FILENO] { dup2(nowhere, stream) }
        close(nowhere)
    }

    /// Writes the output of `print` that is still buffered.
    ///
    /// - Returns: the error message if some output could not be written; `nil` if all was written, or the reader has
    ///   closed its end.
    package static func flushOutput() -> String? {
        let code = winch_output_flush()
        return code == 0 || code == EPIPE ? nil : String(cString: strerror(code))
    }
}

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

/// This process's command line as other processes see it, in `ps` and `/proc`.
package enum ProcessArguments {
    /// Overwrites a part of an argument with `*`. Swift's own copy of the arguments is not changed.
    ///
    /// - Parameters:
    ///   - argument: 0 is the program's own name.
    ///   - bytes: byte offsets in the argument.
    package static func cover(argument: Int, bytes: Range<Int>) {
        winch_argument_cover(Int32(clamping: argument), bytes.lowerBound, bytes.count)
    }
}

package enum ProcessMemory {
    /// Returns large freed blocks to the system at once. Reading and showing a batch of 100,000 lines needs many of
    /// them for a moment; by default glibc adapts to that and keeps later blocks in its heap, with gaps between them.
    package static func returnsLargePieces() { _ = winch_memory_return_large() }

    /// Returns the pages to the system in which no block is used. The small blocks that reading a long list needs for a moment
    /// lie in heaps of several threads, and glibc by itself returns only the end of each heap. Takes some milliseconds.
    package static func returnFreed() { winch_memory_return_freed() }

    /// Gives back the pages of code that were used so far. Parsing the options and starting the libraries touches code that
    /// a run never uses again, which otherwise stays resident to the end.
    package static func releaseCode() { winch_memory_release_code() }
}
