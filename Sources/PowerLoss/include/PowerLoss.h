/// Preloaded into a program, keeps what a power loss would leave of its files; `PowerCut` in FaultSuite makes it so.
///
/// The model, that of a journalling file system in ordered mode that promises no more than it must:
/// - Bytes of a file are safe up to what it held when a successful fsync, fdatasync or syncfs began. Of later ones any page may
///   be old, new or zero, and the length anything in between.
/// - Names (created, linked, renamed, removed) become safe in their order, all of them with any sync. Of those since the last
///   sync any first part may have happened.
/// - Folders, permissions and extended attributes are safe at once.
///
/// Shared memory of SQLite (`-shm`) is thrown away. After a loss the machine has another boot id.
///
/// Environment: POWER_LOSS_ROOTS (folders, absolute, separated by `:`), POWER_LOSS_JOURNAL (a folder on the same file system),
/// POWER_LOSS_BOOT_ID (a file that stands for /proc/sys/kernel/random/boot_id).
///
/// Journal: lines `C path inode` (created), `L path inode` (linked), `R old new inode kept`, `U path inode kept`, `S inode copy`, `M`, fields
/// separated by TABs; `kept` is the name of a link to what was replaced, or `-`.
#ifndef POWER_LOSS_H
#define POWER_LOSS_H

#endif
