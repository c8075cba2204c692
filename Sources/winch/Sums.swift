import ArgumentParser
import Glibc
import WinchCore

/// What files must hash to, from the lists that `--sums` names.
struct Sums: Sendable {
    private(set) var list = ChecksumList()
    /// Lines that were passed over: `SHA256SUMS:12: warning: ...`.
    private(set) var problems: [String] = []

    /// 16 MiB: the list of a whole distribution has one.
    static let largest = 16 << 20

    /// Reads the lists, over the network where they are URLs.
    ///
    /// - Parameter settings: of every transfer; logins and proxies hold for the lists as well.
    /// - Throws: when one cannot be had: what it was to prove would go unproved.
    init(_ sources: [String], settings: TransferSettings) throws {
        for source in sources {
            let (name, bytes) = try Self.read(source, settings)
            problems += list.read(bytes).map { "\(name):\($0.line): \($0.severity.rawValue): \($0.message)" }
            guard !list.isEmpty else { throw Messages.Fatal("--sums \(name): no checksums in it") }
        }
    }

    /// The same, each with the hash that is listed for it.
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
            return (url.redacted, try SumsFetch(settings: settings).bytes(of: url))
        }
        do throws(InputFile.Failure) {
            return (source, try InputFile.read(source, largest: largest))
        } catch {
            throw ValidationError("--sums \(error.message)")
        }
    }
}
