package io.cleave.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.balance.Decision;
import io.cleave.balance.Decision.Leave;
import io.cleave.balance.Decision.Split;
import io.cleave.balance.Figure;
import io.cleave.balance.Rule;
import io.cleave.base.Bytes;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.cluster.KeyText;
import io.cleave.cluster.TabletBench;
import io.cleave.control.TabletDecision.Helped;
import io.cleave.control.TabletDecision.State;
import io.cleave.schema.KeyRange;
import io.cleave.schema.Table;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/// What was decided about tablets is known after a restart.
class DecisionLogTest {
    private static final long NOW = 1_700_000_000_000_000L;
    private static final long SECOND = 1_000_000;

    private final TabletBench bench = new TabletBench(1);
    private DecisionLog log;

    @BeforeEach
    void open() {
        bench.create(TabletBench.PATH, 100);
        log = new DecisionLog(bench.store.catalog().decisions());
    }

    @AfterEach
    void close() {
        bench.close();
    }

    private void restart() {
        bench.store.restart();
        log = new DecisionLog(bench.store.catalog().decisions());
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
        List<TabletDecision> before = log.list();
        log.save(NOW);
        restart();
        assertThat(log.list()).isEqualTo(before);
        assertThat(log.list(table().id(), KeyRange.point(key(60)))).hasSize(2);
        assertThat(log.list(table().id(), KeyRange.point(key(100)))).isEmpty();
        assertThat(log.add(entry(split(), State.RUNNING, NOW))).isGreaterThan(number + 1);
    }

    @Test
    void whatWasUnderWayWhenTheNodeEndedIsNotKnown() {
        log.add(entry(split(), State.RUNNING, NOW));
        long done = log.add(entry(split(), State.RUNNING, NOW));
        log.change(done, entry -> entry.ended(State.DONE, 1, "tablet 8"));
        log.save(NOW);
        restart();
        assertThat(log.list().getFirst().state()).isEqualTo(State.UNKNOWN);
        assertThat(log.list().getFirst().outcome()).contains("ended");
        assertThat(log.list().getLast().state()).isEqualTo(State.DONE);
        assertThat(log.list().getLast().helped()).isEqualTo(Helped.NOT_KNOWN);
        assertThat(log.list().getLast().verdict()).contains("ended");
    }

    @Test
    void theLastThousandChangesAreKept() {
        for (int number = 1; number <= DecisionLog.CAPACITY + 30; number++) {
            log.add(entry(split(), State.DONE, NOW));
            if (number % 100 == 0) {
                log.save(NOW);
            }
        }
        log.save(NOW);
        assertThat(bench.store.catalog().decisions().read()).hasSize(DecisionLog.CAPACITY);
        restart();
        assertThat(log.list()).hasSize(DecisionLog.CAPACITY);
        assertThat(log.list().getFirst().number()).isEqualTo(31);
    }

    @Test
    void notesPushOutNeitherChangesNorOneAnother() {
        log.add(entry(split(), State.DONE, NOW));
        sayOfTablets(1, 2000, NOW);
        log.save(NOW);
        List<TabletDecision> before = log.list();
        assertThat(before).hasSize(1 + DecisionLog.MOST_NOTES);
        assertThat(before.getFirst().kind()).isEqualTo("SPLIT");
        long written = bench.store.system().timeline().visible();
        assertThat(sayOfTablets(1, 2000, NOW + SECOND)).isZero();
        log.save(NOW + SECOND);
        assertThat(bench.store.system().timeline().visible()).isEqualTo(written);
        assertThat(log.list())
                .extracting(TabletDecision::number)
                .containsExactlyElementsOf(before.stream().map(TabletDecision::number).toList());
    }

    @Test
    void aNewNoteTakesTheRoomOfOneThatHoldsNoLonger() {
        sayOfTablets(1, DecisionLog.MOST_NOTES, NOW);
        sayOfTablets(2, DecisionLog.MOST_NOTES, NOW + 30 * SECOND);
        assertThat(sayOfTablets(3000, 3000, NOW + 59 * SECOND)).isZero();
        assertThat(sayOfTablets(3000, 3001, NOW + 61 * SECOND)).isOne();
        assertThat(log.list()).hasSize(DecisionLog.MOST_NOTES);
        assertThat(log.list().getFirst().tabletIds()).containsExactly(2L);
        assertThat(log.list().getLast().tabletIds()).containsExactly(3000L);
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
        log = new DecisionLog(rows);
        long first = log.add(entry(split(), State.DONE, NOW));
        log.save(NOW);
        for (int count = 0; count < DecisionLog.CAPACITY + 30; count++) {
            log.add(entry(split(), State.DONE, NOW));
        }
        log.save(NOW);
        assertThat(rows.removals).containsExactly(first);
        assertThat(rows.read()).hasSize(DecisionLog.CAPACITY);
    }

