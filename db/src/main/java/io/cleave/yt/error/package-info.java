/// Errors as clients of YTsaurus know them: a code, a text, attributes, and the errors that caused
/// them. All code that serves these clients throws [io.cleave.yt.error.YtException].
///
/// Begin with [YtError].
@NullMarked
package io.cleave.yt.error;

import org.jspecify.annotations.NullMarked;
