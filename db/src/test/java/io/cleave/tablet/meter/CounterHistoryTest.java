package io.cleave.tablet.meter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.cleave.schema.TabletCounter;
import io.cleave.schema.TabletCounters;
import io.cleave.schema.TabletCounters.Window;
import io.cleave.tablet.meter.CounterHistory.ReadRows;

import org.junit.jupiter.api.Test;

import java.util.List;

class CounterHistoryTest {
    private static final long SECOND = 1_000_000;

    /// Three of four rows are in files, and all have 100 bytes.
    private static final ReadRows GUESS = new ReadRows(0.75, 100, 100);

    private final CounterHistory history = new CounterHistory(0);
    private final SampledRows lookups = new SampledRows();
    private long reads;
    private long written;
    private long nowSeconds;

    private TabletCounters look() {
        var totals =
                new CounterHistory.Totals(
                        reads,
                        0,
                        0,
                        0,
                        written,
                        0,
                        0,
                        0,
                        lookups.totals(),
                        SampledRows.Totals.NONE);
        return history.look(totals, () -> GUESS, nowSeconds * SECOND);
    }

    /// Writes so many bytes in each second, and looks every ten seconds.
    private TabletCounters write(long seconds, long bytes) {
        TabletCounters seen = look();
        for (long end = nowSeconds + seconds; nowSeconds < end; ) {
            nowSeconds += 10;
            written += 10 * bytes;
            seen = look();
        }
        return seen;
    }

    private static double rate(TabletCounters seen, Window window) {
        return seen.perSecond(TabletCounter.DYNAMIC_ROW_WRITE_DATA_WEIGHT, window);
    }

    @Test
    void aSteadyLoadIsTheRateInEveryWindow() {
        TabletCounters seen = write(4 * 3600, 70);
        for (Window window : Window.values()) {
            assertThat(rate(seen, window)).isCloseTo(70, within(0.5));
        }
        assertThat(seen.count(TabletCounter.DYNAMIC_ROW_WRITE_DATA_WEIGHT)).isEqualTo(written);
        assertThat(seen.measuredSeconds()).isEqualTo(4 * 3600);
    }

    @Test
    void alsoAYoungTabletHasAboutItsLoadInEveryWindow() {
        TabletCounters seen = write(300, 70);
        for (Window window : Window.values()) {
            assertThat(rate(seen, window)).isBetween(55.0, 71.0);
        }
    }

    @Test
    void theFirstSecondsOfATabletAreNotTakenForItsUsualLoad() {
        nowSeconds = 5;
        written = 5 * 70;
        TabletCounters seen = look();
        assertThat(rate(seen, Window.HOUR)).isBetween(4.0, 8.0);
    }

    @Test
    void shortWindowsForgetFirst() {
        write(4 * 3600, 70);
        TabletCounters seen = write(600, 0);
        assertThat(rate(seen, Window.MINUTE)).isCloseTo(0, within(0.01));
        // Half of the window is the time in which a rate fades to 1/e.
        assertThat(rate(seen, Window.TEN_MINUTES)).isCloseTo(70 * Math.exp(-2), within(0.5));
        assertThat(rate(seen, Window.HOUR)).isCloseTo(70 * Math.exp(-1.0 / 3), within(0.5));
    }

    @Test
    void itDoesNotMatterHowManyLook() {
        TabletCounters calm = write(600, 70);
        var busy = new CounterHistoryTest();
        for (int second = 1; second <= 600; second++) {
            busy.nowSeconds = second;
            busy.written += 70;
            TabletCounters seen = busy.look();
            assertThat(seen.count(TabletCounter.DYNAMIC_ROW_WRITE_DATA_WEIGHT))
                    .isEqualTo(busy.written);
            if (second == 600) {
                assertThat(rate(seen, Window.TEN_MINUTES))
                        .isCloseTo(rate(calm, Window.TEN_MINUTES), within(0.5));
            }
        }
    }

    @Test
    void withoutASampleRowsAreAsTheTabletIsOnTheWhole() {
        reads = 8;
        assertThat(counts(look())).containsExactly(2L, 200L, 6L, 600L);
    }

    @Test
    void rowsAreDividedAsTheSampleIs() {
        lookups.add(true, 50);
        lookups.add(false, 10);
        lookups.add(false, 30);
        lookups.add(false, 0);
        reads = 80;
        assertThat(counts(look())).containsExactly(60L, 800L, 20L, 1000L);
        // The next rows are as those of the last sample, as long as there is no other.
        reads = 160;
        assertThat(counts(look())).containsExactly(120L, 1600L, 40L, 2000L);
        lookups.add(true, 70);
        reads = 170;
        assertThat(counts(look())).containsExactly(120L, 1600L, 50L, 2700L);
    }

    /// Rows in memory and their size, rows in files and their size.
    private static List<Long> counts(TabletCounters seen) {
        return List.of(
                seen.count(TabletCounter.DYNAMIC_ROW_LOOKUP),
                seen.count(TabletCounter.DYNAMIC_ROW_LOOKUP_DATA_WEIGHT),
                seen.count(TabletCounter.STATIC_CHUNK_ROW_LOOKUP),
                seen.count(TabletCounter.STATIC_CHUNK_ROW_LOOKUP_DATA_WEIGHT));
    }

    @Test
    void aTabletThatCameFromOthersGoesOnWithTheirRates() {
        TabletCounters first = write(3600, 40);
        TabletCounters second = new CounterHistoryTest().write(3600, 60);
        var heir = new CounterHistoryTest();
        heir.history.goOnFrom(
                TabletCounters.fromParts(
                        List.of(
                                new TabletCounters.Part(first, 0.5),
                                new TabletCounters.Part(second, 1))));
        TabletCounters seen = heir.write(600, 80);
        assertThat(rate(seen, Window.TEN_MINUTES)).isCloseTo(80, within(1.0));
        assertThat(seen.count(TabletCounter.DYNAMIC_ROW_WRITE_DATA_WEIGHT)).isEqualTo(48_000);
        assertThat(seen.measuredSeconds()).isEqualTo(4200);
        TabletCounters quiet = heir.write(600, 0);
        assertThat(rate(quiet, Window.TEN_MINUTES)).isCloseTo(80 * Math.exp(-2), within(1.0));
    }

    @Test
    void aClockThatIsSetBackLosesNoCount() {
        write(600, 70);
        nowSeconds = 100;
        written += 700;
        TabletCounters seen = look();
        assertThat(seen.count(TabletCounter.DYNAMIC_ROW_WRITE_DATA_WEIGHT)).isEqualTo(written);
        assertThat(rate(write(600, 70), Window.MINUTE)).isCloseTo(70, within(5.0));
    }

    @Test
    void aTabletThatDoesNothingHasNothing() {
        nowSeconds = 1000;
        assertThat(look()).isEqualTo(TabletCounters.idle(1000));
    }
}
