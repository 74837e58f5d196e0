package io.cleave.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.balance.Decision;
import io.cleave.balance.Decision.Leave;
import io.cleave.balance.Decision.Merge;
import io.cleave.balance.Decision.Split;
import io.cleave.balance.Figure;
import io.cleave.balance.Rule;
import io.cleave.base.ByteWriter;
import io.cleave.base.Bytes;
import io.cleave.base.Direction;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.catalog.DecisionRows;
import io.cleave.cluster.KeyText;
import io.cleave.cluster.TabletBench;
import io.cleave.control.TabletDecision.Helped;
import io.cleave.control.TabletDecision.State;
import io.cleave.schema.KeyRange;
import io.cleave.schema.Table;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.LongStream;

/// What was decided about tablets is known after a restart.
class DecisionLogTest {
    private static final long NOW = 1_700_000_000_000_000L;
    private static final long SECOND = 1_000_000;
    private static final Duration WEEK = Duration.ofDays(7);
    private static final long WEEK_MICROS = WEEK.toNanos() / 1000;
    private static final DecisionLimits LIMITS = DecisionLimits.keeping(WEEK);

    private final TabletBench bench = new TabletBench(1);
    private DecisionLog log;

    @BeforeEach
    void open() {
        bench.create(TabletBench.PATH, 100);
        log = log(bench.store.catalog().decisions(), LIMITS, NOW);
    }

    @AfterEach
    void close() {
        bench.close();
    }

    private void restart() {
        bench.store.restart();
        log = log(bench.store.catalog().decisions(), LIMITS, NOW);
    }

    private static DecisionLog log(DecisionRows rows, DecisionLimits limits, long nowMicros) {
        return new DecisionLog(rows, limits, nowMicros, Set.of());
    }

    private void restart(DecisionLimits limits, long nowMicros) {
        bench.store.restart();
        log = log(bench.store.catalog().decisions(), limits, nowMicros);
    }

    /// The numbers of the decisions that are known.
    private List<Long> known() {
        return known(Direction.FORWARD, 0, Long.MAX_VALUE);
    }

    private List<Long> known(Direction direction, long from, long to) {
        List<Long> numbers = new ArrayList<>();
        log.scan(from, to, direction).forEachRemaining(entry -> numbers.add(entry.number()));
        return numbers;
    }

    private static List<Long> from(long first, long last) {
        return LongStream.rangeClosed(first, last).boxed().toList();
    }

    private List<Long> stored() {
        return TroubledRows.numbers(bench.store.catalog().decisions());
    }

    private Table table() {
        return bench.store.tablets().table(TabletBench.PATH);
    }

    private Bytes key(long number) {
        return KeyText.parse(table(), Long.toString(number));
    }

    private Decision split() {
        return new Split(
                7,
                List.of(key(50), key(70)),
                Rule.SPLIT_BY_LOAD,
                List.of(new Figure("CPU time", 0.7, Double.NaN, Figure.Unit.CORES)),
                Optional.empty(),
                List.of("key 60: it is not even"));
    }

    private Decision leave(long tabletId) {
        return new Leave(tabletId, Rule.SPLIT_BY_SIZE, List.of(), List.of(), "it is small");
    }

    private TabletDecision entry(Decision decision, State state, long micros) {
        return TabletDecision.of(table(), new KeyRange(key(0), key(100)), decision, state, micros);
    }

    @Test
    void aDecisionIsTheSameAfterARestart() {
        long number = log.add(entry(split(), State.RUNNING, NOW));
        log.change(number, entry -> entry.ended(State.DONE, 1234, "tablets 8, 9, 10"));
        log.change(number, entry -> entry.judged(Helped.YES, "the hottest of 3"));
        log.say(entry(leave(3), State.NOTED, NOW));
        List<TabletDecision> before = log.latest();
        log.save(NOW);
        restart();
        assertThat(log.latest()).isEqualTo(before);
        assertThat(log.about(table().id(), KeyRange.point(key(60))).entries()).isEqualTo(before);
        assertThat(log.about(table().id(), KeyRange.point(key(100))).entries()).isEmpty();
        assertThat(log.about(table().id() + 1, KeyRange.ALL).entries()).isEmpty();
        assertThat(log.add(entry(split(), State.RUNNING, NOW))).isGreaterThan(number + 1);
    }

