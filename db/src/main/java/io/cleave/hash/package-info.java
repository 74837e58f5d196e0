/// Published hash functions that YDB's queries use by name, such as `Digest::XXH3`. The function
/// library calls them.
///
/// What always holds:
///
/// - Every function returns the same values as YDB's.
/// - All are pure functions of bytes: they keep no state, and any thread may call them.
/// - Numbers are read little-endian. Unsigned results are returned as the bits of an `int` or
///   `long`.
/// - No stored format depends on this package: logs and table files have hashes of their own.
///
/// Begin with [io.cleave.hash.Xxh3]; each of the others is a class of its own.
@NullMarked
package io.cleave.hash;

import org.jspecify.annotations.NullMarked;
