#!/bin/sh
# Runs random streams of events against the queue and random answers against the dialogues of uploads, then each parser on
# random input, guided by coverage; or random events on the dashboard's update alone.
# usage: fuzz.sh MINUTES STREAMS SEED, or fuzz.sh screen STEPS SEED
set -eu
minutes=$1 streams=$2 seed=$3
package=.build/fuzz log=.build/fuzz/fuzz.log
mkdir -p "$package"

# random COUNT FILTER: the tests with that name, optimized.
random() {
    echo "$1 steps or streams from seed $seed: $2"
    WINCH_STREAMS=$1 WINCH_STEPS=$1 WINCH_SEED=$seed swift test -c release -Xswiftc -enable-testing --scratch-path .build/optimized \
        --filter "$2" 2>&1 | tee "$log" | grep -vE '^(◇|✔ Test case|\[|Test Suite|.Executed)' || true
    took=$(sed -n 's/^✔ Test run with [1-9].* passed after \([0-9.]*\) seconds.*/\1/p' "$log")
    [ -n "$took" ] || exit 1
    awk -v n="$1" -v s="$took" 'BEGIN { printf "%d a second in all\n", n / s }'
}
if [ "$minutes" = screen ]; then
    random "$streams" "WinchScreenTests.*Random input"
    exit
fi
random "$streams" "A queue under random events"
random "$((streams / 10))" "An upload's dialogue under random answers"

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
parsers=$(sed -n 's/^    case \([a-zA-Z, ]*\)$/\1/p' Tests/FuzzTargets/FuzzTarget.swift | tr -d , | tr '\n' ' ')
seconds=$(awk -v m="$minutes" 'BEGIN { printf "%d", m * 60 }')
echo "each parser for $minutes minutes: $parsers"
for parser in $parsers; do
    mkdir -p "$package/corpus/$parser" "$package/found"
    case $parser in
    html | json) kept=Tests/WinchListingTests/Pages ;;
    *) kept=Tests/FuzzTests/Corpus/$parser ;;
    esac
    # What it found stays for the next time; what the project keeps is read but not written to.
    echo "SWIFT_BACKTRACE=enable=no WINCH_FUZZ=$parser '$program' -max_total_time=$seconds -seed=$((seed % 4294967295 + 1)) -max_len=4096 -timeout=10" \
        "-print_final_stats=1 -artifact_prefix='$package/found/$parser-' '$package/corpus/$parser'" \
        "'$kept' >'$package/$parser.log' 2>&1" \
        "&& echo \"$parser: \$(sed -n 's/^stat::number_of_executed_units: *//p' '$package/$parser.log') inputs, nothing found\"" \
        "|| { echo \"✘ $parser: \$(grep -aE 'broken promise|Fatal error|Test unit' '$package/$parser.log' | head -4)\"; touch '$package/failed'; }"
done >"$package/jobs"
rm -f "$package/failed"
tr '\n' '\0' <"$package/jobs" | xargs -0 -P "$(nproc)" -I{} sh -c '{}'
if [ -e "$package/failed" ]; then
    echo "inputs are in $package/found; put them into Tests/FuzzTests/Corpus when they are mended"
    exit 1
fi
