import Foundation
import TestSupport
import Testing

@testable import WinchModel

@Suite struct `A checksum that a user types` {
    @Test(arguments: [
        ("d41d8cd98f00b204e9800998ecf8427e", Checksum.Algorithm.md5),
        ("DA39A3EE5E6B4B0D3255BFEF95601890AFD80709", .sha1),
        (String(repeating: "0", count: 64), .sha256), (String(repeating: "f", count: 128), .sha512),
    ])
    func `may be a bare hash, whose length determines the type`(digits: String, algorithm: Checksum.Algorithm) throws {
        let checksum = try Checksum.reading(digits)
        expectEqual(checksum.algorithm, algorithm)
        expectEqual(checksum.hex, digits.lowercased())
    }

    @Test(arguments: [
        ("abc", "3 digits fit no known type"),
        ("sha-256=abc", "3 digits fit no known type, or not the one that is named"),
        ("crc32=zz", "'crc32=zz' is not a checksum; use TYPE=HEX"),
    ])
    func `that is not a checksum is refused with the reason`(text: String, words: String) {
        do throws(InvalidValue) {
            _ = try Checksum.reading(text)
            Issue.record("taken")
        } catch {
            expect(error.message.hasPrefix(words), "\(error.message)")
        }
    }
}

@Suite struct `Piece hashes` {
    private static func hashes(_ count: Int, length: Int64 = 1000) -> PieceHashes? {
        PieceHashes(
            length: ByteCount(bytes: length), algorithm: .md5,
            digests: (0..<count).flatMap { piece in [UInt8](repeating: UInt8(piece), count: 16) })
    }

    @Test(
        arguments: [
            (3, 2000, false), (3, 2001, true), (3, 3000, true), (3, 3001, false), (1, 0, false), (1, 1, true),
            (3, .max, false), (3, -1, false),
        ] as [(Int, Int64, Bool)])
    func `cover a file whose last piece may be shorter`(count: Int, size: Int64, isWhole: Bool) throws {
        try expectEqual(require(Self.hashes(count)).cover(ByteCount(bytes: size)), isWhole)
    }

    @Test func `are found by the number of the piece`() throws {
        let hashes = try require(Self.hashes(3))
        expectEqual(hashes.count, 3)
        expect(hashes.digest(at: 2).elementsEqual([UInt8](repeating: 2, count: 16)))
        expectEqual(hashes.range(at: 2), 2000..<3000)
    }

    @Test func `need a length above zero and whole digests`() {
        expectNil(Self.hashes(0))
        expectNil(Self.hashes(1, length: 0))
        expectNil(Self.hashes(1, length: .max))
        expectNil(PieceHashes(length: ByteCount(bytes: 1), algorithm: .md5, digests: [1, 2, 3]))
    }

    @Test func `are the same after encoding`() throws {
        let hashes = try require(Self.hashes(3))
        let encoded = try JSONEncoder().encode(hashes)
        try expectEqual(JSONDecoder().decode(PieceHashes.self, from: encoded), hashes)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(
                PieceHashes.self, from: Data(#"{"length":{"bytes":0},"algorithm":"md5","digests":"AAAA"}"#.utf8))
        }
    }

    @Test func `take no room in an order without them`() throws {
        var spec = TransferSpec(urls: [try TransferURL("http://h/a")])
        let plain = spec
        spec.pieces = Self.hashes(1)
        spec.listedSize = ByteCount(bytes: 1)
        expect(spec != plain)
        expectEqual(spec.pieces?.count, 1)
        (spec.pieces, spec.listedSize) = (nil, nil)
        expectEqual(spec, plain)
        expect(MemoryLayout<TransferSpec>.size <= 112)
    }
}
