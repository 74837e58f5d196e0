package io.cleave.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.base.Bytes;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.blob.MemoryBlobs;
import io.cleave.schema.Column;
import io.cleave.schema.SchemeChange;
import io.cleave.tablet.CellOptions;
import io.cleave.testkit.TestStore;
import io.cleave.tree.ColumnWork;
import io.cleave.txn.ColumnRows;
import io.cleave.txn.CommitOutcome;
import io.cleave.txn.Isolation;
import io.cleave.txn.ReadColumns;
import io.cleave.txn.RowWrite;
import io.cleave.txn.Transaction;
import io.cleave.value.KeyCodec;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/// What goes on while a column becomes NOT NULL, and when that is interrupted.
@Timeout(60)
class NotNullColumnsTest {
    private static final CellOptions TINY =
            new CellOptions(16 << 10, 64 << 10, 32 << 10, 1 << 20, 10_000);

    /// Of the steps that take long, one in so many is taken.
    private static final int SLOW_STEPS = 3;

    private final TestStore store = new TestStore(TINY, new MemoryBlobs(), 2);
    private Database database = open();
    private final ColumnWork real =
            new ColumnRows(store.tablets(), store.transactions(), store.env());

    private Database open() {
        return Databases.of(store);
    }

    @Test
    void nobodyWritesANullWhileTheRowsAreLookedAt() {
        run("CREATE TABLE t (k Int32 NOT NULL, v Int32, PRIMARY KEY (k))");
        run("INSERT INTO t (k, v) VALUES (1, 1)");
        meanwhile(
                () -> {
                    assertThat(refusal("UPSERT INTO t (k, v) VALUES (2, NULL)"))
                            .isEqualTo(Status.BAD_REQUEST);
                    assertThat(refusal("UPSERT INTO t (k) VALUES (2)"))
                            .isEqualTo(Status.BAD_REQUEST);
                    run("UPSERT INTO t (k, v) VALUES (3, 3)");
                    // To those who read it is what it was.
                    assertThat(column("v").notNull()).isFalse();
                    assertThat(refusal("ALTER TABLE t ALTER COLUMN v SET NOT NULL"))
                            .isEqualTo(Status.OVERLOADED);
                    assertThat(refusal("ALTER TABLE t ALTER COLUMN v DROP NOT NULL"))
                            .isEqualTo(Status.OVERLOADED);
                });
        run("ALTER TABLE t ALTER COLUMN v SET NOT NULL");
        assertThat(column("v").notNull()).isTrue();
        assertThat(run("SELECT v FROM t")).containsExactly(List.of(of(1)), List.of(of(3)));
    }

    @Test
    void theRowsThatAreLookedAtStayTheTables() {
        run("CREATE TABLE t (k Int32 NOT NULL, v Int32, PRIMARY KEY (k))");
        run("INSERT INTO t (k, v) VALUES (1, 1)");
        var copy = new SchemeChange.Copy("/local/t", "/local/copy", false);
        meanwhile(
                () -> {
                    assertThat(refusal("TRUNCATE TABLE t")).isEqualTo(Status.OVERLOADED);
                    assertThatThrownBy(
                                    () ->
                                            store.tree()
                                                    .change(
                                                            new SchemeChange.CopyTables(
                                                                    List.of(copy))))
                            .hasMessageContaining("path is under operation: column 'v'");
                });
        run("ALTER TABLE t ALTER COLUMN v SET NOT NULL");
        assertThat(column("v").notNull()).isTrue();
        run("TRUNCATE TABLE t");
    }

    @Test
    void aNullThatWasWrittenBeforeIsFoundOrNeverCommitted() {
        run("CREATE TABLE t (k Int32 NOT NULL, v Int32, PRIMARY KEY (k))");
        Transaction open = store.transactions().begin(Isolation.SERIALIZABLE);
        open.write(
                store.tablets().table("/local/t"),
                key(7),
                new RowWrite(RowWrite.Kind.UPSERT, new int[] {1}, new Value[] {Value.Null.NULL}));
        run("ALTER TABLE t ALTER COLUMN v SET NOT NULL");
        assertThat(open.commit()).isInstanceOf(CommitOutcome.Conflict.class);
        assertThat(run("SELECT * FROM t")).isEmpty();
    }

