/// Immutable bytes: written once, sealed, read anywhere, deleted. Begin with [BlobStore].
@NullMarked
package io.cleave.blob;

import org.jspecify.annotations.NullMarked;
