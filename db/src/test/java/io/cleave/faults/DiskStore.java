package io.cleave.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.Bytes;
import io.cleave.base.Direction;
import io.cleave.base.Env;
import io.cleave.blob.LocalBlobs;
import io.cleave.catalog.Catalog;
import io.cleave.cluster.LocalCluster;
import io.cleave.disk.Disk;
import io.cleave.log.LocalLog;
import io.cleave.log.LogOptions;
import io.cleave.lsm.TableFiles;
import io.cleave.schema.Column;
import io.cleave.schema.ColumnFamily;
import io.cleave.schema.KeyRange;
import io.cleave.schema.Partitioning;
import io.cleave.schema.Table;
import io.cleave.schema.TableDefinition;
import io.cleave.schema.TableDefinition.Layout;
import io.cleave.schema.TableDefinition.NewColumn;
import io.cleave.schema.TableOptions;
import io.cleave.tablet.Background;
import io.cleave.tablet.Cell;
import io.cleave.tablet.CellOptions;
import io.cleave.tablet.Timeline;
import io.cleave.txn.CommitOutcome;
import io.cleave.txn.Isolation;
import io.cleave.txn.OptimisticTransactions;
import io.cleave.txn.ReadColumns;
import io.cleave.txn.RowStream;
import io.cleave.txn.RowWrite;
import io.cleave.txn.Transaction;
import io.cleave.value.KeyCodec;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// Everything below the query engine on a disk, with segments and memtables so small that it
/// flushes, compacts and trims all the time.
public final class DiskStore implements AutoCloseable {
    public static final Path ROOT = Path.of("/data");
    public static final Path HDD = ROOT.resolve("hdd");

    private static final CellOptions TINY =
            new CellOptions(2 << 10, 16 << 10, 4 << 10, 64 << 10, 1_000);
    private static final LogOptions SMALL_LOG = new LogOptions(2 << 10, 64 << 10);
    private static final ColumnFamily COLD =
            new ColumnFamily("cold", "hdd", ColumnFamily.LZ4, ColumnFamily.REGULAR);
    private static final int[] VALUES = {1, 2};
    private static final int[] ALL = {0, 1, 2};

    private final List<LocalLog> logs = new ArrayList<>();
    private boolean userLogFailed;
    private final Cell system;
    private final Cell user;
    private final LocalCluster cluster;
    private final OptimisticTransactions transactions;

    public DiskStore(Disk disk, Env env) {
        var timeline = new Timeline(env);
        system = cell(disk, env, 0, timeline);
        user = cell(disk, env, 1, timeline);
        cluster = new LocalCluster("/local", new Catalog(system), user, env);
        transactions = new OptimisticTransactions(cluster);
    }

    private Cell cell(Disk disk, Env env, long id, Timeline timeline) {
        Path dir = ROOT.resolve("cells").resolve(Long.toString(id));
        var log =
                new LocalLog(
                        disk, dir.resolve("log"), env, SMALL_LOG, _ -> userLogFailed |= id == 1);
        logs.add(log);
        Path cold = HDD.resolve("cells").resolve(Long.toString(id));
        var folders = Map.of("", dir.resolve("blobs"), "hdd", cold.resolve("blobs"));
        var blobs = new LocalBlobs(disk, folders);
        var files = new TableFiles(blobs, 1 << 20);
        var background = new Background(env, TINY);
        return new Cell(id, log, files, timeline, TINY, background, env);
    }

    boolean userLogFailed() {
        return userLogFailed;
    }

    /// Of Uint64 keys and two texts that are always the same, one of them on another medium; cut
    /// evenly.
    void createTable(String path, int tablets) {
        cluster.createTable(
                new TableDefinition(
                        path,
                        List.of(
                                column("id", Primitive.UINT64, Column.DEFAULT_FAMILY),
                                column("v", Primitive.UTF8, Column.DEFAULT_FAMILY),
                                column("w", Primitive.UTF8, COLD.name())),
                        List.of("id"),
                        List.of(COLD),
                        new TableOptions(
                                Partitioning.DEFAULT,
                                Optional.of(true),
                                Optional.empty(),
                                Optional.empty()),
                        new Layout.Uniform(tablets),
                        Map.of()),
                false);
    }

    void dropTable(String path) {
        cluster.dropTable(path, false);
    }

    boolean hasTable(String path) {
        return cluster.find(path).isPresent();
    }

    /// One transaction; a null text erases.
    CommitOutcome commit(String path, Map<Long, @Nullable String> rows) {
        Table table = table(path);
        Transaction tx = transactions.begin(Isolation.SERIALIZABLE);
        try {
            rows.forEach((id, text) -> tx.write(table, key(id), write(text)));
            return tx.commit();
        } finally {
            tx.rollback();
        }
    }

    private static RowWrite write(@Nullable String text) {
        return text == null
                ? RowWrite.ERASE
                : new RowWrite(
                        RowWrite.Kind.UPSERT,
                        VALUES,
                        new Value[] {Value.text(text), Value.text(text)});
    }

    public SortedMap<Long, String> readAll(String path) {
        SortedMap<Long, String> found = new TreeMap<>(Long::compareUnsigned);
        Transaction tx = transactions.begin(Isolation.SNAPSHOT_READ_ONLY);
        try (RowStream rows =
                tx.scan(KeyRange.ALL, ReadColumns.of(table(path), ALL), Direction.FORWARD)) {
            while (rows.next()) {
                long id = ((Value.Int) rows.row()[0]).value();
                found.put(id, text(rows.row()[1], rows.row()[2]));
            }
        } finally {
            tx.rollback();
        }
        return found;
    }

    private static String text(Value value, Value cold) {
        assertThat(cold).as("the two columns of a row").isEqualTo(value);
        return ((Value.Text) value).value();
    }

    @Nullable String get(String path, long id) {
        Transaction tx = transactions.begin(Isolation.SNAPSHOT_READ_ONLY);
        try {
            Value[] row = tx.get(key(id), ReadColumns.of(table(path), VALUES));
            return row == null ? null : text(row[0], row[1]);
        } finally {
            tx.rollback();
        }
    }

    @Override
    public void close() {
        user.close();
        system.close();
        logs.forEach(LocalLog::close);
    }

    private Table table(String path) {
        return cluster.find(path).orElseThrow();
    }

    private static NewColumn column(String name, Primitive type, String family) {
        return new NewColumn(name, type, false, family, Optional.empty());
    }

    private static Bytes key(long id) {
        return KeyCodec.encode(List.of(Primitive.UINT64), Value.of(id));
    }
}