    @Test
    void aSnapshotFromBeforeHasToBeginAgain() {
        run("CREATE TABLE t (k Int32 NOT NULL, v Int32, PRIMARY KEY (k))");
        run("INSERT INTO t (k, v) VALUES (1, NULL)");
        Transaction open = store.transactions().begin(Isolation.SNAPSHOT_READ_ONLY);
        assertThat(open.get(key(1), values())).containsExactly(Value.Null.NULL);
        run("DELETE FROM t");
        run("ALTER TABLE t ALTER COLUMN v SET NOT NULL");
        assertThatThrownBy(() -> open.get(key(1), values()))
                .isInstanceOfSatisfying(
                        StatusException.class,
                        e -> assertThat(e.status()).isEqualTo(Status.ABORTED));
        open.rollback();
    }

    @Test
    void aCrashBeforeTheEndLeavesTheColumnAsItWas() {
        run("CREATE TABLE t (k Int32 NOT NULL, v Int32, PRIMARY KEY (k))");
        run("INSERT INTO t (k, v) VALUES (1, 1)");
        meanwhile(this::crash);
        assertThatThrownBy(() -> run("ALTER TABLE t ALTER COLUMN v SET NOT NULL"));
        database = open();
        assertThat(column("v").refusesNull()).isFalse();
        run("UPSERT INTO t (k, v) VALUES (2, NULL)");
        assertThat(refusal("ALTER TABLE t ALTER COLUMN v SET NOT NULL"))
                .isEqualTo(Status.PRECONDITION_FAILED);
    }

    @Test
    void aCrashBeforeTheEndTakesASerialColumnAway() {
        run("CREATE TABLE t (k Int32 NOT NULL, v Int32, PRIMARY KEY (k))");
        run("INSERT INTO t (k, v) VALUES (1, 1), (2, 2)");
        meanwhile(this::crash);
        assertThatThrownBy(() -> run("ALTER TABLE t ADD COLUMN id Serial"));
        database = open();
        assertThat(store.tablets().table("/local/t").columns()).hasSize(2);
        run("ALTER TABLE t ADD COLUMN id Serial");
        assertThat(run("SELECT id FROM t")).containsExactly(List.of(of(1)), List.of(of(2)));
    }

