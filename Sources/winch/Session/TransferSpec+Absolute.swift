import WinchModel
import WinchSession

extension SessionRequest {
    /// - Parameter folder: relative paths become absolute in it, because the session has another working folder; `nil`: they
    ///   are left to a session on another machine.
    static func adding(_ specs: [TransferSpec], from folder: WorkingFolder?) throws(SessionFailure) -> [SessionRequest]
    {
        try adding(specs.lazy.map { spec in folder.map { spec.absolute(in: $0) } ?? spec })
    }
}

extension Addition {
    /// With absolute paths, for a list that processes with other working folders look at.
    func absolute(in folder: WorkingFolder) -> Addition {
        var addition = self
        addition.spec = spec.absolute(in: folder)
        return addition
    }
}

extension TransferSpec {
    /// With absolute paths, for a process that has another working folder.
    func absolute(in folder: WorkingFolder) -> TransferSpec {
        var spec = self
        if !spec.hasNoFolder { spec.folder = folder.absolute(spec.folder) }
        spec.upload = spec.upload?.absolute(in: folder)
        return spec
    }
}

extension UploadOrder {
    fileprivate func absolute(in folder: WorkingFolder) -> UploadOrder {
        var order = self
        switch content {
        case .file(let path): order.content = .file(folder.absolute(path))
        case .folder(let path): order.content = .folder(folder.absolute(path))
        case .form(let fields):
            order.content = .form(
                fields.map { field in
                    var field = field
                    if case .file(let path, let name, let type) = field.value {
                        field.value = .file(path: folder.absolute(path), name: name, type: type)
                    }
                    return field
                })
        case .standardInput, .open: break
        }
        return order
    }
}
