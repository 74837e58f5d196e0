/// Types and values of YQL, and their two encodings: fields, which columns store, and keys, whose
/// byte order is the order of the values with NULL first. Both encodings are on disk. Begin with
/// [io.cleave.value.Type] and [io.cleave.value.Value].
@NullMarked
package io.cleave.value;

import org.jspecify.annotations.NullMarked;
