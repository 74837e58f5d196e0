/// How values and rows are written on the wire of YTsaurus' HTTP API: YSON and JSON, and the
/// encodings of bodies.
///
/// Begin with [RowCursor], which reads rows, and [RowSink], which takes them.
@NullMarked
package io.cleave.yt.format;

import org.jspecify.annotations.NullMarked;
