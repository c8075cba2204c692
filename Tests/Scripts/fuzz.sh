#!/bin/sh
# Runs random streams of events against the queue and random answers against the dialogues of uploads, then each parser on
# random input, guided by coverage.
# usage: fuzz.sh MINUTES STREAMS SEED
# The queue's tests are built optimized in a package of their own, with no more than the modules below them.
set -eu
minutes=$1 streams=$2 seed=$3
package=.build/fuzz
mkdir -p "$package/Sources" "$package/Tests"
for module in WinchModel WinchProgress WinchHTTP WinchQueue; do
    ln -sfn "$PWD/Sources/$module" "$package/Sources/$module"
done
ln -sfn "$PWD/Tests/WinchQueueTests" "$package/Tests/WinchQueueTests"
ln -sfn "$PWD/Tests/TestSupport" "$package/Tests/TestSupport"
cat >"$package/Package.swift" <<'END'
// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"), .unsafeFlags(["-enable-testing"]),
]
let package = Package(
    name: "winch",
    dependencies: [
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-http-structured-headers", from: "1.7.0"),
    ],
    targets: [
        .target(name: "WinchModel", swiftSettings: settings),
        .target(name: "WinchProgress", dependencies: ["WinchModel"], swiftSettings: settings),
        .target(
            name: "WinchHTTP",
            dependencies: [
                "WinchModel", .product(name: "RawStructuredFieldValues", package: "swift-http-structured-headers"),
            ],
            swiftSettings: settings),
        .target(
            name: "WinchQueue",
            dependencies: ["WinchModel", "WinchProgress", .product(name: "HeapModule", package: "swift-collections")],
            swiftSettings: settings),
        .target(name: "TestSupport", dependencies: ["WinchModel"], path: "Tests/TestSupport", swiftSettings: settings),
        .testTarget(
            name: "WinchQueueTests",
            dependencies: ["WinchModel", "WinchProgress", "WinchHTTP", "WinchQueue", "TestSupport"], swiftSettings: settings),
    ])
END
log="$package/fuzz.log"
echo "$streams streams from seed $seed"
WINCH_STREAMS=$streams WINCH_SEED=$seed swift test -c release --package-path "$package" --filter "A queue under random events" 2>&1 |
    tee "$log" | grep -vE '^(◇|✔ Test case|\[|Test Suite|.Executed)' || true
grep -qE '^✔ Test run with [1-9][0-9]* test' "$log" || exit 1
took=$(sed -n 's/^✔ Test run with .* passed after \([0-9.]*\) seconds.*/\1/p' "$log")
awk -v n="$streams" -v s="$took" 'BEGIN { printf "%d streams a second in all\n", n / s }'

# The dialogues of uploads need libcurl, and with it the package itself.
echo "$((streams / 10)) dialogues of uploads from seed $seed"
WINCH_STREAMS=$((streams / 10)) WINCH_SEED=$seed swift test --filter "An upload's dialogue under random answers" 2>&1 |
    tee "$log" | grep -E 'recorded an issue|^✘|^seed' || true
grep -qE '^✔ Test run with [1-9][0-9]* test' "$log" || exit 1

# The parsers are built with coverage and linked apart, because libFuzzer has the main function.
guided="$PWD/$package/guided"
swift build -c release --scratch-path "$guided" --sanitize fuzzer --target FuzzTargets
cat >"$guided/Entry.swift" <<'END'
import FuzzTargets
import Glibc

// Chosen by the environment: libFuzzer takes the arguments.
let target = getenv("WINCH_FUZZ").flatMap { FuzzTarget(rawValue: String(cString: $0)) }

@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let target else { fatalError("WINCH_FUZZ names no parser") }
    if let fault = target.fault(Array(UnsafeBufferPointer(start: start, count: count))) {
        let words = Array("broken promise: \(fault)\n".utf8)
        write(STDERR_FILENO, words, words.count)
        abort()
    }
    return 0
}
END
program="$guided/fuzz-parsers"
swiftc -O -swift-version 6 -parse-as-library -sanitize=fuzzer -I "$guided/release/Modules" -I Sources/Cexpat -o "$program" \
    "$guided/Entry.swift" $(find "$guided/release/" -name '*.swift.o')
parsers=$(sed -n 's/^    case \([a-zA-Z, ]*\)$/\1/p' Tests/FuzzTargets/FuzzTarget.swift | head -1 | tr -d ,)
seconds=$(awk -v m="$minutes" 'BEGIN { printf "%d", m * 60 }')
echo "each parser for $minutes minutes: $parsers"
for parser in $parsers; do
    mkdir -p "$package/corpus/$parser" "$package/found"
    # What it found stays for the next time; what the project keeps is read but not written to.
    echo "SWIFT_BACKTRACE=enable=no WINCH_FUZZ=$parser '$program' -max_total_time=$seconds -seed=$((seed % 4294967295 + 1)) -max_len=4096 -timeout=10" \
        "-print_final_stats=1 -artifact_prefix='$package/found/$parser-' '$package/corpus/$parser'" \
        "'Tests/FuzzTests/Corpus/$parser' >'$package/$parser.log' 2>&1" \
        "&& echo \"$parser: \$(sed -n 's/^stat::number_of_executed_units: *//p' '$package/$parser.log') inputs, nothing found\"" \
        "|| { echo \"✘ $parser: \$(grep -aE 'broken promise|Fatal error|Test unit' '$package/$parser.log' | head -4)\"; touch '$package/failed'; }"
done >"$package/jobs"
rm -f "$package/failed"
tr '\n' '\0' <"$package/jobs" | xargs -0 -P "$(nproc)" -I{} sh -c '{}'
if [ -e "$package/failed" ]; then
    echo "inputs are in $package/found; put them into Tests/FuzzTests/Corpus when they are mended"
    exit 1
fi
