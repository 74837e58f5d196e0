/// How values and rows are written on the wire of YTsaurus' HTTP API: YSON and JSON, and the
/// encodings of bodies.
///
/// A `DataFormat` reads and writes values and rows, and a `ContentCoding` compresses bodies.
/// Readers of rows keep a part of the body in memory (`RowWindow`) and build no trees for YSON.
///
/// What always holds: reading ends with values or with a `YtException`, whatever bytes a client
/// sends. It takes no more memory than the limits allow. The first 64 KB that a call keeps are not
/// counted; all further memory comes from a pool of the server (`CallMemory`).
///
/// Begin with [DataFormat]; [RowInput] and [RowOutput] are how commands see rows.
@NullMarked
package io.cleave.yt.format;

import org.jspecify.annotations.NullMarked;