    @Test
    void anAnswerHasTheLatestThousandAndSaysWhetherThereAreOlder() {
        add(1000);
        DecisionAnswer all = log.about(table().id(), KeyRange.ALL);
        assertThat(all.entries()).hasSize(1000);
        assertThat(all.hasOlder()).isFalse();
        assertThat(all.sinceMicros()).isEqualTo(NOW);
        add(1);
        DecisionAnswer latest = log.about(table().id(), KeyRange.ALL);
        assertThat(latest.entries()).extracting(TabletDecision::number).isEqualTo(from(2, 1001));
        assertThat(latest.hasOlder()).isTrue();
    }

    @Test
    void whatWasUnderWayWhenTheNodeEndedIsNotKnown() {
        log.add(entry(split(), State.RUNNING, NOW));
        long done = log.add(entry(split(), State.RUNNING, NOW));
        log.change(done, entry -> entry.ended(State.DONE, 1, "tablet 8"));
        log.save(NOW);
        restart();
        assertThat(log.latest().getFirst().state()).isEqualTo(State.UNKNOWN);
        assertThat(log.latest().getFirst().outcome()).contains("ended");
        assertThat(log.latest().getLast().state()).isEqualTo(State.DONE);
        assertThat(log.latest().getLast().helped()).isEqualTo(Helped.NOT_KNOWN);
        assertThat(log.latest().getLast().verdict()).contains("ended");
    }

    /// Made one second after the other, the first at `NOW`.
    private void add(int changes) {
        for (int index = 0; index < changes; index++) {
            log.add(entry(split(), State.DONE, NOW + index * SECOND));
        }
        log.save(NOW + (changes - 1) * SECOND);
    }

    @Test
    void theLatestThousandChangesAreInMemoryAndTheOthersAreRead() {
        add(1030);
        assertThat(log.latest()).hasSize(1000);
        assertThat(log.latest().getFirst().number()).isEqualTo(31);
        assertThat(known()).isEqualTo(from(1, 1030));
        assertThat(known(Direction.BACKWARD, 20, 40)).isEqualTo(from(20, 39).reversed());
        restart();
        assertThat(log.latest()).hasSize(1000);
        assertThat(known()).isEqualTo(from(1, 1030));
        assertThat(known(Direction.BACKWARD, 0, Long.MAX_VALUE))
                .isEqualTo(from(1, 1030).reversed());
        assertThat(known(Direction.FORWARD, 1030, 1031)).containsExactly(1030L);
        assertThat(known(Direction.FORWARD, 31, 31)).isEmpty();
    }

    @Test
    void aStartReadsTheLatestOnly() {
        for (int round = 0; round < 5; round++) {
            add(1000);
        }
        log.say(entry(leave(3), State.NOTED, NOW));
        log.save(NOW);
        add(1000);
        bench.store.restart();
        var rows = new TroubledRows(bench.store.catalog().decisions());
        log = log(rows, LIMITS, NOW);
        assertThat(rows.rowsRead).isLessThan(1000 + 4 * DecisionRows.PAGE_ROWS);
        assertThat(log.latest()).hasSize(1001);
        assertThat(log.latest().getFirst().kind()).as("a note, however old").isEqualTo("LEAVE");
        assertThat(known()).isEqualTo(from(1, 6001));
    }

    @Test
    void aChangeIsKeptForSevenDays() {
        add(2);
        restart(LIMITS, NOW + WEEK_MICROS);
        log.erase(NOW + WEEK_MICROS);
        assertThat(known()).isEqualTo(from(1, 2));
        long since = log.sinceMicros();
        assertThat(since).isLessThanOrEqualTo(NOW);

        restart(LIMITS, NOW + WEEK_MICROS + 1);
        log.erase(NOW + WEEK_MICROS + 1);
        assertThat(known()).containsExactly(2L);
        assertThat(stored()).containsExactly(2L);
        assertThat(log.latest()).hasSize(1);
        assertThat(log.sinceMicros()).isEqualTo(NOW + 1);
        restart(LIMITS, NOW + WEEK_MICROS + 1);
        assertThat(known()).containsExactly(2L);
        assertThat(log.sinceMicros()).isEqualTo(NOW + 1);

        log.erase(NOW + 2 * WEEK_MICROS);
        assertThat(stored()).isEmpty();
        restart(LIMITS, NOW + 2 * WEEK_MICROS);
        assertThat(log.sinceMicros()).isEqualTo(NOW + SECOND + 1);
        assertThat(log.add(entry(split(), State.DONE, NOW + 2 * WEEK_MICROS))).isEqualTo(3);
    }

