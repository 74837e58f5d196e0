package io.cleave.yt.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.Bytes;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.schema.KeyRange;
import io.cleave.schema.Table;
import io.cleave.txn.CommitOutcome.Committed;
import io.cleave.txn.CommitOutcome.Conflict;
import io.cleave.txn.CommitOutcome.Unknown;
import io.cleave.txn.ReadColumns;
import io.cleave.txn.RowWrite;
import io.cleave.txn.Transactions.KeyedWrite;
import io.cleave.value.Value;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;

/// States that change while others write.
class MountingUnderWritesTest {
    private static final String CREATE =
            "{type=table;path=\"//t\";attributes={dynamic=%true;pivot_keys=[[];[1000];[2000]];"
                    + "schema=[{name=k;type=int64;sort_order=ascending};{name=v;type=int64}]}}";

    private static final int WRITERS = 4;
    private static final int ROUNDS = 40;
    private static final int KEYS = 3000;

    private final long seed = Long.getLong("seed", new Random().nextLong());

    /// After `unmount_table` has answered, no commit comes any more. What was acknowledged is there
    /// when the table is mounted again.
    @Test
    void aTabletThatIsNotMountedTakesNoCommitAndLosesNone() throws Exception {
        try (var world = new TestYtTables(2)) {
            world.run("create", CREATE, Optional.empty());
            world.run("mount_table", "{path=\"//t\"}", Optional.empty());
            var acknowledged = new ConcurrentSkipListSet<Long>();
            var refused = new AtomicLong();
            var stop = new AtomicBoolean();
            List<Future<?>> writers = new ArrayList<>();
            try (var threads = Executors.newFixedThreadPool(WRITERS)) {
                for (int writer = 0; writer < WRITERS; writer++) {
                    var random = new Random(seed + writer);
                    writers.add(
                            threads.submit(
                                    () -> write(world, random, acknowledged, refused, stop)));
                }
                toggle(world);
                stop.set(true);
                join(writers);
            }
            assertThat(refused).as("-Dseed=%d", seed).hasPositiveValue();
            assertThat(acknowledged).as("-Dseed=%d", seed).isNotEmpty();
            world.run("mount_table", "{path=\"//t\"}", Optional.empty());
            // Keys are written once, so each acknowledged one is a row.
            assertThat(world.count("/local/t"))
                    .as("-Dseed=%d", seed)
                    .isEqualTo(acknowledged.size());
        }
    }

    private static void join(List<Future<?>> writers) throws InterruptedException {
        for (Future<?> writer : writers) {
            try {
                writer.get();
            } catch (ExecutionException e) {
                throw new AssertionError(e.getCause());
            }
        }
    }

    private void write(
            TestYtTables world,
            Random random,
            ConcurrentSkipListSet<Long> acknowledged,
            AtomicLong refused,
            AtomicBoolean stop) {
        var gate = new MountGate(world.store().tablets());
        while (!stop.get()) {
            long key = random.nextInt(KEYS);
            try {
                switch (world.write("/local/t", key, key)) {
                    case Committed _ -> acknowledged.add(key);
                    // The table was changed; a client would retry.
                    case Conflict _ -> {}
                    case Unknown unknown -> throw new AssertionError(unknown.why());
                }
            } catch (StatusException e) {
                assertThat(e.status()).as("%s", e).isEqualTo(Status.UNAVAILABLE);
                refused.incrementAndGet();
                checkGate(world, gate, key);
            }
        }
    }

    /// What YTsaurus' clients are told.
    private static void checkGate(TestYtTables world, MountGate gate, long key) {
        Table table = world.table("/local/t");
        try {
            gate.checkWrite(table, TestYtTables.key(table, key));
        } catch (YtException e) {
            assertThat(e.error().code()).isEqualTo(YtCodes.TABLET_NOT_MOUNTED);
            assertThat(e.getMessage()).contains("while \"mounted\" expected");
        }
    }

    /// Between the answer of an unmount or a freeze and the next command, nothing is written.
    private void toggle(TestYtTables world) {
        var random = new Random(seed);
        for (int round = 0; round < ROUNDS; round++) {
            boolean freezes = random.nextBoolean();
            String span =
                    random.nextBoolean()
                            ? "{path=\"//t\"}"
                            : "{path=\"//t\";first_tablet_index=1;last_tablet_index=1}";
            boolean isAll = !span.contains("first");
            assertThat(
                            world.run(
                                    freezes ? "freeze_table" : "unmount_table",
                                    span,
                                    Optional.empty()))
                    .isEqualTo("{}");
            long before = stored(world, isAll);
            if (round % 8 == 0 && !freezes && isAll) {
                world.run(
                        "reshard_table",
                        "{path=\"//t\";pivot_keys=[[];[%d];[2000]]}"
                                .formatted(1 + random.nextInt(1998)),
                        Optional.empty());
            }
            assertThat(stored(world, isAll)).as("-Dseed=%d", seed).isEqualTo(before);
            assertThat(
                            world.run(
                                    freezes ? "unfreeze_table" : "mount_table",
                                    span,
                                    Optional.empty()))
                    .isEqualTo("{}");
        }
    }

    /// The rows that are there, whatever the state; 0 if a part of the table is still written.
    private static long stored(TestYtTables world, boolean isAll) {
        if (!isAll) {
            return 0;
        }
        Table table = world.table("/local/t");
        try (var snapshot = world.store().transactions().snapshot();
                var rows = snapshot.scan(KeyRange.ALL, ReadColumns.none(table))) {
            long count = 0;
            while (rows.next()) {
                count++;
            }
            return count;
        }
    }

    @Test
    void aTableThatDoesNotFitIntoMemoryIsNotMounted() {
        try (var world = new TestYtTables(1)) {
            world.run(
                    "create",
                    CREATE.replace("dynamic=%true", "dynamic=%true;in_memory_mode=uncompressed")
                            .replace("name=v;type=int64", "name=v;type=string"),
                    Optional.empty());
            assertThat(world.run("mount_table", "{path=\"//t\"}", Optional.empty()))
                    .isEqualTo("{}");
            // The store of the test has a cache of 8 MB, half of which is for tables in memory.
            Table table = world.table("/local/t");
            Value value = Value.binary(Bytes.wrap(new byte[1000]));
            var write = new RowWrite(RowWrite.Kind.UPSERT, new int[] {1}, new Value[] {value});
            List<KeyedWrite> rows =
                    LongStream.range(0, 6000)
                            .mapToObj(key -> new KeyedWrite(TestYtTables.key(table, key), write))
                            .toList();
            world.store().transactions().bulkWrite(table, rows);
            assertThat(world.run("unmount_table", "{path=\"//t\"}", Optional.empty()))
                    .isEqualTo("{}");
            assertThat(world.run("mount_table", "{path=\"//t\"}", Optional.empty()))
                    .startsWith(
                            "error 1: Cannot keep table //t in memory: in mode \"uncompressed\"")
                    .endsWith("of the 4194304 bytes for in-memory tables are free");
            world.run("set", "{path=\"//t/@in_memory_mode\"}", Optional.of("none"));
            assertThat(world.run("mount_table", "{path=\"//t\"}", Optional.empty()))
                    .isEqualTo("{}");
            assertThat(world.count("/local/t")).isEqualTo(6000);
        }
    }
}
