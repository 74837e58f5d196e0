/// How values and rows are written on the wire of YTsaurus' HTTP API: YSON and JSON, and the
/// encodings of bodies.
///
/// Begin with [RowInput], which reads rows, and [RowOutput], which takes them.
@NullMarked
package io.cleave.yt.format;

import org.jspecify.annotations.NullMarked;
