package io.cleave.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.Bytes;
import io.cleave.base.Direction;
import io.cleave.base.Env;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.blob.BlobStore;
import io.cleave.blob.LocalBlobs;
import io.cleave.cluster.Resharding;
import io.cleave.cluster.Tablets;
import io.cleave.disk.Disk;
import io.cleave.log.LocalLog;
import io.cleave.log.Log;
import io.cleave.log.LogLoss;
import io.cleave.log.LogOptions;
import io.cleave.log.OnDamage;
import io.cleave.node.DiskSpace;
import io.cleave.node.Store;
import io.cleave.schema.Column;
import io.cleave.schema.ColumnFamily;
import io.cleave.schema.KeyRange;
import io.cleave.schema.Partitioning;
import io.cleave.schema.Table;
import io.cleave.schema.TableDefinition;
import io.cleave.schema.TableDefinition.Layout;
import io.cleave.schema.TableDefinition.NewColumn;
import io.cleave.schema.TableOptions;
import io.cleave.tablet.Cell;
import io.cleave.tablet.CellOptions;
import io.cleave.testkit.StoreParts;
import io.cleave.tree.SchemeTree;
import io.cleave.txn.CommitOutcome;
import io.cleave.txn.Isolation;
import io.cleave.txn.ReadColumns;
import io.cleave.txn.RowStream;
import io.cleave.txn.RowWrite;
import io.cleave.txn.Transaction;
import io.cleave.value.KeyCodec;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
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

    private boolean userLogFailed;
    private final List<LogLoss> losses = new ArrayList<>();
    private final Store store;
    private final StoreParts parts;

    public DiskStore(Disk disk, Env env) {
        this(disk, env, 1);
    }

    public DiskStore(Disk disk, Env env, int userCells) {
        this(disk, env, userCells, OnDamage.REFUSE);
    }

    DiskStore(Disk disk, Env env, int userCells, OnDamage onDamage) {
        this(disk, env, userCells, onDamage, Optional.empty());
    }

    /// With a watcher of the disk's space.
    public DiskStore(Disk disk, Env env, DiskSpace space) {
        this(disk, env, 1, OnDamage.REFUSE, Optional.of(space));
    }

    private DiskStore(
            Disk disk, Env env, int userCells, OnDamage onDamage, Optional<DiskSpace> space) {
        var options = new Store.Options("/local", userCells, TINY, 1 << 20);
        store = new Store(env, backend(disk, env, onDamage, space), options);
        parts = StoreParts.of(store, env);
    }

    private Store.Backend backend(
            Disk disk, Env env, OnDamage onDamage, Optional<DiskSpace> space) {
        return new Store.Backend() {
            @Override
            public Log openLog(long cellId) {
                Path folder = ROOT.resolve("cells").resolve(Long.toString(cellId)).resolve("log");
                var log =
                        new LocalLog(
                                disk,
                                folder,
                                env,
                                SMALL_LOG,
                                _ -> userLogFailed |= cellId == 1,
                                onDamage);
                losses.addAll(log.losses());
                return log;
            }

            @Override
            public void removeLog(long cellId) {
                Path folder = ROOT.resolve("cells").resolve(Long.toString(cellId)).resolve("log");
                try {
                    LocalLog.remove(disk, folder);
                } catch (IOException e) {
                    throw new StatusException(Status.UNAVAILABLE, String.valueOf(e.getMessage()));
                }
            }

            @Override
            public boolean acceptsLoss() {
                return onDamage == OnDamage.ACCEPT_LOSS;
            }

            @Override
            public Optional<DiskSpace> space() {
                return space;
            }

            @Override
            public BlobStore systemBlobs() {
                return new LocalBlobs(disk, Map.of("", ROOT.resolve("cells/0/blobs")));
            }

            @Override
            public BlobStore userBlobs() {
                var folders = Map.of("", ROOT.resolve("blobs"), "hdd", HDD.resolve("blobs"));
                return new LocalBlobs(disk, folders);
            }
        };
    }

    public Cell cell(long cellId) {
        return store.cell(cellId);
    }

    public Store store() {
        return store;
    }

    public Tablets tablets() {
        return parts.tablets();
    }

    public Resharding resharding() {
        return parts.resharding();
    }

    public SchemeTree tree() {
        return parts.tree();
    }

    /// What opening the logs has cut off or given up.
    List<LogLoss> losses() {
        return losses;
    }

    boolean userLogFailed() {
        return userLogFailed;
    }

    /// Of Uint64 keys and two texts that are always the same, one of them on another medium; cut
    /// evenly.
    public void createTable(String path, int tablets) {
        parts.tree()
                .createTable(
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

    public void dropTable(String path) {
        parts.tree().dropTable(path, false);
    }

    public boolean hasTable(String path) {
        return parts.tree().find(path).isPresent();
    }

    /// One transaction; a null text erases.
    public CommitOutcome commit(String path, Map<Long, @Nullable String> rows) {
        Table table = table(path);
        Transaction tx = parts.transactions().begin(Isolation.SERIALIZABLE);
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
        Transaction tx = parts.transactions().begin(Isolation.SNAPSHOT_READ_ONLY);
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
        Transaction tx = parts.transactions().begin(Isolation.SNAPSHOT_READ_ONLY);
        try {
            Value[] row = tx.get(key(id), ReadColumns.of(table(path), VALUES));
            return row == null ? null : text(row[0], row[1]);
        } finally {
            tx.rollback();
        }
    }

    @Override
    public void close() {
        store.close();
    }

    private Table table(String path) {
        return parts.tree().find(path).orElseThrow();
    }

    private static NewColumn column(String name, Primitive type, String family) {
        return new NewColumn(name, type, false, family, Optional.empty());
    }

    private static Bytes key(long id) {
        return KeyCodec.encode(List.of(Primitive.UINT64), Value.of(id));
    }
}
