package io.cleave.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.Bytes;
import io.cleave.base.SystemEnv;
import io.cleave.lsm.row.RowChange;
import io.cleave.plan.Program.ResultShape;
import io.cleave.query.Cancellation;
import io.cleave.query.QueryRun;
import io.cleave.query.QueryText;
import io.cleave.query.ResultLimits;
import io.cleave.query.Results;
import io.cleave.query.Texts;
import io.cleave.query.TxControl;
import io.cleave.schema.Table;
import io.cleave.tablet.Route;
import io.cleave.tablet.lock.ReadLocks;
import io.cleave.tablet.record.CommitResult;
import io.cleave.tablet.record.TabletWrites;
import io.cleave.tablet.record.TabletWrites.KeyedChange;
import io.cleave.txn.OptimisticTransactions;
import io.cleave.txn.RowWrite;
import io.cleave.value.KeyCodec;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// What `fsck` says about indexes that agree with their tables, and about those that do not.
class FsckIndexTest {
    private static final String TABLE =
            "CREATE TABLE t (k Int32, a Int32, b Utf8, PRIMARY KEY (k),"
                    + " INDEX i GLOBAL ON (a) COVER (b), INDEX u GLOBAL UNIQUE ON (a, k),"
                    + " INDEX later GLOBAL ASYNC ON (b))";

    private static final String ROWS =
            "UPSERT INTO t (k, a, b) VALUES (1, 10, 'x'u), (2, 20, NULL), (3, NULL, 'z'u),"
                    + " (4, 10, 'x'u)";

    @TempDir private Path temp;

    private interface Work {
        void run(Node node);
    }

    @Test
    void indexesThatAgreeAreClean() throws Exception {
        inFolder(
                node -> {
                    run(node, ROWS);
                    awaitFollowed(node);
                });
        assertThat(check())
                .containsSubsequence(
                        "index /local/t/i: 4 entries",
                        "index /local/t/u: 4 entries",
                        "index /local/t/later: 4 entries")
                .last()
                .isEqualTo("clean");
    }

    @Test
    void everyKindOfDifferenceIsToldByItsKey() throws Exception {
        inFolder(
                node -> {
                    run(node, ROWS);
                    Table index = node.store().tablets().table("t/i/indexImplTable");
                    put(node, index, entry(10, 1), RowChange.ERASE);
                    put(node, index, entry(99, 2), covering(node, index, Value.text("q")));
                    put(node, index, entry(5, 77), covering(node, index, Value.Null.NULL));
                    put(node, index, entry(10, 4), covering(node, index, Value.text("other")));
                });
        assertThat(check())
                .contains(
                        "  DAMAGE index /local/t/i: the row with key 1 has no entry 10,1",
                        "  DAMAGE index /local/t/i: index entry 10,4 has other covered values than"
                                + " the row with key 4",
                        "  DAMAGE index /local/t/i: index entry 99,2 has no matching row; the row"
                                + " with key 2 has another entry",
                        "  DAMAGE index /local/t/i: index entry 5,77 has no matching row; the row"
                                + " with key 77 does not exist")
                .last()
                .isEqualTo("4 damages");
    }

    @Test
    void manyDifferencesAreCounted() throws Exception {
        inFolder(
                node -> {
                    run(node, ROWS);
                    Table index = node.store().tablets().table("t/i/indexImplTable");
                    for (int key = 100; key < 120; key++) {
                        put(node, index, entry(1, key), covering(node, index, Value.Null.NULL));
                    }
                });
        assertThat(check())
                .contains("  DAMAGE index /local/t/i: 10 more differences")
                .last()
                .isEqualTo("11 damages");
    }

    @Test
    void anAsyncIndexMayBeBehindButNotWrong() throws Exception {
        inFolder(
                node -> {
                    run(node, ROWS);
                    awaitFollowed(node);
                    node.frontDoor().background().indexBuilds().orElseThrow().followers().close();
                    // Nobody follows this.
                    run(node, "UPDATE t SET b = 'new'u WHERE k IN (1, 2)");
                });
        assertThat(check())
                .contains("index /local/t/later: 2 entries, behind by 2 rows")
                .last()
                .isEqualTo("clean");
    }

    private static void awaitFollowed(Node node) {
        var followers = node.frontDoor().background().indexBuilds().orElseThrow().followers();
        while (followers.list().stream()
                .anyMatch(info -> info.backlogRows() > 0 || info.lagMicros() > 0)) {
            Thread.onSpinWait();
        }
    }

    /// The first time with the table; then it is damaged by hand.
    private void inFolder(Work work) throws Exception {
        try (Node node = Node.start(NodeOptions.inFolder(temp.resolve("data")))) {
            run(node, TABLE);
            work.run(node);
        }
    }

    private List<String> check() throws Exception {
        return Fsck.run(temp.resolve("data"), Map.of()).text().lines().toList();
    }

    private static Bytes entry(int a, int k) {
        return KeyCodec.encode(List.of(Primitive.INT32, Primitive.INT32), Value.of(a), Value.of(k));
    }

    private static Bytes covering(Node node, Table index, Value value) {
        var transactions = new OptimisticTransactions(node.store().tablets(), new SystemEnv());
        return transactions.encode(
                index, new RowWrite(RowWrite.Kind.REPLACE, new int[] {2}, new Value[] {value}));
    }

    private static void put(Node node, Table table, Bytes key, Bytes change) {
        Route route = node.store().tablets().map(table).find(key);
        var writes = new TabletWrites(route.tabletId(), List.of(new KeyedChange(key, change)));
        assertThat(route.cell().commit(List.of(writes), new ReadLocks(), null))
                .isInstanceOf(CommitResult.Done.class);
    }

    private static void run(Node node, String text) {
        Texts.runAlone(
                node.frontDoor(),
                QueryText.ofQueryService(text, Map.of()),
                new QueryRun(
                        TxControl.IMPLICIT,
                        Map.of(),
                        ResultLimits.NONE,
                        Cancellation.byDefault(new SystemEnv())),
                new Results() {
                    @Override
                    public void transaction(String txId) {}

                    @Override
                    public void begin(int resultIndex, ResultShape shape) {}

                    @Override
                    public void row(int resultIndex, Value[] row) {}

                    @Override
                    public void end(int resultIndex, boolean truncated) {}
                });
    }
}
