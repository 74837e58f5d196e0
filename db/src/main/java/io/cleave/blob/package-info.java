/// Immutable blobs: written once, sealed, read by any number of readers, deleted. An id is never
/// used twice. Begin with [BlobStore].
@NullMarked
package io.cleave.blob;

import org.jspecify.annotations.NullMarked;