    @Test
    void changesThatAreNotInMemoryAreErasedByAge() {
        add(3000);
        long afterTwoThousand = NOW + WEEK_MICROS + 2000 * SECOND;
        for (int round = 0; round < 3; round++) {
            log.erase(afterTwoThousand);
        }
        assertThat(stored()).isEqualTo(from(2001, 3000));
        assertThat(known()).isEqualTo(from(2001, 3000));
        restart(LIMITS, afterTwoThousand);
        assertThat(known()).isEqualTo(from(2001, 3000));
    }

    @Test
    void oldChangesAreLookedForOnceAMinute() {
        add(2);
        var rows = new TroubledRows(bench.store.catalog().decisions());
        log = log(rows, LIMITS, NOW);
        log.erase(NOW);
        int read = rows.rowsRead;
        log.erase(NOW + DecisionLog.ERASE_MICROS - 1);
        assertThat(rows.rowsRead).isEqualTo(read);
        log.erase(NOW + DecisionLog.ERASE_MICROS);
        assertThat(rows.rowsRead).isGreaterThan(read);
    }

    @Test
    void theOldestAreErasedIfAllTogetherAreTooLarge() {
        add(100);
        long all =
                bench.store.catalog().decisions().page(1, 1000, Direction.FORWARD).stream()
                        .mapToLong(row -> row.data().length())
                        .sum();
        var fits = new DecisionLimits(WEEK, all, 10);
        restart(fits, NOW);
        log.erase(NOW);
        assertThat(known()).isEqualTo(from(1, 100));
        var tooLarge = new DecisionLimits(WEEK, all - 1, 10);
        restart(tooLarge, NOW);
        log.erase(NOW);
        assertThat(stored()).isEqualTo(from(2, 100));
        assertThat(log.sinceMicros()).isEqualTo(NOW + 1);
        log.add(entry(split(), State.DONE, NOW + 100 * SECOND));
        log.save(NOW);
        log.erase(NOW);
        assertThat(stored()).as("also within a minute").isEqualTo(from(3, 101));
        assertThat(known()).isEqualTo(from(3, 101));
    }

    @Test
    void whatCannotBeErasedIsErasedAMinuteLater() {
        add(3);
        var rows = new TroubledRows(bench.store.catalog().decisions());
        log = log(rows, new DecisionLimits(WEEK, 1, 1), NOW);
        rows.readTrouble(
                () -> {
                    throw new IllegalStateException("a planted bug");
                });
        log.erase(NOW);
        rows.readTrouble(() -> {});
        log.erase(NOW + DecisionLog.ERASE_MICROS - 1);
        assertThat(stored()).hasSize(3);
        rows.trouble(
                () -> {
                    throw new StatusException(Status.UNAVAILABLE, "the system cell is full");
                });
        log.erase(NOW + DecisionLog.ERASE_MICROS);
        assertThat(log.latest()).as("nothing is forgotten that is stored").hasSize(1);
        rows.trouble(() -> {});
        log.erase(NOW + 2 * DecisionLog.ERASE_MICROS);
        assertThat(stored()).isEmpty();
        assertThat(log.latest()).isEmpty();
    }

    @Test
    void aRunningChangeIsNotErased() {
        long running = log.add(entry(split(), State.RUNNING, NOW));
        log.save(NOW);
        log.erase(NOW + 2 * WEEK_MICROS);
        log.done(running, 1, "tablets 8, 9, 10");
        assertThat(log.latest()).extracting(TabletDecision::state).containsExactly(State.DONE);
        log.save(NOW);
        log.erase(NOW + 3 * WEEK_MICROS);
        assertThat(stored()).isEmpty();
    }

    @Test
    void aRunningChangeStaysInMemoryUntilItsEndIsKnown() {
        long running = log.add(entry(split(), State.RUNNING, NOW));
        add(1500);
        log.done(running, 1, "tablets 8, 9, 10");
        log.save(NOW);
        assertThat(log.latest()).hasSize(1000);
        assertThat(log.scan(running, running + 1, Direction.FORWARD).next().state())
                .isEqualTo(State.DONE);
    }

