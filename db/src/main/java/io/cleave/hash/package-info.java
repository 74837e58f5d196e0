/// Published hash functions that YDB's queries know by name. All are functions of bytes, without
/// state, for any thread; numbers are read little-endian, and unsigned results come as the bits of
/// `int` and `long`.
@NullMarked
package io.cleave.hash;

import org.jspecify.annotations.NullMarked;
