/// Types and values of YQL, and their two encodings.
///
/// `FieldCodec` encodes the fields that rows store. `KeyCodec` encodes keys: the order of the bytes
/// is the order of the values, with NULL first. A `Vector` is a column of many values. The other
/// classes parse, print, convert and compare values of some types.
///
/// What always holds: values are immutable and do not contain their types. Both encodings are on
/// disk, so a change of one is a new format of every table. A value from outside is checked once,
/// where it enters (`Legal`).
///
/// Begin with [io.cleave.value.Type] and [io.cleave.value.Value].
@NullMarked
package io.cleave.value;

import org.jspecify.annotations.NullMarked;