    @Test
    void aChangeThatIsTriedAgainIsAsOldAsItsLastAttempt() {
        long failing = log.add(entry(split(), State.RUNNING, NOW));
        log.failed(failing, 1, "it is locked");
        long last = NOW + 500 * SECOND;
        log.add(entry(split(), State.RUNNING, last));
        log.failed(failing, 1, "it is locked");
        log.add(entry(merge(), State.DONE, NOW + SECOND));
        log.save(last);
        log.erase(last + WEEK_MICROS);
        assertThat(stored()).containsExactly(failing);
        assertThat(log.sinceMicros()).isEqualTo(NOW + SECOND + 1);
        log.erase(last + WEEK_MICROS + DecisionLog.ERASE_MICROS);
        assertThat(stored()).isEmpty();
    }

    private Decision merge() {
        return new Merge(List.of(11L, 12L), Rule.MERGE_BY_SIZE, List.of(), List.of());
    }

    @Test
    void aNoteIsErasedWhenItHasNotBeenRepeatedForSevenDays() {
        log.say(entry(leave(3), State.NOTED, NOW));
        log.save(NOW);
        log.erase(NOW + WEEK_MICROS);
        log.save(NOW + WEEK_MICROS);
        assertThat(stored()).hasSize(1);
        log.erase(NOW + WEEK_MICROS + DecisionLog.ERASE_MICROS);
        assertThat(log.latest()).isEmpty();
        assertThat(known()).as("its row is not shown").isEmpty();
        log.save(NOW + WEEK_MICROS);
        assertThat(stored()).isEmpty();
    }

    /// Earlier versions write no summary, and keep only a thousand changes.
    @Test
    void decisionsOfAnEarlierVersionAreTakenOver() {
        add(5);
        log.say(entry(leave(3), State.NOTED, NOW));
        log.save(NOW);
        DecisionRows rows = bench.store.catalog().decisions();
        rows.change(new TreeMap<>(), List.of(DecisionSummary.NUMBER, 1L));
        restart();
        assertThat(known()).isEqualTo(from(2, 6));
        assertThat(log.sinceMicros()).isEqualTo(NOW + SECOND);
        log.say(entry(leave(3), State.NOTED, NOW + SECOND));
        assertThat(known()).as("the note is the same").isEqualTo(from(2, 6));
        log.erase(NOW + 2 * WEEK_MICROS);
        log.save(NOW);
        assertThat(stored()).isEmpty();
    }

    /// They erase and add decisions without a word in the summary.
    @Test
    void aSummaryIsNotBelievedAfterAnEarlierVersionHasRun() {
        add(5);
        DecisionRows rows = bench.store.catalog().decisions();
        rows.change(new TreeMap<>(), List.of(1L, 2L));
        restart();
        rows = bench.store.catalog().decisions();
        assertThat(log.sinceMicros()).isEqualTo(NOW + 2 * SECOND);
        var added = new TreeMap<Long, Bytes>();
        added.put(9L, DecisionCodec.encode(entry(split(), State.DONE, NOW)).orElseThrow());
        rows.change(added, List.of());
        restart();
        assertThat(known()).containsExactly(3L, 4L, 5L, 9L);
        assertThat(log.add(entry(split(), State.DONE, NOW))).isEqualTo(10);
    }

    @Test
    void notesPushOutNeitherChangesNorOneAnother() {
        log.add(entry(split(), State.DONE, NOW));
        sayOfTablets(1, 2000, NOW);
        log.save(NOW);
        List<TabletDecision> before = log.latest();
        assertThat(before).hasSize(1 + RecentDecisions.MOST_NOTES);
        assertThat(before.getFirst().kind()).isEqualTo("SPLIT");
        long written = bench.store.system().timeline().visible();
        assertThat(sayOfTablets(1, 2000, NOW + SECOND)).isZero();
        log.save(NOW + SECOND);
        assertThat(bench.store.system().timeline().visible()).isEqualTo(written);
        assertThat(log.latest())
                .extracting(TabletDecision::number)
                .containsExactlyElementsOf(before.stream().map(TabletDecision::number).toList());
    }

    @Test
    void aNewNoteTakesTheRoomOfOneThatHoldsNoLonger() {
        sayOfTablets(1, RecentDecisions.MOST_NOTES, NOW);
        sayOfTablets(2, RecentDecisions.MOST_NOTES, NOW + 30 * SECOND);
        assertThat(sayOfTablets(3000, 3000, NOW + 59 * SECOND)).isZero();
        assertThat(sayOfTablets(3000, 3001, NOW + 61 * SECOND)).isOne();
        assertThat(log.latest()).hasSize(RecentDecisions.MOST_NOTES);
        assertThat(log.latest().getFirst().tabletIds()).containsExactly(2L);
        assertThat(log.latest().getLast().tabletIds()).containsExactly(3000L);
    }

