/// Immutable blobs: written once, sealed, read by any number of readers, deleted.
///
/// `LocalBlobs` has one file for each blob, in one folder for each medium; `MemoryBlobs` is for
/// databases that need not outlive their process. The module `bookkeeper` has another store.
///
/// What always holds: a blob can be read only after it was sealed, and never changes after that. A
/// sealed blob is durable. An id is never used twice, not even after a restart, so the bytes of an
/// id can be cached without a check.
///
/// Begin with [io.cleave.blob.BlobStore].
@NullMarked
package io.cleave.blob;

import org.jspecify.annotations.NullMarked;
