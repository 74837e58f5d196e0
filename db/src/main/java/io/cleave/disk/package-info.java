/// Files and folders as the log and the blobs need them, so that a test can put a disk under them
/// that loses power, fills up and lies. Begin with [io.cleave.disk.Disk].
@NullMarked
package io.cleave.disk;

import org.jspecify.annotations.NullMarked;
