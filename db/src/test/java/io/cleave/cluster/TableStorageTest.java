package io.cleave.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.lsm.TreeSettings;
import io.cleave.schema.ColumnFamily;
import io.cleave.schema.TableChange;
import io.cleave.schema.TableDefinition;
import io.cleave.schema.TableDefinition.Layout;
import io.cleave.schema.TableDefinition.NewColumn;
import io.cleave.schema.TableOptions;
import io.cleave.tablet.CellOptions;
import io.cleave.tablet.Tablet;
import io.cleave.testkit.MemoryMedia;
import io.cleave.testkit.TestStore;
import io.cleave.value.Type.Primitive;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/// That tablets hear how their table wants its rows stored, whatever happens in between; what the
/// settings come to is in testdata/storage.
class TableStorageTest {
    private final MemoryMedia media = new MemoryMedia("hdd");
    private final TestStore store = new TestStore(CellOptions.DEFAULT, media);

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void tabletsThatMissedAChangeAreToldAtTheNextStart() {
        create();
        List<Long> ids = store.user().tablets().stream().map(Tablet::id).toList();
        TreeSettings wanted = settings();
        // What a crash between the catalog's commit and the cell's record leaves.
        store.user().configure(ids, TreeSettings.DEFAULT);
        assertThat(settings()).isEqualTo(TreeSettings.DEFAULT);
        store.restart();
        assertThat(settings()).isEqualTo(wanted).isNotEqualTo(TreeSettings.DEFAULT);
    }

    @Test
    void aTabletThatKnowsIsNotToldAgain() {
        create();
        long before = store.userLog().nextPosition();
        store.cluster()
                .alterTable("/local/t", List.of(new TableChange.SetAttributes(Map.of("a", "b"))));
        assertThat(store.userLog().nextPosition()).isEqualTo(before);
    }

    @Test
    void aStoreIsNotOpenedWithoutTheMediumOfATable() {
        create();
        media.lose("hdd");
        assertThatThrownBy(store::restart)
                .hasMessageContaining(
                        "table /local/t has its family 'cold' on the medium 'hdd', which was not"
                                + " given: start with --medium hdd=FOLDER");
    }

    @Test
    void usersSeeTheDefaultMediumByItsName() {
        assertThat(store.cluster().media()).containsExactly("ssd", "hdd");
    }

    private TreeSettings settings() {
        return store.user().tablets().getFirst().settings();
    }

    private void create() {
        store.cluster()
                .createTable(
                        new TableDefinition(
                                "/local/t",
                                List.of(
                                        new NewColumn(
                                                "k",
                                                Primitive.UINT64,
                                                true,
                                                "default",
                                                Optional.empty()),
                                        new NewColumn(
                                                "v",
                                                Primitive.UTF8,
                                                false,
                                                "cold",
                                                Optional.empty())),
                                List.of("k"),
                                List.of(new ColumnFamily("cold", "hdd", "lz4", "in_memory")),
                                TableOptions.DEFAULT,
                                new Layout.Single(),
                                Map.of()),
                        false);
    }
}
