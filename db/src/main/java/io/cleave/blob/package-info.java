/// Immutable bytes: written once, sealed, read anywhere, deleted.
@NullMarked
package io.cleave.blob;

import org.jspecify.annotations.NullMarked;
