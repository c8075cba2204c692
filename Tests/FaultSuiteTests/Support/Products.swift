import Foundation

/// The built programs and libraries, which lie beside the tests.
enum Products {
    static func path(_ name: String) -> String {
        let places = ["/proc/self/exe", CommandLine.arguments[0]].map {
            URL(fileURLWithPath: $0).resolvingSymlinksInPath().deletingLastPathComponent().appending(path: name).path
        }
        return places.first { FileManager.default.fileExists(atPath: $0) } ?? name
    }
}
