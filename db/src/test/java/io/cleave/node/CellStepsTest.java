package io.cleave.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.SystemEnv;
import io.cleave.catalog.CatalogChange;
import io.cleave.catalog.CatalogChange.PutBundle;
import io.cleave.catalog.CatalogChange.PutCell;
import io.cleave.log.OnDamage;
import io.cleave.schema.CellStage;
import io.cleave.tablet.CellOptions;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// What fsck says of each step at which a server can end while it creates or removes a cell, and
/// what the next start makes of it.
class CellStepsTest {
    private static final long CELL = 3;

    @TempDir private Path folder;

    @Test
    void theRowOfANewCellIsThereAndItsLogIsNot() throws Exception {
        leave(new PutCell(CELL, CellStage.INITIALIZING), bundle(1L, 2L, CELL));
        assertThat(fsck()).contains("cell 3", "while the cell was being created", "clean");
        assertThat(stages()).containsEntry(CELL, CellStage.RUNNING);
        assertThat(hasLog()).isTrue();
        assertThat(fsck()).endsWith("clean\n").doesNotContain("being created");
    }

    @Test
    void theLogOfANewCellIsThereToo() throws Exception {
        create();
        leave(new PutCell(CELL, CellStage.INITIALIZING));
        assertThat(fsck()).contains("while the cell was being created", "clean");
        assertThat(stages()).containsEntry(CELL, CellStage.RUNNING);
        assertThat(fsck()).endsWith("clean\n").doesNotContain("being created");
    }

    @Test
    void aCellIsToBeRemoved() throws Exception {
        create();
        leave(new PutCell(CELL, CellStage.DECOMMISSIONING));
        assertThat(fsck()).endsWith("clean\n");
        assertThat(stages()).doesNotContainKey(CELL);
        assertThat(hasLog()).isFalse();
        assertThat(fsck()).endsWith("clean\n");
    }

    @Test
    void theLogOfARemovedCellIsStillThere() throws Exception {
        create();
        leave(new PutCell(CELL, CellStage.DECOMMISSIONED));
        assertThat(fsck()).contains("while the cell was being removed", "clean");
        assertThat(stages()).doesNotContainKey(CELL);
        assertThat(hasLog()).isFalse();
        assertThat(fsck()).endsWith("clean\n").doesNotContain("being removed");
    }

    @Test
    void onlyAPieceOfTheLogIsLeft() throws Exception {
        create();
        leave(new PutCell(CELL, CellStage.DECOMMISSIONED));
        Path piece = folder.resolve("cells/3/log/00000000000003e8-00000009.log");
        Files.write(piece, new byte[7]);
        assertThat(fsck()).contains("while the cell was being removed", "clean");
        assertThat(stages()).doesNotContainKey(CELL);
        assertThat(Files.exists(folder.resolve("cells/3"))).isFalse();
    }

    @Test
    void theLogOfARunningCellIsLost() throws Exception {
        create();
        try (var files = Files.list(folder.resolve("cells/3/log"))) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        assertThat(fsck()).contains("DAMAGE cell 3: has no log");
    }

    @Test
    void aCellThatTheCatalogDoesNotHaveIsAdded() throws Exception {
        start(_ -> {});
        Path log = Files.createDirectories(folder.resolve("cells/7/log"));
        try (var files = Files.list(folder.resolve("cells/2/log"))) {
            for (Path file : files.toList()) {
                Files.copy(file, log.resolve(file.getFileName()));
            }
        }
        assertThat(fsck()).contains("cell 7", "is not in the catalog", "clean");
        assertThat(stages()).containsEntry(7L, CellStage.RUNNING);
        start(store -> assertThat(newCell(store)).isEqualTo(8));
    }

    private static long newCell(Store store) {
        return store.tablets().cellLifecycle().create("default");
    }

    private static CatalogChange bundle(Long... cellIds) {
        return new PutBundle("default", List.of(cellIds));
    }

    private interface Step {
        void with(Store store) throws Exception;
    }

    /// No balancer goes on with the cells meanwhile.
    private void start(Step step) throws Exception {
        var env = new SystemEnv();
        try (DataFolder data = DataFolder.open(folder, Map.of())) {
            var backend = new FolderBackend(env, data, OnDamage.REFUSE, _ -> {});
            var options = new Store.Options("/local", 2, CellOptions.DEFAULT, 1 << 20);
            try (var store = new Store(env, backend, options)) {
                step.with(store);
            }
        }
    }

    private void create() throws Exception {
        start(store -> assertThat(newCell(store)).isEqualTo(CELL));
    }

    /// The catalog as the end of a server leaves it.
    private void leave(CatalogChange... changes) throws Exception {
        start(store -> store.catalog().change(List.of(changes)));
    }

    private Map<Long, CellStage> stages() throws Exception {
        Map<Long, CellStage> found = new TreeMap<>();
        start(store -> found.putAll(store.catalog().view().cells()));
        return found;
    }

    private boolean hasLog() throws Exception {
        return DataFolder.hasLog(folder, CELL);
    }

    private String fsck() throws Exception {
        return Fsck.run(folder, Map.of()).text();
    }
}