    @Test
    void rowsAreNumberedWhileOthersWriteThem() {
        run("CREATE TABLE t (k Int32 NOT NULL, v Int32, PRIMARY KEY (k))");
        for (int from = 0; from < 2000; from += 500) {
            var rows = new ArrayList<String>();
            for (int k = from; k < from + 500; k++) {
                rows.add("(%d, %d)".formatted(k * 2, k));
            }
            run("UPSERT INTO t (k, v) VALUES " + String.join(", ", rows));
        }
        run("ALTER TABLE t ADD COLUMN d Int32");
        store.resharding().split("t", List.of(key(700), key(2500)));
        Thread writer =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    for (int k = 1; k < 400; k += 2) {
                                        again("UPSERT INTO t (k, v) VALUES (%d, 0)", k);
                                        again("UPDATE t SET v = -1 WHERE k = %d", k * 5 - 5);
                                    }
                                });
        run("ALTER TABLE t ADD COLUMN id BigSerial");
        join(writer);
        assertThat(run("SELECT COUNT(*), COUNT(DISTINCT id) FROM t"))
                .containsExactly(List.of(of(2200), of(2200)));
        assertThat(column("id").notNull()).isTrue();
    }

    /// Against a plain model, with flushes, compactions, splits and restarts.
    @Test
    void rowsKeepWhatTheyHaveInColumnsThatCameWithDefaults() {
        long seed = Long.getLong("seed", new Random().nextLong());
        var random = new Random(seed);
        run("CREATE TABLE t (k Int32 NOT NULL, pad Utf8, PRIMARY KEY (k))");
        Map<Integer, List<Value>> model = new TreeMap<>();
        List<Value> presets = new ArrayList<>();
        for (int step = 0; step < 300; step++) {
            step(random, model, presets);
            if (step % 20 == 0) {
                var rows = new ArrayList<List<Value>>();
                model.forEach((k, cells) -> rows.add(row(k, cells)));
                assertThat(run("SELECT " + columns(presets.size()) + " FROM t"))
                        .as("-Dseed=%d, step %d", seed, step)
                        .isEqualTo(rows);
                if (!presets.isEmpty()) {
                    int at = random.nextInt(presets.size());
                    long count = model.values().stream().filter(r -> !r.get(at).isNull()).count();
                    assertThat(run("SELECT COUNT(c%d) FROM t".formatted(at)))
                            .as("-Dseed=%d, step %d", seed, step)
                            .containsExactly(List.of(of((int) count)));
                }
            }
        }
    }

    private void step(Random random, Map<Integer, List<Value>> model, List<Value> presets) {
        int k = random.nextInt(60);
        int column = presets.isEmpty() ? 0 : random.nextInt(presets.size());
        boolean isNull = random.nextBoolean();
        Value value = isNull ? Value.Null.NULL : of(random.nextInt(100));
        String text = isNull ? "NULL" : String.valueOf(((Value.Int) value).value());
        switch (random.nextInt(presets.isEmpty() ? 2 : 12)) {
            case 0 -> {
                run("UPSERT INTO t (k, pad) VALUES (%d, \"%s\")".formatted(k, "p".repeat(300)));
                model.computeIfAbsent(k, _ -> new ArrayList<>(presets));
            }
            case 1 -> {
                if (presets.size() < 6) {
                    String preset = isNull ? "" : " DEFAULT " + text;
                    run("ALTER TABLE t ADD COLUMN c%d Int32%s".formatted(presets.size(), preset));
                    presets.add(value);
                    model.values().forEach(cells -> cells.add(value));
                }
            }
            case 2, 3 -> {
                run("UPSERT INTO t (k, c%d) VALUES (%d, %s)".formatted(column, k, text));
                model.computeIfAbsent(k, _ -> new ArrayList<>(presets)).set(column, value);
            }
            case 4, 5 -> {
                run("REPLACE INTO t (k, c%d) VALUES (%d, %s)".formatted(column, k, text));
                var cells = new ArrayList<>(presets);
                cells.set(column, value);
                model.put(k, cells);
            }
            case 6 -> {
                run("UPDATE t SET c%d = %s WHERE k < %d".formatted(column, text, k));
                model.forEach(
                        (key, cells) -> {
                            if (key < k) {
                                cells.set(column, value);
                            }
                        });
            }
            case 7 -> {
                run("DELETE FROM t WHERE k = %d".formatted(k));
                model.remove(k);
            }
            case 8 -> {
                run(
                        "ALTER TABLE t ALTER COLUMN c%d %s"
                                .formatted(
                                        column, isNull ? "DROP DEFAULT" : "SET DEFAULT " + text));
                presets.set(column, value);
            }
            case 9 -> {
                if (random.nextInt(SLOW_STEPS) == 0) {
                    store.tablets().compact("t");
                }
            }
            case 10 -> {
                if (store.tablets().infos().size() < 5) {
                    try {
                        store.resharding().split("t", List.of(key(k)));
                    } catch (StatusException _) {
                        // There is a bound already.
                    }
                }
            }
            default -> {
                if (random.nextInt(SLOW_STEPS) == 0) {
                    store.restart();
                    database = open();
                }
            }
        }
    }

    private static List<Value> row(int k, List<Value> cells) {
        var row = new ArrayList<Value>();
        row.add(of(k));
        row.addAll(cells);
        return row;
    }

    private static String columns(int count) {
        var names = new StringBuilder("k");
        for (int column = 0; column < count; column++) {
            names.append(", c").append(column);
        }
        return names.toString();
    }

    private void crash() {
        store.restart();
        throw new IllegalStateException("the process is gone");
    }

    /// Does this when the rule holds for new writes, and before the rows are looked at.
    private void meanwhile(Runnable what) {
        store.setColumnWork(
                new ColumnWork() {
                    @Override
                    public void fill(long tableId, int columnId) {
                        real.fill(tableId, columnId);
                    }

                    @Override
                    public long check(long tableId, int columnId) {
                        what.run();
                        return real.check(tableId, columnId);
                    }
                });
    }

    private static Value of(int number) {
        return Value.of(number);
    }

    private static Bytes key(int k) {
        return KeyCodec.encode(List.of(Primitive.INT32), new Value[] {of(k)});
    }

    private ReadColumns values() {
        return ReadColumns.of(store.tablets().table("/local/t"), 1);
    }

    private Column column(String name) {
        var table = store.tablets().table("/local/t");
        return table.columns().get(table.indexOf(name));
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Runs it until it is in nobody's way.
    private void again(String text, int number) {
        boolean done = false;
        while (!done) {
            try {
                run(text.formatted(number));
                done = true;
            } catch (StatusException e) {
                assertThat(e.status()).as(e.getMessage()).isEqualTo(Status.ABORTED);
            }
        }
    }

    private Status refusal(String text) {
        try {
            run(text);
            return Status.SUCCESS;
        } catch (StatusException e) {
            return e.status();
        }
    }

    private List<List<Value>> run(String text) {
        return Texts.run(database, store.env(), text);
    }
}
