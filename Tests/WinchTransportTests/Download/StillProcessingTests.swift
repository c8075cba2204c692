import FaultServer
import TestSupport
import Testing

@testable import WinchModel
@testable import WinchTransport

@Suite(.timeLimit(.minutes(5))) struct `A server that is still processing a request` {
    @Test(arguments: [false, true]) func `is waited for as long as it says so`(isUpload: Bool) async throws {
        try await FaultServer.serving { server in
            let interim = "HTTP/1.1 102 Processing\r\n\r\n"
            let url = server.rawURL(
                interim, "wait=0.7", "bytes=" + interim, "wait=0.7", "bytes=" + interim, "wait=0.7",
                "bytes=HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
            let rig = try Rig()
            rig.folder.write("source", [1, 2, 3])
            let order = UploadOrder(.file(rig.folder.path + "/source"))
            // All heads together are shorter than what counts as no stall.
            try rig.start(url, upload: isUpload ? order : nil) { $0.stallTimeout = .seconds(1) }
            await expectNil(rig.settled().failure)
        }
    }
}
