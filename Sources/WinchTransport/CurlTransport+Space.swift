public import WinchCore

extension CurlTransport {
    public nonisolated func space(in folder: String) async -> SpaceReading? {
        await withCheckedContinuation { continuation in
            let isAsking = Threads.start { continuation.resume(returning: FreeSpace.read(folder)) }
            if !isAsking { continuation.resume(returning: nil) }
        }
    }
}
