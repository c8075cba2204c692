#!/bin/sh
# Anything at any time, on the dashboard's update alone: monkey STEPS SEED
# Optimized, and built apart: all that it needs is the screen, its tests and the modules below it.
set -eu
steps=$1 seed=$2
package=.build/monkey
mkdir -p "$package/Sources" "$package/Tests"
for module in WinchModel WinchBatch WinchScreen; do ln -sfn "$PWD/Sources/$module" "$package/Sources/$module"; done
ln -sfn "$PWD/Resources" "$package/Sources/Resources"
ln -sfn "$PWD/Tests/WinchScreenTests" "$package/Tests/WinchScreenTests"
themes=$(cd Resources/themes && printf '.embedInCode("themes/%s"), ' *.theme)
cat >"$package/Package.swift" <<END
// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"), .unsafeFlags(["-enable-testing"]),
]
let package = Package(
    name: "winch",
    targets: [
        .target(name: "WinchModel", swiftSettings: settings),
        .target(name: "WinchBatch", dependencies: ["WinchModel"], swiftSettings: settings),
        .target(name: "Resources", resources: [.embedInCode("demo.urls"), $themes], swiftSettings: settings),
        .target(name: "WinchScreen", dependencies: ["WinchModel", "WinchBatch", "Resources"], swiftSettings: settings),
        .testTarget(
            name: "WinchScreenTests", dependencies: ["WinchScreen", "WinchModel", "WinchBatch", "Resources"], exclude: ["Golden"],
            swiftSettings: settings),
    ])
END
log="$package/monkey.log"
echo "$steps steps on the screen alone, from seed $seed"
WINCH_STEPS=$steps WINCH_SEED=$seed swift test -c release --package-path "$package" --filter "Random input" \
    >"$log" 2>&1 || true
grep -E '^(✘|error)|recorded an issue|error:' "$log" | head -20 || true
grep -qE '^✔ Test run with [1-9][0-9]* test' "$log" || { tail -5 "$log"; exit 1; }
took=$(sed -n 's/^✔ Test run with .* passed after \([0-9.]*\) seconds.*/\1/p' "$log")
awk -v n="$steps" -v s="$took" 'BEGIN { printf "%d steps in %.1f s, nothing broken\n", n, s }'