    @Test
    void whatIsSaidAgainIsOneEntryAlsoAfterARestart() {
        assertThat(log.say(entry(leave(3), State.NOTED, NOW))).isTrue();
        log.save(NOW);
        assertThat(log.say(entry(leave(3), State.NOTED, NOW + 50 * SECOND))).isFalse();
        log.save(NOW + 50 * SECOND);
        restart();
        assertThat(log.list().getFirst().lastMicros())
                .as("said again is saved once a minute")
                .isEqualTo(NOW);
        assertThat(log.say(entry(leave(3), State.NOTED, NOW + 59 * SECOND))).isFalse();
        assertThat(log.say(entry(leave(4), State.NOTED, NOW + 59 * SECOND))).isTrue();
        log.saveAll();
        restart();
        assertThat(log.list()).hasSize(2);
        assertThat(log.list().getFirst().lastMicros()).isEqualTo(NOW + 59 * SECOND);
    }

    @Test
    void whatCannotBeSavedIsSavedWithTheNext() {
        var rows = new TroubledRows(bench.store.catalog().decisions());
        log = new DecisionLog(rows);
        log.add(entry(split(), State.RUNNING, NOW));
        rows.trouble(
                () -> {
                    throw new IllegalStateException("a planted bug");
                });
        log.save(NOW);
        assertThat(rows.read()).isEmpty();
        rows.trouble(() -> {});
        log.save(NOW);
        assertThat(rows.read()).hasSize(1);
    }

    @Test
    void whatFailsAgainAndAgainIsOneEntry() {
        long first = log.add(entry(split(), State.RUNNING, NOW));
        log.failed(first, 5, "it is locked");
        assertThat(log.list().getFirst().outcome()).isEqualTo("it is locked");
        assertThat(log.add(entry(split(), State.RUNNING, NOW + 60 * SECOND))).isEqualTo(first);
        assertThat(log.list().getFirst().state()).isEqualTo(State.RUNNING);
        log.failed(first, 7, "it is still locked");
        TabletDecision failed = log.list().getFirst();
        assertThat(failed.state()).isEqualTo(State.FAILED);
        assertThat(failed.outcome()).isEqualTo("it is still locked (2 times)");
        assertThat(failed.micros()).isEqualTo(NOW);
        assertThat(failed.lastMicros()).isEqualTo(NOW + 60 * SECOND);
        log.save(NOW);
        assertThat(bench.store.catalog().decisions().read()).hasSize(1);

        assertThat(log.add(entry(split(), State.RUNNING, NOW + 70 * SECOND))).isEqualTo(first);
        log.done(first, 9, "tablets 8, 9, 10");
        assertThat(log.list()).hasSize(1);
        assertThat(log.list().getFirst().outcome()).isEqualTo("tablets 8, 9, 10");
        assertThat(log.add(entry(split(), State.RUNNING, NOW + 80 * SECOND)))
                .as("it was done")
                .isGreaterThan(first);
    }

    @Test
    void whatFailsAgainMuchLaterIsAnotherEntry() {
        long first = log.add(entry(split(), State.RUNNING, NOW));
        log.failed(first, 5, "it is locked");
        long later = NOW + DecisionLog.RETRY_MICROS;
        long second = log.add(entry(split(), State.RUNNING, later));
        assertThat(second).isGreaterThan(first);
        log.failed(second, 5, "it is locked");
        assertThat(log.list()).extracting(TabletDecision::outcome).containsOnly("it is locked");
    }

    /// What the system cell does not take does not grow for ever, and whatever it took all the same
    /// is gone after the next start.
    @Test
    void whileNothingCanBeSavedOnlySoMuchWaits() {
        var rows = new TroubledRows(bench.store.catalog().decisions());
        log = new DecisionLog(rows);
        for (int count = 0; count < DecisionLog.CAPACITY; count++) {
            log.add(entry(split(), State.DONE, NOW));
        }
        log.save(NOW);
        rows.trouble(
                () -> {
                    throw new StatusException(Status.UNAVAILABLE, "the system cell is full");
                });
        for (int count = 0; count < 2 * DecisionLog.MOST_UNSAVED; count++) {
            log.add(entry(split(), State.DONE, NOW));
            if (count % 500 == 0) {
                log.save(NOW);
            }
        }
        log.save(NOW);
        assertThat(log.unsaved()).isEqualTo(DecisionLog.MOST_UNSAVED);
        rows.trouble(() -> {});
        log.save(NOW);
        assertThat(log.unsaved()).isZero();
        assertThat(rows.read()).hasSizeGreaterThan(DecisionLog.CAPACITY);
        List<Long> before = log.list().stream().map(TabletDecision::number).toList();
        restart();
        assertThat(log.list()).extracting(TabletDecision::number).containsExactlyElementsOf(before);
        log.save(NOW);
        assertThat(bench.store.catalog().decisions().read()).hasSize(DecisionLog.CAPACITY);
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
        newer.put(2L, Bytes.wrap(new byte[] {2, 1, 2, 3}));
        bench.store.catalog().decisions().change(newer, List.of());
        restart();
        assertThat(log.list()).hasSize(1);
        assertThat(log.add(entry(split(), State.RUNNING, NOW))).isEqualTo(3);
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
        assertThat(log.list()).hasSize(1);
        assertThat(bench.store.catalog().decisions().read()).isEmpty();
    }
}
