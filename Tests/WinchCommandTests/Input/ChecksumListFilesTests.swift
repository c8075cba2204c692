import ArgumentParser
import TestSupport
import Testing
import WinchBatch
import WinchQueue

@testable import WinchModel
@testable import winch

@Suite struct `Files with hashes from a checksum list` {
    @Test func `share one copy of the settings`() throws {
        let folder = try TemporaryFolder()
        let hashes = (10..<60).map { String(repeating: "\($0)", count: 32) }
        let list = hashes.enumerated().map { "\($1)  \($0).bin\n" }.joined()
        folder.write("SHA256SUMS", Array(list.utf8))
        let sums = try ChecksumListFiles([folder.path + "/SHA256SUMS"], settings: TransferSettings())
        let settings = Shared(TransferSettings())
        let specs = try hashes.indices.map {
            TransferSpec(urls: [try TransferURL("http://h/\($0).bin")], settings: settings)
        }
        let demanded = sums.demanded(of: specs)
        expectEqual(demanded.map { $0.listedChecksum?.hex }, hashes)
        expectEqual(Set(demanded.map { ObjectIdentifier($0.settings) }).count, 1)
    }

    @Test func `are verified by the list rather than by what a Metalink says of them`() throws {
        let folder = try TemporaryFolder()
        let hash = String(repeating: "1", count: 64)
        folder.write("SHA256SUMS", Array("\(hash)  f\n".utf8))
        let sums = try ChecksumListFiles([folder.path + "/SHA256SUMS"], settings: TransferSettings())
        var spec = TransferSpec(urls: [try TransferURL("http://h/f")])
        (spec.listedChecksum, spec.listedOrigin) = (Checksum("sha-256=" + String(repeating: "0", count: 64)), .metalink)
        let demanded = sums.demanded(of: [spec])
        expectEqual(demanded.map { $0.listedChecksum?.hex }, [hash])
        expectEqual(demanded.map(\.listedOrigin), [.list])
        expectNil(sums.fault(of: demanded, undone: "nothing"))
    }

    @Test func `name the list in their settings if it may still have them`() throws {
        let folder = try TemporaryFolder()
        folder.write("SHA256SUMS", Array("\(String(repeating: "1", count: 64))  f\n".utf8))
        let lists = [folder.path + "/SHA256SUMS"]
        let sums = try ChecksumListFiles(lists, settings: TransferSettings(), isKept: true)
        let settings = Shared(TransferSettings())
        let specs = try ["f", "get?id=5", "get?id=6"].map {
            TransferSpec(urls: [try TransferURL("http://h/" + $0)], settings: settings)
        }
        let demanded = sums.demanded(of: specs)
        expectEqual(demanded.map(\.settings.value.sums), [nil, sums.key, sums.key])
        expect(demanded[1].settings === demanded[2].settings)
        try expectEqual(sums.lists.list(for: demanded[1].settings.value).checksum(of: "f"), demanded[0].listedChecksum)
        // In another run the list is read from the ledger, or its files fail.
        let later = try ChecksumListFiles([], settings: TransferSettings())
        #expect(throws: TransferFailure.self) { try later.lists.list(for: demanded[1].settings.value) }
        let list = sums.list
        later.lists.open { $0 == sums.key ? list : nil }
        var found = demanded[1]
        found.name = try TargetPath("f")
        expectEqual(later.demanded(of: [found]).map(\.listedChecksum), [demanded[0].listedChecksum])
    }

    @Test func `are missing for what a session gets under names that are not listed, which is said`() throws {
        let folder = try TemporaryFolder()
        folder.write("SHA256SUMS", Array("\(String(repeating: "1", count: 64))  f\n".utf8))
        let sums = try ChecksumListFiles([folder.path + "/SHA256SUMS"], settings: TransferSettings())
        let specs = try ["f", "get?id=5"].map { TransferSpec(urls: [try TransferURL("http://h/" + $0)]) }
        let demanded = sums.demanded(of: specs)
        expectNil(sums.notice(ofAdded: [demanded[0]]))
        let notice = try require(sums.notice(ofAdded: demanded))
        expect(notice.contains("/SHA256SUMS: 1 of 2 files not listed there"), "\(notice)")
        let none = try ChecksumListFiles([], settings: TransferSettings())
        expectNil(none.notice(ofAdded: specs))
    }

    /// A list with a weaker checksum of a verified file has named it.
    @Test(arguments: [("a", false), ("b", true)])
    func `are missing from one of several lists, which is said`(name: String, isSaid: Bool) throws {
        let folder = try TemporaryFolder()
        let hash = String(repeating: "1", count: 64)
        folder.write("SHA256SUMS", Array("\(hash)  a\n".utf8))
        folder.write("MD5SUMS", Array("\(String(repeating: "2", count: 32))  \(name)\n".utf8))
        let lists = ["SHA256SUMS", "MD5SUMS"].map { folder.path + "/" + $0 }
        let sums = try ChecksumListFiles(lists, settings: TransferSettings())
        var summary = RunSummary(finished: 1)
        expectEqual(sums.notices(after: summary), [])
        (summary.listed, summary.listedChecksums) = (1, Set([Checksum("sha-256=" + hash)].compactMap(\.self)))
        let words = "--sums \(lists[1]): warning: none of the downloaded files is listed there"
        expectEqual(sums.notices(after: summary), isSaid ? [words] : [])
    }

    @Test(
        arguments: [
            (["https://h/a", "https://h:8443/b"], "https://h/SUMS", true),
            (["https://h/a"], "https://other/SUMS", false),
            (["https://h/a"], "http://h/SUMS", false), ([], "https://other/SUMS", true),
        ] as [([String], String, Bool)])
    func `send the secrets of the files to no other origin that has the list`(
        files: [String], list: String, isSent: Bool
    ) throws {
        var given = TransferSettings()
        (given.user, given.headers, given.proxy) = ("me", ["X-Api-Key: k"], "p:1")
        let specs = try files.map { TransferSpec(urls: [try TransferURL($0)], settings: Shared(given)) }
        let sent = ChecksumListFiles.settings(given, for: try TransferURL(list), of: specs[...])
        expect(sent.user == (isSent ? "me" : nil) && sent.headers == (isSent ? given.headers : []))
        expectEqual(sent.proxy, "p:1")
    }

    @Test func `are refused when a list has none that can be verified, also beside a good list`() throws {
        let folder = try TemporaryFolder()
        folder.write("SHA512SUMS", Array("\(String(repeating: "1", count: 128))  a\n".utf8))
        folder.write("b2sums.txt", Array("\(String(repeating: "2", count: 128))  a\n".utf8))
        let lists = ["SHA512SUMS", "b2sums.txt"].map { folder.path + "/" + $0 }
        let error = #expect(throws: ValidationError.self) {
            try ChecksumListFiles(lists, settings: TransferSettings())
        }
        expect("\(String(describing: error))".contains("line 1: unknown checksum type: BLAKE2b"))
        try expectEqual(ChecksumListFiles([lists[0]], settings: TransferSettings()).problems, [])
    }
}
