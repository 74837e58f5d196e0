package io.cleave.yt.table.row;

import io.cleave.base.StatusException;
import io.cleave.query.KeyedRows.MissingColumnException;
import io.cleave.txn.PastGoneException;
import io.cleave.yt.command.YtTimestamps;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;

/// Translates errors of the store about rows into YTsaurus' errors.
public final class RowAnswers {
    private RowAnswers() {}

    static YtException missing(MissingColumnException e) {
        return new YtException(
                YtCodes.SCHEMA_VIOLATION,
                "Required column \"%s\" cannot have \"null\" value".formatted(e.column()));
    }

    /// The error of a read of the past whose versions are no longer kept.
    public static YtException past(PastGoneException e) {
        return new YtException(
                YtCodes.GENERIC,
                "Timestamp %x is less than tablet %s retained timestamp %x"
                        .formatted(
                                YtTimestamps.toYt(e.timestamp()),
                                RowGate.tabletId(e.tabletId()),
                                YtTimestamps.toYt(e.retained())));
    }

    /// Translates the errors that the store may return to any command on rows. If it is unknown
    /// whether a write was made, clients do not retry after the code of the error.
    public static YtException of(StatusException e) {
        int code =
                switch (e.status()) {
                    case ABORTED -> YtCodes.TRANSACTION_LOCK_CONFLICT;
                    case OVERLOADED -> YtCodes.REQUEST_THROTTLED;
                    case UNAVAILABLE -> YtCodes.UNAVAILABLE;
                    case TIMEOUT -> YtCodes.TIMEOUT;
                    case CANCELLED -> YtCodes.CANCELED;
                    default -> YtCodes.GENERIC;
                };
        String text =
                e.issues().isEmpty()
                        ? String.valueOf(e.getMessage())
                        : e.issues().getFirst().message();
        return new YtException(code, text);
    }
}