    /// How many of them were new.
    private int sayOfTablets(long first, long last, long micros) {
        int added = 0;
        for (long tabletId = first; tabletId <= last; tabletId++) {
            added += log.say(entry(leave(tabletId), State.NOTED, micros)) ? 1 : 0;
        }
        return added;
    }

    @Test
    void onlyWhatWasSavedIsErased() {
        var rows = new TroubledRows(bench.store.catalog().decisions());
        log = log(rows, LIMITS, NOW);
        sayOfTablets(1, RecentDecisions.MOST_NOTES, NOW);
        assertThat(sayOfTablets(3000, 3000, NOW + 61 * SECOND)).isOne();
        log.save(NOW);
        assertThat(rows.removals).as("of a note that was never saved").isEmpty();
        assertThat(sayOfTablets(3001, 3001, NOW + 61 * SECOND)).isOne();
        log.save(NOW);
        assertThat(rows.removals).containsExactly(2L);
        assertThat(stored()).hasSize(RecentDecisions.MOST_NOTES);
    }

    @Test
    void whatIsSaidAgainIsOneEntryAlsoAfterARestart() {
        assertThat(log.say(entry(leave(3), State.NOTED, NOW))).isTrue();
        log.save(NOW);
        assertThat(log.say(entry(leave(3), State.NOTED, NOW + 50 * SECOND))).isFalse();
        log.save(NOW + 50 * SECOND);
        restart();
        assertThat(log.latest().getFirst().lastMicros())
                .as("said again is saved once a minute")
                .isEqualTo(NOW);
        assertThat(log.say(entry(leave(3), State.NOTED, NOW + 59 * SECOND))).isFalse();
        assertThat(log.say(entry(leave(4), State.NOTED, NOW + 59 * SECOND))).isTrue();
        log.saveAll();
        restart();
        assertThat(log.latest()).hasSize(2);
        assertThat(log.latest().getFirst().lastMicros()).isEqualTo(NOW + 59 * SECOND);
    }

    @Test
    void whatCannotBeSavedIsSavedWithTheNext() {
        var rows = new TroubledRows(bench.store.catalog().decisions());
        log = log(rows, LIMITS, NOW);
        log.add(entry(split(), State.RUNNING, NOW));
        rows.trouble(
                () -> {
                    throw new IllegalStateException("a planted bug");
                });
        log.save(NOW);
        assertThat(TroubledRows.numbers(rows)).isEmpty();
        rows.trouble(() -> {});
        log.save(NOW);
        assertThat(TroubledRows.numbers(rows)).hasSize(1);
    }

    @Test
    void whatFailsAgainAndAgainIsOneEntry() {
        long first = log.add(entry(split(), State.RUNNING, NOW));
        log.failed(first, 5, "it is locked");
        assertThat(log.latest().getFirst().outcome()).isEqualTo("it is locked");
        assertThat(log.add(entry(split(), State.RUNNING, NOW + 60 * SECOND))).isEqualTo(first);
        assertThat(log.latest().getFirst().state()).isEqualTo(State.RUNNING);
        log.failed(first, 7, "it is still locked");
        TabletDecision failed = log.latest().getFirst();
        assertThat(failed.state()).isEqualTo(State.FAILED);
        assertThat(failed.outcome()).isEqualTo("it is still locked (2 times)");
        assertThat(failed.micros()).isEqualTo(NOW);
        assertThat(failed.lastMicros()).isEqualTo(NOW + 60 * SECOND);
        log.save(NOW);
        assertThat(stored()).hasSize(1);

        assertThat(log.add(entry(split(), State.RUNNING, NOW + 70 * SECOND))).isEqualTo(first);
        log.done(first, 9, "tablets 8, 9, 10");
        assertThat(log.latest()).hasSize(1);
        assertThat(log.latest().getFirst().outcome()).isEqualTo("tablets 8, 9, 10");
        assertThat(log.add(entry(split(), State.RUNNING, NOW + 80 * SECOND)))
                .as("it was done")
                .isGreaterThan(first);
    }

