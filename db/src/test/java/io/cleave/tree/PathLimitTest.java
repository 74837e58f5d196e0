package io.cleave.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.catalog.CatalogChange;
import io.cleave.catalog.CatalogChange.PutNode;
import io.cleave.catalog.CatalogView.Node;
import io.cleave.query.QueryBoard;
import io.cleave.schema.SchemeChange;
import io.cleave.schema.SchemeChange.Copy;
import io.cleave.testkit.TestStore;
import io.cleave.tree.Scheme.Renaming;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

/// A database has 10,000 paths, and the table of an index is at one of them.
class PathLimitTest {
    private static final String ONE_INDEX =
            "CREATE TABLE `%s` (k Int32, v Int32, PRIMARY KEY (k), INDEX i GLOBAL ON (v))";

    private final TestStore store = new TestStore();
    private final QueryBoard board = new QueryBoard(store);

    @AfterEach
    void close() {
        store.close();
    }

    /// Takes all paths but so many.
    private void leave(int free) {
        List<CatalogChange> taken = new ArrayList<>();
        for (int number = paths(); number < NewPaths.MAX_PATHS - free; number++) {
            taken.add(new PutNode(Node.directory("/local/d" + number, 0)));
        }
        store.tablets().held().change(taken);
        assertThat(paths()).isEqualTo(NewPaths.MAX_PATHS - free);
    }

    private int paths() {
        return store.tablets().held().view().nodeCount();
    }

    private void refuses(Runnable change) {
        int paths = paths();
        int tablets = store.user().tablets().size();
        assertThatThrownBy(change::run)
                .isInstanceOfSatisfying(
                        StatusException.class,
                        refusal -> assertThat(refusal.status()).isEqualTo(Status.GENERIC_ERROR))
                .hasMessageContaining("paths count has reached maximum value in the domain: 10000");
        assertThat(paths()).isEqualTo(paths);
        assertThat(store.user().tablets()).hasSize(tablets);
    }

    private void copy(String to, boolean omitIndexes) {
        store.tree()
                .change(
                        new SchemeChange.CopyTables(
                                List.of(new Copy("/local/t", "/local/" + to, omitIndexes))));
    }

    private void rename(String to) {
        store.tree().renameTables(List.of(new Renaming("/local/t", "/local/" + to, false)));
    }

    @Test
    void everythingTakesAPathAndSoDoDirectoriesAboveIt() {
        leave(1);
        refuses(() -> store.tree().makeDirectory("/local/a/b"));
        assertThat(store.tree().makeDirectory("/local/a")).isTrue();
        assertThat(paths()).isEqualTo(NewPaths.MAX_PATHS);
        refuses(() -> store.tree().makeDirectory("/local/b"));
        refuses(() -> board.run("CREATE TABLE t (k Int32, PRIMARY KEY (k))"));
        refuses(() -> board.run("CREATE VIEW v WITH (security_invoker = TRUE) AS SELECT 1 AS one"));
    }

    @Test
    void aTableTakesAPathForEachIndexToo() {
        leave(2);
        refuses(() -> board.run(ONE_INDEX.formatted("dir/t")));
        board.run(ONE_INDEX.formatted("t"));
        assertThat(paths()).isEqualTo(NewPaths.MAX_PATHS);
    }

    @Test
    void anIndexThatIsAddedTakesOne() {
        board.run(ONE_INDEX.formatted("t"));
        leave(1);
        board.run("ALTER TABLE t ADD INDEX j GLOBAL ON (v)");
        refuses(() -> board.run("ALTER TABLE t ADD INDEX l GLOBAL ON (v)"));
        board.run("ALTER TABLE t DROP INDEX i");
        board.run("ALTER TABLE t ADD INDEX l GLOBAL ON (v)");
        board.run("ALTER TABLE t RENAME INDEX l TO i");
        assertThat(paths()).isEqualTo(NewPaths.MAX_PATHS);
    }

    @Test
    void aCopyTakesAsManyAsItsSource() {
        board.run(ONE_INDEX.formatted("t"));
        leave(3);
        refuses(
                () ->
                        store.tree()
                                .change(
                                        new SchemeChange.CopyTables(
                                                List.of(
                                                        new Copy("/local/t", "/local/a", false),
                                                        new Copy("/local/t", "/local/b", false)))));
        copy("a", false);
        refuses(() -> copy("b", false));
        copy("b", true);
        assertThat(paths()).isEqualTo(NewPaths.MAX_PATHS);
    }

    @Test
    void aRenameTakesNoneButForNewDirectories() {
        board.run(ONE_INDEX.formatted("t"));
        leave(0);
        refuses(() -> rename("dir/t"));
        rename("u");
        board.run("ALTER TABLE u RENAME TO t");
        assertThat(paths()).isEqualTo(NewPaths.MAX_PATHS);
    }

    @Test
    void aTableThatIsStillHiddenTakesOne() {
        leave(1);
        board.run("CREATE TABLE t (PRIMARY KEY (k)) AS SELECT 1 AS k");
        refuses(() -> board.run("CREATE TABLE u (PRIMARY KEY (k)) AS SELECT 1 AS k"));
        assertThat(paths()).isEqualTo(NewPaths.MAX_PATHS);
    }
}
