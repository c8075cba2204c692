/// A worked vector: its events, what each of the two bars shows at each look, and why they differ.
struct Vector: CustomStringConvertible {
    /// An intended difference between Winch and ASI.
    enum Difference: String {
        case none
        case failuresAreSettled
        case unknownSizesAreGuessedInBytes
        case anErrorPagesLengthIsNoSize
        case theBodysHeadersBeatTheProbes
        case aKeptPartCountsOnceAndAtOnce
        case anIgnoredRangeStartsOverAtNothing
        case aRetryCountsWhatIsOnDisk
        case anEmptyFileAddsNothing
        case aLoginPageMovesNothing
        case theSystemsBufferIsPartOfTheBody
        case anUnsentBodyIsTakenBackExactly
        case theCancelledWillNotBeFetched
        case aNewcomerIsGuessedAtOnce
        case aCompletePartIsAFile
        case whatOutgrowsItsSizeIsAGuess
        case lateBytesAreNobodys
    }

    var number: Int
    var isAccurate = true
    var moves: [Move]
    var asi: [String]
    var winch: [String]
    var difference: Difference

    var description: String { "\(number): \(difference)" }

    static let all: [Vector] =
        [
            Vector(
                number: 1, isAccurate: false,
                moves: Array(repeating: .add, count: 5) + (1...5).flatMap { [.look] + Move.whole($0, 10) } + [.look],
                asi: ["0/5", "1/5", "2/5", "3/5", "4/5", "5/5"], winch: ["0/5", "1/5", "2/5", "3/5", "4/5", "5/5"],
                difference: .none),
            Vector(
                number: 2, isAccurate: false,
                moves: Array(repeating: .add, count: 4) + [1, 2, 4].flatMap { Move.whole($0, 10) } + [
                    .failed(3), .look,
                ],
                asi: ["3/4"], winch: ["4/4"], difference: .failuresAreSettled),
            Vector(
                number: 3,
                moves: [.add, .add, .add, .sized(1, 1000), .sized(2, 3000), .sized(3, 6000)] + Move.whole(1, 1000)
                    + [.opened(2, 3000), .read(2, 1500), .look],
                asi: ["2500/10000"], winch: ["2500/10000"], difference: .none),
            Vector(
                number: 4,
                moves: [.add, .add, .add, .sized(1, 1000), .sized(2, nil), .sized(3, 3000)] + Move.whole(1, 1000)
                    + Move.whole(3, 3000) + [.opened(2, nil), .read(2, 5000), .look, .done(2), .look],
                asi: ["4000/4001", "4001/4001"], winch: ["9000/14000 ~", "9000/9000"],
                difference: .unknownSizesAreGuessedInBytes),
            Vector(
                number: 5, moves: [.add, .sized(1, 150, status: 405)] + Move.whole(1, 1_000_000) + [.look],
                asi: ["1000000/150"], winch: ["1000000/1000000"], difference: .anErrorPagesLengthIsNoSize),
            Vector(
                number: 6, moves: [.add, .sized(1, 900), .look] + Move.whole(1, 1000) + [.look],
                asi: ["0/900", "1000/900"], winch: ["0/900", "1000/1000"], difference: .theBodysHeadersBeatTheProbes),
            Vector(
                number: 7,
                moves: [
                    .add(part: 400, of: 1000), .look, .sized(1, 1000), .opened(1, 600, status: 206), .read(1, 600),
                    .done(1),
                    .look,
                ], asi: ["0/0", "1000/1400"], winch: ["400/1000", "1000/1000"],
                difference: .aKeptPartCountsOnceAndAtOnce),
            Vector(
                number: 8,
                moves: [
                    .add(part: 400, of: 1000), .look, .opened(1, 1000), .look, .read(1, 1000), .done(1), .look,
                ], asi: ["0/0", "0/600", "1000/600"], winch: ["400/1000", "0/1000", "1000/1000"],
                difference: .anIgnoredRangeStartsOverAtNothing),
            Vector(
                number: 9,
                moves: [
                    .add, .sized(1, 1000), .opened(1, 1000), .read(1, 600), .look, .lost(1, asksForRest: false),
                    .opened(1, 1000), .look, .read(1, 1000), .done(1), .look,
                ], asi: ["600/1000", "600/1000", "1600/1000"], winch: ["600/1000", "0/1000", "1000/1000"],
                difference: .aRetryCountsWhatIsOnDisk),
            Vector(
                number: 10,
                moves: [
                    .add, .sized(1, 1000), .opened(1, 1000), .read(1, 600), .look, .lost(1, asksForRest: true),
                    .opened(1, 400, status: 206), .look, .read(1, 400), .done(1), .look,
                ], asi: ["600/1000", "600/1000", "1600/1000"], winch: ["600/1000", "600/1000", "1000/1000"],
                difference: .aRetryCountsWhatIsOnDisk),
        ]
        + later
}

