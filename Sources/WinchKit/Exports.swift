/// Programs import `WinchKit` alone. The types of its values (`ByteCount`, `TransferSettings`, `TransferFailure` and others) are
/// declared in WinchModel, which is no product of its own. Of that module only its public declarations become visible; all
/// others have package access.
@_exported public import WinchModel
