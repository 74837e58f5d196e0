package io.cleave.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.base.StatusException;
import io.cleave.schema.Table;
import io.cleave.schema.TableChange;
import io.cleave.schema.TableDefinition;
import io.cleave.schema.TableDefinition.Layout;
import io.cleave.schema.TableDefinition.NewColumn;
import io.cleave.schema.TableOptions;
import io.cleave.tablet.Cell;
import io.cleave.testkit.TestStore;
import io.cleave.tree.Scheme;
import io.cleave.value.Type.Primitive;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Tables whose tablets are in several cells.
class ManyCellsTest {
    private final TestStore store = new TestStore(3);

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void aTableIsSpreadOverAllCells() {
        create("/local/a", 4, Map.of());
        assertThat(cellsOf("/local/a")).containsExactly(1L, 2L, 3L, 1L);
        create("/local/b", 3, Map.of());
        assertThat(cellsOf("/local/b")).containsExactly(2L, 3L, 1L);
        store.restart();
        assertThat(cellsOf("/local/a")).containsExactly(1L, 2L, 3L, 1L);
        assertThat(cellsOf("/local/b")).containsExactly(2L, 3L, 1L);
    }

    @Test
    void cellsThatAreAddedTakeNewTablets() {
        create("/local/a", 3, Map.of());
        store.restart(5);
        create("/local/b", 3, Map.of());
        assertThat(cellsOf("/local/b")).containsExactly(4L, 5L, 1L);
        assertThat(store.resharding().bundles())
                .containsEntry("default", List.of(1L, 2L, 3L, 4L, 5L));
    }

    @Test
    void aDroppedTableIsGoneFromAllCells() {
        create("/local/a", 6, Map.of());
        create("/local/b", 3, Map.of());
        store.tree().dropTable("/local/a", false);
        assertThat(store.cells()).allSatisfy(cell -> assertThat(cell.tablets()).hasSize(1));
        store.tree().renameTables(List.of(new Scheme.Renaming("/local/b", "/local/c", false)));
        store.tree().dropTable("/local/c", false);
        assertThat(store.cells()).allSatisfy(cell -> assertThat(cell.tablets()).isEmpty());
    }

    @Test
    void settingsReachTheTabletsOfAllCells() {
        create("/local/a", 3, Map.of());
        store.tree().alterTable("/local/a", List.of(new TableChange.SetKeyBloomFilter(true)));
        assertThat(store.cells()).allSatisfy(ManyCellsTest::hasFilter);
        store.restart();
        assertThat(store.cells()).allSatisfy(ManyCellsTest::hasFilter);
    }

    private static void hasFilter(Cell cell) {
        assertThat(cell.tablets().getFirst().settings().keyFilter()).isTrue();
    }

    @Test
    void aTableLiesInTheCellsOfItsBundle() {
        store.resharding().putBundle("archive", List.of(2L));
        create("/local/a", 2, Map.of("tablet_cell_bundle", "archive"));
        create("/local/b", 3, Map.of());
        assertThat(cellsOf("/local/a")).containsExactly(2L, 2L);
        assertThat(cellsOf("/local/b")).containsExactly(1L, 3L, 1L);
        store.restart();
        assertThat(store.resharding().bundles())
                .isEqualTo(Map.of("archive", List.of(2L), "default", List.of(1L, 3L)));
        assertRefused(
                () -> create("/local/c", 1, Map.of("tablet_cell_bundle", "nowhere")),
                "Unknown bundle 'nowhere' in the attribute tablet_cell_bundle",
                "there are: archive, default");
        assertRefused(
                () -> store.resharding().putBundle("archive", List.of(2L, 3L)),
                "cell 3 has tablets of /local/b, which uses the bundle 'default'",
                "move them first");
        assertRefused(
                () -> store.resharding().putBundle("x", List.of(9L)),
                "there is no cell 9",
                "1, 2, 3");
        assertRefused(
                () -> store.resharding().putBundle("archive", List.of()),
                "/local/a",
                "the bundle 'archive' must have at least one cell");
    }

    private static void assertRefused(Runnable change, String what, String remedy) {
        assertThatThrownBy(change::run)
                .isInstanceOf(StatusException.class)
                .hasMessageContaining(what)
                .hasMessageContaining(remedy);
    }

    private List<Long> cellsOf(String path) {
        Table table = store.tree().find(path).orElseThrow();
        return store.tablets().infos(table).stream().map(TabletInfo::cellId).toList();
    }

    private void create(String path, int tablets, Map<String, String> attributes) {
        store.tree()
                .createTable(
                        new TableDefinition(
                                path,
                                List.of(
                                        new NewColumn(
                                                "k", Primitive.UINT64, true, "", Optional.empty())),
                                List.of("k"),
                                List.of(),
                                TableOptions.DEFAULT,
                                new Layout.Uniform(tablets),
                                attributes),
                        false);
    }
}
