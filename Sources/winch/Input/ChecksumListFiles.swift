import ArgumentParser
import Glibc
import WinchBatch
import WinchModel
import WinchTransport

/// The checksums of files from the lists of `--sums`.
struct ChecksumListFiles: Sendable {
    private(set) var list = ChecksumList()
    /// Messages about ignored lines: `SHA256SUMS:12: warning: ...`.
    private(set) var problems: [String] = []

    /// 16 MiB, in bytes; the list of a whole distribution has 1 MiB.
    static let largest = 16 << 20

    /// Reads the lists from files, or downloads them from URLs.
    ///
    /// - Parameter settings: the settings of all transfers; logins and proxies are also used for the lists.
    /// - Throws: when a list cannot be read or has no checksums, because the files could then not be verified.
    init(_ sources: [String], settings: TransferSettings) throws {
        for source in sources {
            let (name, bytes) = try Self.read(source, settings)
            problems += list.read(bytes).map { "\(name):\($0.line): \($0.severity.rawValue): \($0.message)" }
            guard !list.isEmpty else { throw ErrorOutput.Fatal("--sums \(name): no checksums in it") }
        }
    }

    /// The entries with the checksums that are listed for them.
    func demanded(of specs: [TransferSpec]) -> [TransferSpec] {
        guard !list.isEmpty else { return specs }
        return specs.map { spec in
            guard let listed = list.checksum(for: spec) else { return spec }
            var spec = spec
            spec.listedChecksum = listed
            return spec
        }
    }

    private static func read(_ source: String, _ settings: TransferSettings) throws -> (name: String, [UInt8]) {
        if source.utf8.contains(UInt8(ascii: ":")), access(source, F_OK) != 0 {
            let url: TransferURL
            do throws(TransferURL.Fault) {
                url = try TransferURL(source)
            } catch {
                throw ValidationError("--sums: \(error.message)")
            }
            return (url.redacted, try ChecksumListDownload(settings: settings).bytes(of: url))
        }
        do throws(InputFile.Failure) {
            return (source, try InputFile.read(source, largest: largest))
        } catch {
            throw ValidationError("--sums \(error.message)")
        }
    }
}
