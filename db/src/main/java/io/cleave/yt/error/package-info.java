/// Errors as clients of YTsaurus know them: a code, a text, attributes, and the errors that caused
/// them. All code that serves these clients throws [io.cleave.yt.error.YtException].
///
/// What always holds: clients decide by the code whether to retry, so a code is one of YTsaurus'
/// own ([YtCodes]) and means what it means there. A text may differ from YTsaurus' text only where
/// it helps the reader.
///
/// This package knows no commands and no HTTP. `yt.StatusErrors` turns the errors of the database
/// into these.
///
/// Begin with [YtError].
@NullMarked
package io.cleave.yt.error;

import org.jspecify.annotations.NullMarked;
