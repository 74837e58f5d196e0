package io.cleave.bench;

import com.sun.management.OperatingSystemMXBean;

import io.cleave.base.Bytes;
import io.cleave.base.Env;
import io.cleave.base.SystemEnv;
import io.cleave.blob.BlobStore;
import io.cleave.blob.LocalBlobs;
import io.cleave.cluster.Tablets;
import io.cleave.disk.FileDisk;
import io.cleave.log.LocalLog;
import io.cleave.log.Log;
import io.cleave.log.LogOptions;
import io.cleave.node.Store;
import io.cleave.schema.Column;
import io.cleave.schema.Table;
import io.cleave.schema.TableDefinition;
import io.cleave.schema.TableDefinition.Layout;
import io.cleave.schema.TableDefinition.NewColumn;
import io.cleave.schema.TableDefinition.TypedValue;
import io.cleave.schema.TableOptions;
import io.cleave.tablet.CellOptions;
import io.cleave.tree.Indexes;
import io.cleave.tree.SchemeTree;
import io.cleave.txn.ColumnRows;
import io.cleave.txn.CommitOutcome.Committed;
import io.cleave.txn.Isolation;
import io.cleave.txn.OptimisticTransactions;
import io.cleave.txn.RowWrite;
import io.cleave.txn.Transaction;
import io.cleave.txn.Transactions;
import io.cleave.value.KeyCodec;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/// The cost of a transaction of two rows, if both are in one tablet, and if they are in two cells.
/// Transactions run in this process, with logs on disk. Client and protocol would cost the same in
/// both cases, so they are left out.
final class CommitCost {
    private static final int WRITERS = 16;
    private static final int COMMITS_A_WRITER = 4_000;
    private static final int ROUNDS = 5;
    private static final long MIDDLE = 1L << 32;
    private static final OperatingSystemMXBean SYSTEM =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private static final Value TEXT = Value.text("0123456789".repeat(10));

    private final Figures figures;

    CommitCost(Figures figures) {
        this.figures = figures;
    }

    void run() throws Exception {
        Path folder = Files.createTempDirectory("cleave-bench");
        Env env = new SystemEnv();
        try (var store = open(env, folder)) {
            var transactions = new OptimisticTransactions(store.tablets(), env);
            Table table = createTable(store.tablets(), transactions, env);
            double[] one = new double[ROUNDS];
            double[] two = new double[ROUNDS];
            // The first round of each is for the compiler.
            for (int round = -1; round < ROUNDS; round++) {
                double near = microsEach(transactions, table, 1);
                expect(transactions.counters().severalCells() == far(round));
                double far = microsEach(transactions, table, MIDDLE);
                expect(transactions.counters().severalCells() == far(round + 1));
                if (round >= 0) {
                    one[round] = near;
                    two[round] = far;
                }
            }
            figures.print("two rows of one tablet, CPU", median(one), "us");
            figures.print("two rows of two cells, CPU", median(two), "us");
            figures.printWithBarAtMost(
                    0.6, "one tablet beside two, without protocol", median(one) / median(two), "x");
        } finally {
            delete(folder);
        }
    }

    /// CPU time of all threads for each commit of two rows that are `apart` from each other.
    private static double microsEach(Transactions transactions, Table table, long apart)
            throws InterruptedException, ExecutionException {
        long before = SYSTEM.getProcessCpuTime();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> writers = new ArrayList<>();
            for (int writer = 0; writer < WRITERS; writer++) {
                long first = (long) writer << 20;
                writers.add(threads.submit(() -> commit(transactions, table, first, apart)));
            }
            for (Future<?> writer : writers) {
                writer.get();
            }
        }
        return (SYSTEM.getProcessCpuTime() - before) / 1e3 / (WRITERS * COMMITS_A_WRITER);
    }

    private static void commit(Transactions transactions, Table table, long first, long apart) {
        RandomGenerator random = RandomGenerator.getDefault();
        for (int commit = 0; commit < COMMITS_A_WRITER; commit++) {
            long id = first + 2L * random.nextInt(1 << 18);
            Transaction transaction = transactions.begin(Isolation.SERIALIZABLE);
            transaction.write(table, key(id), row());
            transaction.write(table, key(id + apart), row());
            if (!(transaction.commit() instanceof Committed)) {
                throw new IllegalStateException("a blind write was refused");
            }
        }
    }

    private static RowWrite row() {
        return new RowWrite(RowWrite.Kind.UPSERT, new int[] {1}, new Value[] {TEXT});
    }

    private static Bytes key(long id) {
        return KeyCodec.encode(List.of(Primitive.UINT64), Value.of(id));
    }

    private static Table createTable(
            Tablets tablets, OptimisticTransactions transactions, Env env) {
        var tree =
                new SchemeTree(
                        tablets,
                        new Indexes(tablets, env),
                        (_, _) -> {},
                        new ColumnRows(tablets, transactions, env),
                        env);
        var middle = List.of(new TypedValue(Primitive.UINT64, Value.of(MIDDLE)));
        tree.createTable(
                new TableDefinition(
                        "/local/ways",
                        List.of(column("id", Primitive.UINT64), column("text", Primitive.UTF8)),
                        List.of("id"),
                        List.of(),
                        TableOptions.DEFAULT,
                        new Layout.AtKeys(List.of(middle)),
                        Map.of()),
                false);
        return tree.find("/local/ways").orElseThrow();
    }

    private static NewColumn column(String name, Primitive type) {
        return new NewColumn(name, type, false, Column.DEFAULT_FAMILY, Optional.empty());
    }

    private static Store open(Env env, Path folder) {
        var backend =
                new Store.Backend() {
                    @Override
                    public Log openLog(long cellId) {
                        Path log = folder.resolve("log-" + cellId);
                        return new LocalLog(log, env, LogOptions.DEFAULT, _ -> {});
                    }

                    @Override
                    public void removeLog(long cellId) {
                        throw new IllegalStateException("no cell is removed here");
                    }

                    @Override
                    public BlobStore systemBlobs() {
                        return blobs("system");
                    }

                    @Override
                    public BlobStore userBlobs() {
                        return blobs("user");
                    }

                    private BlobStore blobs(String name) {
                        Path path = folder.resolve(name);
                        return new LocalBlobs(
                                new FileDisk(), Map.of(BlobStore.DEFAULT_MEDIUM, path));
                    }
                };
        return new Store(
                env, backend, new Store.Options("/local", 2, CellOptions.DEFAULT, 64 << 20));
    }

    /// How many commits over two cells there were before this round.
    private static long far(int round) {
        return (1L + round) * WRITERS * COMMITS_A_WRITER;
    }

    private static void expect(boolean holds) {
        if (!holds) {
            throw new IllegalStateException("commits did not take the way they should");
        }
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
