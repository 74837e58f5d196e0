package io.cleave.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.cleave.control.TopTablets.Sample;
import io.cleave.control.TopTablets.Top;
import io.cleave.schema.LockCounts;

import org.junit.jupiter.api.Test;

import java.util.List;

class TopTabletsTest {
    private static final long SECOND = 1_000_000;
    private static final long MINUTE = 60 * SECOND;
    private static final long HOUR = 60 * MINUTE;

    /// A whole hour.
    private static final long NOW = 480_000 * HOUR;

    private final TopTablets tops = new TopTablets();

    private void cores(long tabletId, double cores, long micros) {
        tops.add(new Sample("/local/t", tabletId, micros, cores, LockCounts.NONE, 100, 10));
    }

    private void locks(long tabletId, long acquired, long broken, long micros) {
        var locks = new LockCounts(acquired, 1, broken);
        tops.add(new Sample("/local/t", tabletId, micros, 0.1, locks, micros - NOW, 10));
    }

    @Test
    void tabletsOfAMinuteAreRankedByTheirPeak() {
        cores(1, 0.8, NOW);
        cores(2, 0.9, NOW + SECOND);
        cores(1, 1.5, NOW + 2 * SECOND);
        cores(1, 0.9, NOW + 59 * SECOND);
        assertThat(tops.byMinute()).as("it is not over").isEmpty();
        cores(1, 0, NOW + MINUTE);
        assertThat(tops.byMinute())
                .extracting(
                        Top::endMicros,
                        Top::rank,
                        top -> top.tablet().tabletId(),
                        top -> top.tablet().cores(),
                        top -> top.tablet().micros())
                .containsExactly(
                        tuple(NOW + MINUTE, 1, 1L, 1.5, NOW + 2 * SECOND),
                        tuple(NOW + MINUTE, 2, 2L, 0.9, NOW + SECOND));
    }

    @Test
    void lessThanSeventyPercentOfACoreIsNotTold() {
        cores(1, 0.69, NOW);
        cores(2, 0.7, NOW);
        cores(1, 0, NOW + MINUTE);
        assertThat(tops.byMinute()).extracting(top -> top.tablet().tabletId()).containsExactly(2L);
    }

    @Test
    void thereAreTenOfEachSpan() {
        for (long tabletId = 1; tabletId <= 12; tabletId++) {
            cores(tabletId, 0.7 + tabletId, NOW);
        }
        cores(1, 0, NOW + MINUTE);
        List<Top> minute = tops.byMinute();
        assertThat(minute).extracting(Top::rank).containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
        assertThat(minute.getFirst().tablet().tabletId()).isEqualTo(12);
        assertThat(minute.getLast().tablet().tabletId()).isEqualTo(3);
    }

    @Test
    void anHourHasThePeaksOfItsMinutes() {
        cores(1, 0.8, NOW);
        cores(2, 0.9, NOW + 30 * MINUTE);
        cores(1, 2, NOW + 59 * MINUTE);
        assertThat(tops.byHour()).isEmpty();
        cores(1, 0, NOW + HOUR);
        assertThat(tops.byMinute()).hasSize(3);
        assertThat(tops.byHour())
                .extracting(
                        Top::endMicros,
                        Top::rank,
                        top -> top.tablet().tabletId(),
                        top -> top.tablet().cores())
                .containsExactly(tuple(NOW + HOUR, 1, 1L, 2.0), tuple(NOW + HOUR, 2, 2L, 0.9));
    }

    @Test
    void minutesAreKeptForSixHoursAndHoursForTwoWeeks() {
        long end = NOW + 400 * HOUR;
        for (long micros = NOW; micros <= end; micros += MINUTE) {
            cores(1, 1, micros);
        }
        assertThat(tops.byMinute()).hasSize(360);
        assertThat(tops.byMinute().getLast().endMicros()).isEqualTo(end);
        assertThat(tops.byHour()).hasSize(14 * 24);
    }

    @Test
    void locksOfASpanAreCountedTogether() {
        locks(1, 7, 0, NOW);
        locks(1, 5, 2, NOW + SECOND);
        locks(2, 1, 3, NOW + SECOND);
        locks(3, 100, 0, NOW + SECOND);
        locks(1, 0, 2, NOW + 59 * SECOND);
        locks(1, 0, 0, NOW + MINUTE);
        assertThat(tops.brokenByMinute())
                .extracting(
                        Top::endMicros,
                        Top::rank,
                        top -> top.tablet().tabletId(),
                        top -> top.tablet().locks(),
                        top -> top.tablet().bytes())
                .containsExactly(
                        tuple(NOW + MINUTE, 1, 1L, new LockCounts(12, 3, 4), 59 * SECOND),
                        tuple(NOW + MINUTE, 2, 2L, new LockCounts(1, 1, 3), SECOND));
        assertThat(tops.byMinute()).isEmpty();
        locks(1, 0, 9, NOW + 2 * MINUTE);
        locks(1, 0, 0, NOW + HOUR);
        assertThat(tops.brokenByMinute()).hasSize(3);
        assertThat(tops.brokenByHour())
                .extracting(Top::rank, top -> top.tablet().locks().broken())
                .containsExactly(tuple(1, 13L), tuple(2, 3L));
    }

    @Test
    void aClockThatIsSetBackIsNotWaitedFor() {
        cores(1, 1, NOW);
        cores(1, 1, NOW - 10 * MINUTE);
        cores(1, 0, NOW - 9 * MINUTE);
        assertThat(tops.byMinute())
                .extracting(Top::endMicros)
                .containsExactly(NOW + MINUTE, NOW - 9 * MINUTE);
    }
}
