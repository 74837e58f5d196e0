package io.cleave.yt.format;

import io.cleave.value.YsonException;
import io.cleave.value.YsonNode;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtError;
import io.cleave.yt.error.YtException;

/// Input that is not well-formed. It never leaves this package: callers get a [YtException].
final class BrokenInputException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String format;
    private final long position;
    private final boolean atEnd;

    /// `atEnd` says that the input stops too early: more bytes may make it valid.
    BrokenInputException(String format, String reason, long position, boolean atEnd) {
        super(reason, null, false, false);
        this.format = format;
        this.position = position;
        this.atEnd = atEnd;
    }

    static BrokenInputException of(YsonException e) {
        return new BrokenInputException("YSON", e.reason(), e.position(), e.atEnd());
    }

    boolean atEnd() {
        return atEnd;
    }

    YtException toYt() {
        return error().exception();
    }

    YtException inRow(long rowIndex) {
        return error().with("row_index", YsonNode.of(rowIndex)).exception();
    }

    private YtError error() {
        String message =
                "Error parsing %s at position %d: %s".formatted(format, position, getMessage());
        return YtError.of(YtCodes.GENERIC, message).with("position", YsonNode.of(position));
    }
}
