/// Types and values of YQL, and their two byte forms: cells (what a column stores) and keys (whose
/// byte order is the order of the values, NULL first). Begin with [io.cleave.value.Type] and
/// [io.cleave.value.Value].
@NullMarked
package io.cleave.value;

import org.jspecify.annotations.NullMarked;
