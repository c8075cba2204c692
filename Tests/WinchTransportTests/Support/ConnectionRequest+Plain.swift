@testable import WinchModel

extension ConnectionRequest {
    /// Without a resume point, and without a name that the user gives.
    init(
        _ url: String, id: Int = 1, in folder: String = "/", _ settings: TransferSettings = TransferSettings()
    ) throws {
        self.init(
            connection: ConnectionID(transfer: TransferID(id)), url: try TransferURL(url), folder: folder, name: nil,
            settings: Shared(settings))
    }
}
