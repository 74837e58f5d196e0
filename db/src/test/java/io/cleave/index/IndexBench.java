package io.cleave.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.Bytes;
import io.cleave.base.Direction;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.blob.BlobStore;
import io.cleave.blob.MemoryBlobs;
import io.cleave.query.Database;
import io.cleave.query.Databases;
import io.cleave.query.Texts;
import io.cleave.schema.Index;
import io.cleave.schema.KeyRange;
import io.cleave.schema.Table;
import io.cleave.tablet.CellOptions;
import io.cleave.tablet.Route;
import io.cleave.tablet.lock.ReadLocks;
import io.cleave.tablet.record.CommitResult;
import io.cleave.tablet.record.TabletWrites;
import io.cleave.tablet.record.TabletWrites.KeyedChange;
import io.cleave.testkit.TestStore;
import io.cleave.txn.Isolation;
import io.cleave.txn.ReadColumns;
import io.cleave.txn.RowStream;
import io.cleave.txn.RowWrite;
import io.cleave.txn.Transaction;
import io.cleave.value.Type;
import io.cleave.value.Value;

import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;

/// A database of three cells with memtables so small that it flushes and compacts all the time, and
/// the question whether its indexes agree with its tables.
final class IndexBench implements AutoCloseable {
    private static final CellOptions TINY =
            new CellOptions(16 << 10, 64 << 10, 32 << 10, 1 << 20, 10_000);

    final TestStore store;
    private Database database;

    IndexBench() {
        this(new MemoryBlobs());
    }

    IndexBench(BlobStore blobs) {
        store = new TestStore(TINY, blobs, 3);
        database = open();
    }

    private Database open() {
        return Databases.withBuilds(store);
    }

    void restart() {
        store.restart();
        database = open();
    }

    /// Runs a text and returns its rows.
    List<List<Value>> run(String text) {
        return Texts.run(database, store.env(), text);
    }

    /// Runs a text, and runs it again while it is in conflict with others, as a client does.
    void retry(String text) {
        while (true) {
            try {
                run(text);
                return;
            } catch (StatusException e) {
                if (e.status() != Status.ABORTED && e.status() != Status.OVERLOADED) {
                    throw e;
                }
            }
        }
    }

    /// Writes a column of a row past all that a transaction looks at first.
    void assertCommitted(Table table, int key, int column, Value value) {
        assertThat(commit(table, key, column, value)).isInstanceOf(CommitResult.Done.class);
    }

    /// What the tablet answers to a transaction that has seen this version of the table.
    CommitResult commit(Table table, int key, int column, Value value) {
        var write = new RowWrite(RowWrite.Kind.UPSERT, new int[] {column}, new Value[] {value});
        Bytes encoded = key(Type.Primitive.INT32, Value.of(key));
        var change = new KeyedChange(encoded, store.transactions().encode(table, write));
        Route route = store.tablets().map(table).find(encoded);
        var writes = List.of(new TabletWrites(route.tabletId(), List.of(change), table.version()));
        return route.cell().commit(writes, new ReadLocks(), null);
    }

    Table table(String path) {
        return store.tree().find("/local/" + path).orElseThrow();
    }

    /// The table and the index have the same rows, at one moment.
    void assertAgree(String path, String indexName, String why) {
        Table table = table(path);
        Table indexTable = table(path + "/" + indexName + "/" + Index.TABLE_NAME);
        int[] columns =
                indexTable.columns().stream()
                        .mapToInt(column -> table.indexOf(column.name()))
                        .toArray();
        int[] all = new int[columns.length];
        Arrays.setAll(all, column -> column);
        Transaction transaction = store.transactions().begin(Isolation.SNAPSHOT_READ_ONLY);
        try {
            TreeSet<String> rows = read(transaction, ReadColumns.of(table, columns));
            TreeSet<String> entries = read(transaction, ReadColumns.of(indexTable, all));
            assertThat(entries).as(why).isEqualTo(rows);
        } finally {
            transaction.rollback();
        }
    }

    /// The same of an ASYNC index, when it has followed all that was written before this call.
    void assertFollows(String path, String indexName, String why) {
        awaitFollowed();
        assertAgree(path, indexName, why);
    }

    void awaitFollowed() {
        var followers = store.builds().followers();
        while (followers.list().stream()
                .anyMatch(info -> info.backlogRows() > 0 || info.lagMicros() > 0)) {
            Thread.onSpinWait();
        }
    }

    private static TreeSet<String> read(Transaction transaction, ReadColumns columns) {
        TreeSet<String> rows = new TreeSet<>();
        try (RowStream stream = transaction.scan(KeyRange.ALL, columns, Direction.FORWARD)) {
            while (stream.next()) {
                assertThat(rows.add(Arrays.toString(stream.row()))).isTrue();
            }
        }
        return rows;
    }

    static Bytes key(io.cleave.value.Type type, Value... values) {
        return io.cleave.value.KeyCodec.encode(List.of(type), values);
    }

    @Override
    public void close() {
        store.close();
    }
}
