/// Preloaded into a program, records what a power loss would leave of its files; `PowerCut` of the tests applies it.
///
/// The model is that of a journalling file system in ordered mode that gives no more than its guarantees:
/// - Bytes of a file are safe up to its content when a successful fsync, fdatasync or syncfs began. Of later bytes any page
///   may be old, new or zero, and the length anything in between.
/// - Names (created, linked, renamed, removed) become safe in their order, all of them with any sync. Of the changes since
///   the last sync, any number from the first on may have happened.
/// - Folders, permissions and extended attributes are safe at once.
///
/// SQLite's shared memory (`-shm`) is deleted. After a loss the machine has another boot id.
///
/// Environment: POWER_LOSS_ROOTS (folders, absolute, separated by `:`), POWER_LOSS_JOURNAL (a folder on the same file
/// system), POWER_LOSS_BOOT_ID (a file that replaces /proc/sys/kernel/random/boot_id).
///
/// Journal: lines `C path inode` (created), `L path inode` (linked), `R old new inode kept` (renamed), `U path inode kept`
/// (removed), `A path attribute` (an extended attribute was removed; for tests of the order), `S inode copy` (synced), `M`
/// (names are safe), with TABs between the fields; `kept` is the name of a link to the replaced or removed file, or `-`.
#pragma once
