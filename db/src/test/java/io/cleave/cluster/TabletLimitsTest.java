package io.cleave.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.catalog.Catalog;
import io.cleave.schema.SchemeChange.Copy;
import io.cleave.schema.SchemeChange.CopyTables;
import io.cleave.testkit.TestStore;
import io.cleave.tree.Indexes;
import io.cleave.tree.SchemeTree;
import io.cleave.txn.ColumnRows;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

/// How many tablets there may be, at the limit and one beyond: here 4 of a table, and 6 in all.
class TabletLimitsTest {
    private static final String A = "/local/a";
    private static final String B = "/local/b";
    private static final String C = "/local/c";

    private final TestStore store = new TestStore(2);
    private final Tablets tablets =
            new Tablets(
                    "/local",
                    "",
                    new Catalog(store.system()),
                    store.cells(),
                    store.hosting(),
                    store.env(),
                    new TabletLimits(4, 6));
    private final Resharding resharding = new Resharding(tablets, store.env());
    private final SchemeTree tree =
            new SchemeTree(
                    tablets,
                    new Indexes(tablets, store.env()),
                    (_, _) -> {},
                    new ColumnRows(tablets, store.transactions(), store.env()),
                    store.env());

    @AfterEach
    void close() {
        tablets.close();
        store.close();
    }

    @Test
    void aTableHas35000AndADatabase200000() {
        assertThat(TabletLimits.DEFAULT).isEqualTo(new TabletLimits(35_000, 200_000));
    }

    @Test
    void tablesAreMadeUpToTheLimitOfTheDatabase() {
        create(A, 10, 20, 30);
        create(B, 10);
        refused(() -> create(C), "domain: 6");
        assertThat(tree.find(C)).isEmpty();
        assertThat(held()).isEqualTo(6);
    }

    @Test
    void aTableIsSplitUpToItsLimit() {
        create(A, 10, 20);
        split(A, 30);
        refused(() -> split(A, 40), "path: 4");
        assertThat(tablets.infos(tablets.table(A))).hasSize(4);
    }

    @Test
    void aTableIsSplitUpToTheLimitOfTheDatabase() {
        create(A, 10, 20);
        create(B, 10);
        split(B, 20);
        refused(() -> split(B, 30), "domain: 6");
        assertThat(tablets.infos(tablets.table(B))).hasSize(3);
    }

    @Test
    void aTableIsCopiedUpToTheLimitOfTheDatabase() {
        create(A, 10, 20);
        copy(A, B);
        refused(() -> copy(A, C), "domain: 6");
        assertThat(tree.find(C)).isEmpty();
        assertThat(held()).as("nothing is left of the copy").isEqualTo(6);
    }

    private void create(String path, long... cuts) {
        TabletBench.create(tree, path, Map.of(), cuts);
    }

    private void split(String path, long key) {
        resharding.split(path, List.of(TabletBench.key(key)));
    }

    private void copy(String from, String to) {
        tree.change(new CopyTables(List.of(new Copy(from, to, false))));
    }

    private int held() {
        return store.cells().stream().mapToInt(cell -> cell.tablets().size()).sum();
    }

    private static void refused(ThrowingCallable change, String where) {
        assertThatThrownBy(change)
                .isInstanceOfSatisfying(
                        StatusException.class,
                        e -> assertThat(e.status()).isEqualTo(Status.GENERIC_ERROR))
                .hasMessageContaining("shards count has reached maximum value in the " + where);
    }
}
