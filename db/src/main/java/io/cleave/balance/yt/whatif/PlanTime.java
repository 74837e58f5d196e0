package io.cleave.balance.yt.whatif;

import io.cleave.base.Status;
import io.cleave.base.StatusException;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;

/// Reads the time of a round.
public final class PlanTime {
    private PlanTime() {}

    /// `02:30` is the next time at which the local clock shows this. `2026-11-20T02:30` is local
    /// time, too, unless an offset or `Z` follows.
    public static Instant parse(String text, Instant now, ZoneId zone) {
        String given = text.strip().replace(' ', 'T');
        try {
            if (!given.contains("T")) {
                return next(LocalTime.parse(given), now, zone);
            }
            boolean hasOffset = given.matches(".*T.*(Z|[+-][0-9:]+)");
            return hasOffset
                    ? OffsetDateTime.parse(given).toInstant()
                    : LocalDateTime.parse(given).atZone(zone).toInstant();
        } catch (DateTimeException _) {
            throw new StatusException(
                    Status.BAD_REQUEST,
                    ("'%s' is not a time; give 02:30 or 2026-11-20T02:30, in the time zone %s of"
                                    + " the server, or 2026-11-20T02:30Z")
                            .formatted(text, zone.getId()));
        }
    }

    private static Instant next(LocalTime time, Instant now, ZoneId zone) {
        LocalDate today = LocalDate.ofInstant(now, zone);
        Instant first = today.atTime(time).atZone(zone).toInstant();
        return first.isBefore(now)
                ? today.plusDays(1).atTime(time).atZone(zone).toInstant()
                : first;
    }
}
