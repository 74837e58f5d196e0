/// The file operations that the log and the blob store need. Tests can replace the disk by one that
/// loses power, fills up or fails. Begin with [io.cleave.disk.Disk].
@NullMarked
package io.cleave.disk;

import org.jspecify.annotations.NullMarked;
