/// How values and rows are written on the wire of YTsaurus' HTTP API: YSON and JSON, and the
/// encodings of bodies.
///
/// A `DataFormat` reads and writes values and rows, and a `ContentCoding` is what compresses
/// bodies. Readers of rows keep a part of the body in memory (`RowWindow`) and build no trees for
/// YSON.
///
/// What always holds: whatever the bytes of a client are, reading them ends, with values or with a
/// `YtException`, and takes no more memory than the limits say. Memory that is kept for a call
/// beyond its first 64 KB comes from a pool of the server (`CallMemory`).
///
/// Begin with [DataFormat]; [RowInput] and [RowOutput] are how commands see rows.
@NullMarked
package io.cleave.yt.format;

import org.jspecify.annotations.NullMarked;