extension Vector {
    private static let later: [Vector] = [
        Vector(
            number: 11, moves: [.add, .sized(1, 0), .opened(1, 0), .done(1), .look], asi: ["1/0"], winch: ["0/0"],
            difference: .anEmptyFileAddsNothing),
        Vector(
            number: 11,
            moves: [.add, .add, .sized(1, 0), .sized(2, 1000), .opened(1, 0), .done(1)] + Move.whole(2, 1000) + [.look],
            asi: ["1001/1000"], winch: ["1000/1000"], difference: .anEmptyFileAddsNothing),
        Vector(
            number: 12,
            moves: [
                .add, .refused(1, status: 401, body: 200), .look, .opened(1, 1000), .look, .read(1, 1000), .done(1),
                .look,
            ], asi: ["200/200", "200/1200", "1200/1200"], winch: ["0/16384 ~", "0/1000", "1000/1000"],
            difference: .aLoginPageMovesNothing),
        Vector(
            number: 13,
            moves: [
                .addUpload(of: 300_000), .sent(1, 131_072), .look, .sent(1, 262_144), .look, .sent(1, 300_000), .look,
                .replied(1), .look,
            ], asi: ["0/168928", "131072/168928", "168928/168928", "168928/168928"],
            winch: ["131072/300000", "262144/300000", "300000/300000", "300000/300000"],
            difference: .theSystemsBufferIsPartOfTheBody),
        Vector(
            number: 14,
            moves: [
                .addUpload(of: 300_000), .sent(1, 131_072), .sent(1, 300_000), .look, .unsent(1), .look,
                .sent(1, 300_000),
                .replied(1), .look,
            ], asi: ["168928/168928", "18446744073709420544/168928", "168928/168928"],
            winch: ["300000/300000", "0/300000", "300000/300000"], difference: .anUnsentBodyIsTakenBackExactly),
        Vector(
            number: 15,
            moves: [.add, .add, .add] + (1...3).map { .sized($0, 1000) } + Move.whole(1, 1000) + [
                .opened(2, 1000), .read(2, 500), .look, .cancel(2), .look,
            ] + Move.whole(3, 1000) + [.look], asi: ["1500/3000", "1500/3000", "2500/3000"],
            winch: ["1500/3000", "1500/2500", "2500/2500"], difference: .theCancelledWillNotBeFetched),
        Vector(
            number: 16,
            moves: Array(repeating: .add, count: 5) + (1...5).map { .sized($0, 130_050) } + Move.whole(1, 130_050)
                + Move.whole(2, 130_050) + [.look, .add, .look, .opened(6, 130_050), .look],
            asi: ["260100/650250", "260100/650250", "260100/780300"],
            winch: ["260100/650250", "260100/780300 ~", "260100/780300"], difference: .aNewcomerIsGuessedAtOnce),
        Vector(
            number: 17,
            moves: [
                .add, .refused(1, status: 302, body: 300), .opened(1, 5000), .look, .read(1, 5000), .done(1), .look,
            ],
            asi: ["0/5000", "5000/5000"], winch: ["0/5000", "5000/5000"], difference: .none),
        Vector(
            number: 18, moves: [.add(part: 1000, of: 1000), .refused(1, status: 416, body: 197), .look],
            asi: ["1197/1197"], winch: ["1000/1000"], difference: .aCompletePartIsAFile),
        Vector(
            number: 19, moves: [.add, .opened(1, 1000), .read(1, 1000), .read(1, 200), .look, .done(1), .look],
            asi: ["1200/1000", "1200/1000"], winch: ["1200/2400 ~", "1200/1200"],
            difference: .whatOutgrowsItsSizeIsAGuess),
        Vector(
            number: 20, moves: [.add, .opened(1, 1000), .read(1, 700), .look, .cancelAll, .late(1, 100), .look],
            asi: ["700/1000", "100/0"], winch: ["700/1000", "700/700"], difference: .lateBytesAreNobodys),
    ]
}
