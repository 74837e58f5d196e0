package io.cleave.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.Bytes;
import io.cleave.base.StatusException;
import io.cleave.cluster.Replicas;
import io.cleave.cluster.TabletInfo;
import io.cleave.plan.Program.ResultShape;
import io.cleave.tablet.CellFreeze;
import io.cleave.testkit.TestStore;
import io.cleave.txn.Isolation;
import io.cleave.value.KeyCodec;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/// Who answers stale reads of a table with two tablets, each in another cell.
class StaleReadsTest {
    private final TestStore store = new TestStore(2);
    private Database database;

    @BeforeEach
    void create() {
        database = Databases.of(store);
        write(
                "CREATE TABLE t (k Uint64, v Uint64, PRIMARY KEY (k)) WITH ("
                        + "READ_REPLICAS_SETTINGS = 'PER_AZ:2', PARTITION_AT_KEYS = (100))");
        place(0, 1);
        place(1, 2);
        write("UPSERT INTO t (k, v) VALUES (1, 1), (101, 1)");
        store.awaitReplicas();
    }

    @AfterEach
    void close() {
        store.close();
    }

    private void place(int tablet, long cellId) {
        store.cluster().move("t", tablets().get(tablet).tabletId(), cellId);
    }

    private List<TabletInfo> tablets() {
        return store.cluster().tablets(store.cluster().table("t"));
    }

    private Replicas replicas() {
        return store.cluster().replicas();
    }

    private void write(String text) {
        run(text, TxControl.IMPLICIT, new ArrayList<>());
    }

    private List<Long> read(String text, Isolation isolation) {
        List<Long> numbers = new ArrayList<>();
        run(text, TxControl.auto(isolation), numbers);
        return numbers;
    }

    private List<Long> stale(String text) {
        return read(text, Isolation.STALE_READ_ONLY);
    }

    private RunSummary run(String text, TxControl control, List<Long> numbers) {
        var results =
                new Results() {
                    @Override
                    public void transaction(String txId) {}

                    @Override
                    public void begin(int resultIndex, ResultShape shape) {}

                    @Override
                    public void row(int resultIndex, Value[] row) {
                        for (Value value : row) {
                            numbers.add(((Value.Int) value).value());
                        }
                    }

                    @Override
                    public void end(int resultIndex, boolean truncated) {}
                };
        return Texts.runAlone(
                database,
                QueryText.ofQueryService(text, Map.of()),
                new QueryRun(
                        control, Map.of(), ResultLimits.NONE, Cancellation.byDefault(store.env())),
                results);
    }

    private static void pause() {
        LockSupport.parkNanos(1_000_000);
    }

    @Test
    void onlyStaleReadsGoToReplicas() {
        long before = replicas().reads();
        assertThat(read("SELECT v FROM t", Isolation.SNAPSHOT_READ_ONLY)).containsExactly(1L, 1L);
        assertThat(read("SELECT v FROM t", Isolation.ONLINE_READ_ONLY)).containsExactly(1L, 1L);
        assertThat(read("SELECT v FROM t WHERE k = 1", Isolation.SERIALIZABLE)).containsExactly(1L);
        assertThat(replicas().reads()).isEqualTo(before);
        long fallbacks = replicas().fallbacks();
        assertThat(stale("SELECT v FROM t")).containsExactly(1L, 1L);
        assertThat(stale("SELECT v FROM t WHERE k = 101")).containsExactly(1L);
        assertThat(stale("SELECT v FROM t WHERE k IN (1, 101)")).containsExactly(1L, 1L);
        assertThat(replicas().reads()).isGreaterThanOrEqualTo(before + 5);
        assertThat(replicas().fallbacks()).isEqualTo(fallbacks);
    }

    @Test
    void theReplicasOfACellTakeTurns() {
        for (int count = 0; count < 20; count++) {
            stale("SELECT v FROM t WHERE k = 1");
        }
        assertThat(replicas().infos())
                .filteredOn(info -> info.cellId() == 1)
                .hasSize(2)
                .allMatch(info -> info.reads() >= 10);
    }

