package io.cleave.ttl;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.schema.TableOptions.Ttl;
import io.cleave.schema.TableOptions.TtlUnit;

import org.junit.jupiter.api.Test;

import java.util.concurrent.TimeUnit;

/// When a table has its next turn: an hour after the last run began, a minute after it got a TTL.
class TableTtlTest {
    private static final long SECOND = TimeUnit.SECONDS.toMicros(1);
    private static final long MINUTE = TimeUnit.MINUTES.toMicros(1);
    private static final long HOUR = TimeUnit.HOURS.toMicros(1);

    /// The time of the first run of [#table].
    private static final long BEGUN = 100 * HOUR;

    private static final Ttl DAY = new Ttl("at", TtlUnit.DATE, 86_400, 0);
    private static final Ttl WEEK = new Ttl("at", TtlUnit.DATE, 7 * 86_400, 0);

    private final TableTtl table = new TableTtl(1, TtlOptions.DEFAULT);

    private void begin() {
        table.see(DAY, BEGUN - MINUTE);
        assertThat(table.isDue(BEGUN - 1)).isFalse();
        assertThat(table.isDue(BEGUN)).isTrue();
        table.begin(BEGUN);
    }

    private void assertNext(long micros) {
        assertThat(table.isDue(micros - 1)).as("before %d", micros - BEGUN).isFalse();
        assertThat(table.isDue(micros)).as("at %d", micros - BEGUN).isTrue();
    }

    @Test
    void runsKeepTheirDistance() {
        begin();
        table.end(BEGUN + 5 * MINUTE, true, null);
        assertThat(table.completeMicros()).isEqualTo(BEGUN);
        assertNext(BEGUN + HOUR);
    }

    @Test
    void aTtlThatChangesDuringARunHasItsTurnAMinuteLater() {
        begin();
        table.see(WEEK, BEGUN + 10 * SECOND);
        table.end(BEGUN + 20 * SECOND, false, null);
        assertNext(BEGUN + 10 * SECOND + MINUTE);
    }

    @Test
    void aTtlThatChangesDuringALongRunHasItsTurnWhenTheRunEnds() {
        begin();
        table.see(WEEK, BEGUN + 10 * SECOND);
        table.end(BEGUN + 3 * MINUTE, false, null);
        assertThat(table.isDue(BEGUN + 3 * MINUTE)).isTrue();
    }

    @Test
    void aRunThatEndsBeforeItHearsOfTheChangeIsNotOneOfTheNewTtl() {
        begin();
        table.see(WEEK, BEGUN + 10 * SECOND);
        table.end(BEGUN + 11 * SECOND, true, null);
        assertThat(table.completeMicros()).isZero();
        assertNext(BEGUN + 10 * SECOND + MINUTE);
    }

    @Test
    void aRunThatHearsOfTheChangeFirstIsFollowedSoon() {
        begin();
        table.end(BEGUN + 20 * SECOND, false, null);
        table.see(DAY, BEGUN + 21 * SECOND);
        assertNext(BEGUN + 20 * SECOND + MINUTE);
    }

    @Test
    void aRunThatFailsIsTriedAgainInFiveMinutes() {
        begin();
        table.end(BEGUN + 20 * SECOND, false, "a disk is full");
        assertNext(BEGUN + 20 * SECOND + 5 * MINUTE);
    }
}
