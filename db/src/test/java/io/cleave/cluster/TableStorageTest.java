package io.cleave.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.blob.MemoryBlobs;
import io.cleave.lsm.table.TreeSettings;
import io.cleave.schema.ColumnFamily;
import io.cleave.schema.TableChange;
import io.cleave.schema.TableDefinition;
import io.cleave.schema.TableDefinition.Layout;
import io.cleave.schema.TableDefinition.NewColumn;
import io.cleave.schema.TableOptions;
import io.cleave.tablet.CellOptions;
import io.cleave.tablet.Tablet;
import io.cleave.testkit.TestStore;
import io.cleave.txn.RowWrite;
import io.cleave.txn.Transactions.KeyedWrite;
import io.cleave.value.KeyCodec;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// That tablets hear how their table wants its rows stored, whatever happens in between; what the
/// settings come to is in testdata/storage.
class TableStorageTest {
    private final TestStore store =
            new TestStore(CellOptions.DEFAULT, new MemoryBlobs(Set.of("", "ssd", "hdd")));

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void tabletsThatMissedAChangeAreToldAtTheNextStart() {
        create();
        TreeSettings wanted = settings();
        // What a crash between the catalog's commit and the cell's record leaves.
        store.user().structure().configure(tabletIds(), TreeSettings.DEFAULT);
        assertThat(settings()).isEqualTo(TreeSettings.DEFAULT);
        store.restart();
        assertThat(settings()).isEqualTo(wanted).isNotEqualTo(TreeSettings.DEFAULT);
    }

    @Test
    void aTabletThatKnowsIsNotToldAgain() {
        create();
        long before = store.userLog().nextPosition();
        store.tree()
                .alterTable("/local/t", List.of(new TableChange.SetAttributes(Map.of("a", "b"))));
        assertThat(store.userLog().nextPosition()).isEqualTo(before);
    }

    @Test
    void aChangeTakesEffectWhenFilesAreWrittenAnew() {
        create();
        var table = store.tree().find("/local/t").orElseThrow();
        List<KeyedWrite> rows = new ArrayList<>();
        for (long id = 0; id < 1_000; id++) {
            rows.add(
                    new KeyedWrite(
                            KeyCodec.encode(List.of(Primitive.UINT64), Value.of(id)),
                            new RowWrite(
                                    RowWrite.Kind.UPSERT,
                                    new int[] {1},
                                    new Value[] {Value.text("x".repeat(100))})));
        }
        store.transactions().bulkWrite(table, rows);
        store.user().structure().compact(tabletIds());
        long compressed = coldBytes();
        var raw =
                new TableChange.AlterFamily(
                        new TableChange.FamilySettings(
                                "cold", Optional.empty(), Optional.of("off"), Optional.empty()));
        store.tree().alterTable("/local/t", List.of(raw));
        assertThat(coldBytes()).isEqualTo(compressed);
        store.user().structure().compact(tabletIds());
        assertThat(coldBytes()).isGreaterThan(100_000).isGreaterThan(5 * compressed);
    }

    private List<Long> tabletIds() {
        return store.user().tablets().stream().map(Tablet::id).toList();
    }

    private long coldBytes() {
        var table = store.tree().find("/local/t").orElseThrow();
        return store.tablets().infos(table).getFirst().storage().fileBytes("cold");
    }

    @Test
    void usersSeeTheDefaultMediumByItsName() {
        assertThat(store.tree().media()).containsExactly("ssd", "hdd");
        assertThat(new Media(Set.of("", "a", "b")).names()).containsExactly("ssd", "a", "b");
    }

    @Test
    void aFamilyThatNamesNoMediumLiesWithThoseThatNameTheDefault() {
        ColumnFamily silent = ColumnFamily.DEFAULT;
        var named = new ColumnFamily("f", "ssd", "off", "regular");
        var plain = new Media(Set.of("", "hdd"));
        assertThat(plain.storedName(silent)).isEqualTo(plain.storedName(named)).isEmpty();
        var withSsd = new Media(Set.of("", "ssd"));
        assertThat(withSsd.storedName(silent))
                .isEqualTo(withSsd.storedName(named))
                .isEqualTo("ssd");
    }

    private TreeSettings settings() {
        return store.user().tablets().getFirst().settings();
    }

    private void create() {
        store.tree()
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