    @Test
    void whatFailsAgainMuchLaterIsAnotherEntry() {
        long first = log.add(entry(split(), State.RUNNING, NOW));
        log.failed(first, 5, "it is locked");
        long later = NOW + RecentDecisions.RETRY_MICROS;
        long second = log.add(entry(split(), State.RUNNING, later));
        assertThat(second).isGreaterThan(first);
        log.failed(second, 5, "it is locked");
        assertThat(log.latest()).extracting(TabletDecision::outcome).containsOnly("it is locked");
    }

    /// What the system cell does not take does not grow for ever, and what is missing is told.
    @Test
    void whileNothingCanBeSavedOnlySoMuchWaits() {
        var rows = new TroubledRows(bench.store.catalog().decisions());
        log = log(rows, LIMITS, NOW);
        add(1000);
        rows.trouble(
                () -> {
                    throw new StatusException(Status.UNAVAILABLE, "the system cell is full");
                });
        for (int count = 0; count < RecentDecisions.MOST_UNSAVED; count++) {
            log.add(entry(split(), State.DONE, NOW + (1000 + count) * SECOND));
        }
        log.save(NOW);
        assertThat(log.unsaved()).isEqualTo(RecentDecisions.MOST_UNSAVED);
        assertThat(log.sinceMicros()).isEqualTo(NOW);
        for (int count = 0; count < 1001; count++) {
            log.add(entry(split(), State.DONE, NOW + (3000 + count) * SECOND));
        }
        log.save(NOW);
        assertThat(log.unsaved()).isEqualTo(RecentDecisions.MOST_UNSAVED + 1000);
        assertThat(log.sinceMicros()).as("one is lost").isEqualTo(NOW + 1000 * SECOND + 1);
        rows.trouble(() -> {});
        log.save(NOW);
        assertThat(log.unsaved()).isZero();
        assertThat(log.latest()).hasSize(1000);
        restart();
        assertThat(known()).hasSize(4000).doesNotContain(1001L);
        assertThat(log.sinceMicros()).isEqualTo(NOW + 1000 * SECOND + 1);
    }

    @Test
    void nothingIsWrittenWhileNothingIsNew() {
        log.say(entry(leave(3), State.NOTED, NOW));
        log.save(NOW);
        long before = bench.store.system().timeline().visible();
        log.say(entry(leave(3), State.NOTED, NOW + SECOND));
        log.save(NOW + SECOND);
        assertThat(bench.store.system().timeline().visible()).isEqualTo(before);
    }

    @Test
    void anEntryOfANewerVersionIsLeftOut() {
        log.say(entry(leave(3), State.NOTED, NOW));
        log.save(NOW);
        var newer = new TreeMap<Long, Bytes>();
        var later = new ByteWriter(32);
        later.putByte(3);
        later.putLong(NOW);
        later.putLong(NOW);
        newer.put(2L, Bytes.wrap(later.toArray()));
        bench.store.catalog().decisions().change(newer, List.of());
        restart();
        assertThat(log.latest()).hasSize(1);
        assertThat(log.add(entry(split(), State.DONE, NOW))).isEqualTo(3);
        log.save(NOW);
        assertThat(known()).containsExactly(1L, 3L);
        log.erase(NOW + 2 * WEEK_MICROS);
        log.save(NOW);
        assertThat(stored()).as("its age is known, too").isEmpty();
    }

    @Test
    void oneWithKeysLongerThanAnyoneReadsIsOnlyInMemory() {
        Bytes big = KeyText.parse(table(), "1").successor();
        byte[] bytes = new byte[DecisionCodec.MOST_BYTES];
        System.arraycopy(big.array(), 0, bytes, 0, big.length());
        log.say(
                TabletDecision.of(
                        table(),
                        new KeyRange(Bytes.wrap(bytes), null),
                        leave(1),
                        State.NOTED,
                        NOW));
        log.save(NOW);
        assertThat(log.latest()).hasSize(1);
        assertThat(stored()).isEmpty();
    }

    @Test
    void aChangeThatIsTooLongToBeSavedIsMissedAfterwards() {
        byte[] big = new byte[DecisionCodec.MOST_BYTES];
        big[0] = key(1).array()[0];
        var range = new KeyRange(Bytes.wrap(big), null);
        log.add(TabletDecision.of(table(), range, split(), State.DONE, NOW + SECOND));
        log.save(NOW);
        assertThat(known()).hasSize(1);
        restart();
        assertThat(known()).isEmpty();
        assertThat(log.sinceMicros()).isEqualTo(NOW + SECOND + 1);
    }
}
