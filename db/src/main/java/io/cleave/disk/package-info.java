/// Files and folders, as the log and the blob store need them.
///
/// `FileDisk` is the file system of the machine. `OverlayDisk` shows what opening a store would do
/// without changing a file. Tests use a disk that loses power, fills up or fails.
///
/// What always holds: the bytes of a file are durable after `DiskFile.force`, and names are durable
/// after the force of their folder. Nothing else is promised, and the packages above rely on
/// nothing else. After a failed force, what reached the disk is unknown.
///
/// Begin with [io.cleave.disk.Disk], which says what a disk guarantees.
@NullMarked
package io.cleave.disk;

import org.jspecify.annotations.NullMarked;