    @Test
    void theyGoOnWhileTheLeaderIsFrozenAndMissNothingAfter() throws Exception {
        CellFreeze freeze = store.cell(1).freeze(Duration.ofSeconds(60));
        var held = new FutureTask<>(() -> write("UPSERT INTO t (k, v) VALUES (1, 2)"), true);
        Thread writer = Thread.ofVirtual().start(held);
        for (int count = 0; count < 200; count++) {
            assertThat(stale("SELECT v FROM t WHERE k = 1")).containsExactly(1L);
            pause();
        }
        assertThat(held.isDone()).isFalse();
        freeze.end();
        writer.join();
        while (!stale("SELECT v FROM t WHERE k = 1").equals(List.of(2L))) {
            pause();
        }
    }

    @Test
    void anAnswerSaysHowStaleItIs() {
        List<Long> rows = new ArrayList<>();
        RunSummary summary =
                run("SELECT v FROM t WHERE k = 1", TxControl.auto(Isolation.STALE_READ_ONLY), rows);
        assertThat(summary.staleMicros()).isPresent();
        assertThat(summary.issues()).isEmpty();
        assertThat(summary.issuesWithStaleness())
                .singleElement()
                .matches(issue -> issue.message().matches("Stale read: .* at most \\d+ us behind"));
        summary =
                run(
                        "SELECT v FROM t WHERE k = 1",
                        TxControl.auto(Isolation.ONLINE_READ_ONLY),
                        rows);
        assertThat(summary.staleMicros()).isEmpty();
        assertThat(summary.issuesWithStaleness()).isEmpty();
    }

    @Test
    void withoutReplicasTheLeaderAnswers() {
        write("ALTER TABLE t SET (READ_REPLICAS_SETTINGS = 'PER_AZ:0')");
        assertThat(replicas().infos()).isEmpty();
        long before = replicas().reads();
        write("UPSERT INTO t (k, v) VALUES (1, 3)");
        assertThat(stale("SELECT v FROM t WHERE k = 1")).containsExactly(3L);
        assertThat(replicas().reads()).isEqualTo(before);
    }

    @Test
    void theyFollowATabletToAnotherCell() {
        for (int round = 0; round < 6; round++) {
            place(0, 1 + round % 2);
            assertThat(stale("SELECT v FROM t")).containsExactly(1L, 1L);
            store.cluster().split("t", List.of(key(50 - round)));
            assertThat(stale("SELECT v FROM t")).containsExactly(1L, 1L);
        }
    }

    private static Bytes key(long number) {
        return KeyCodec.encode(List.of(Primitive.UINT64), new Value[] {Value.of(number)});
    }

    /// Both rows are always written together.
    @Test
    void rowsOfSeveralCellsAreOfOneMoment() throws Exception {
        var stop = new AtomicBoolean();
        var writing =
                new FutureTask<>(
                        () -> {
                            for (long value = 2; !stop.get(); value++) {
                                writeBoth(value);
                            }
                            return true;
                        });
        Thread writer = Thread.ofVirtual().start(writing);
        long last = 0;
        for (int count = 0; count < 300 || last <= 1; count++) {
            List<Long> both = stale("SELECT v FROM t ORDER BY k");
            assertThat(both).hasSize(2);
            assertThat(both.get(0)).isEqualTo(both.get(1)).isGreaterThanOrEqualTo(last);
            last = both.get(0);
        }
        stop.set(true);
        writer.join();
        assertThat(writing.get()).isTrue();
    }

    private void writeBoth(long value) {
        try {
            write("UPSERT INTO t (k, v) VALUES (1, %d), (101, %d)".formatted(value, value));
        } catch (StatusException e) {
            throw new AssertionError(e);
        }
    }
}
