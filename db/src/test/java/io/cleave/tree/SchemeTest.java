package io.cleave.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.base.CorruptionException;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.catalog.CatalogChange.PutNode;
import io.cleave.catalog.CatalogView.Node;
import io.cleave.cluster.TabletInfo;
import io.cleave.schema.Column;
import io.cleave.schema.KeyRange;
import io.cleave.schema.Partitioning;
import io.cleave.schema.Preset;
import io.cleave.schema.Sequence;
import io.cleave.schema.Table;
import io.cleave.schema.TableAlteration;
import io.cleave.schema.TableChange;
import io.cleave.schema.TableDefinition;
import io.cleave.schema.TableDefinition.Layout;
import io.cleave.schema.TableDefinition.NewColumn;
import io.cleave.schema.TableDefinition.TypedValue;
import io.cleave.schema.TableOptions;
import io.cleave.schema.TableOptions.Placement;
import io.cleave.schema.TableOptions.ReadReplicas;
import io.cleave.schema.TableOptions.Ttl;
import io.cleave.schema.TableOptions.TtlUnit;
import io.cleave.tablet.Tablet;
import io.cleave.tablet.record.TabletSpec;
import io.cleave.testkit.TestStore;
import io.cleave.tree.PathEntry.Kind;
import io.cleave.tree.Scheme.Renaming;
import io.cleave.value.KeyCodec;
import io.cleave.value.Type;
import io.cleave.value.Type.Decimal;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Changes of the tree, and that every one of them is there again after a restart.
class SchemeTest {
    private final TestStore store = new TestStore();

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void aTableIsDescribedAsItWasMadeAlsoAfterARestart() {
        var options =
                new TableOptions(
                        new Partitioning(false, 100, true, 3, 50),
                        Optional.of(true),
                        Optional.of(new ReadReplicas(Placement.PER_AZ, 2)),
                        Optional.of(new Ttl("d", TtlUnit.DATE, 3600, 900)));
        scheme().createTable(
                        new TableDefinition(
                                "/local/a/b/t",
                                List.of(
                                        column("k", Primitive.UINT64),
                                        column("d", Primitive.DATE),
                                        column("m", new Decimal(22, 9)),
                                        new NewColumn(
                                                "n",
                                                Primitive.UTF8,
                                                true,
                                                "",
                                                Optional.of(
                                                        new Preset.Literal(Value.text("none"))))),
                                List.of("k"),
                                List.of(),
                                options,
                                new Layout.Single(),
                                Map.of("owner", "tests")),
                        false);
        Table before = table("/local/a/b/t");
        store.restart();
        assertThat(table("/local/a/b/t")).isEqualTo(before);
        assertThat(before.options()).isEqualTo(options);
        assertThat(before.columns().get(3).preset())
                .contains(new Preset.Literal(Value.text("none")));
        assertThat(before.attributes()).containsEntry("owner", "tests");
        assertThat(scheme().list("/local/a")).extracting(PathEntry::name).containsExactly("b");
        assertThat(scheme().describe("/local/a/b").kind()).isEqualTo(Kind.DIRECTORY);
    }

    @Test
    void aTableOverATableIsRefusedUnlessAskedToLookFirst() {
        create("/local/t");
        assertRefused(() -> create("/local/t"), Status.SCHEME_ERROR, "path exist, request");
        assertThat(scheme().createTable(definition("/local/t", new Layout.Single()), true))
                .isFalse();
        scheme().makeDirectory("/local/dir");
        assertRefused(() -> create("/local/dir"), Status.SCHEME_ERROR, "unexpected path type");
    }

    @Test
    void tablesBelowTablesAndOutsideTheDatabaseAreRefused() {
        create("/local/t");
        assertRefused(() -> create("/local/t/x"), Status.SCHEME_ERROR, "not a directory");
        assertRefused(() -> create("/other/x"), Status.BAD_REQUEST, "not in the database");
        assertRefused(() -> create("/local/a b"), Status.SCHEME_ERROR, "' ' is not allowed");
        assertRefused(() -> create("/local//x"), Status.SCHEME_ERROR, "part is empty");
        assertRefused(() -> create("/local/.sys/x"), Status.SCHEME_ERROR, "reserved");
    }

    @Test
    void aDroppedTableIsGoneWithItsTablets() {
        create("/local/t");
        assertThat(store.user().tablets()).hasSize(1);
        assertThat(scheme().dropTable("/local/t", false)).isTrue();
        assertThat(store.user().tablets()).isEmpty();
        assertRefused(
                () -> scheme().dropTable("/local/t", false),
                Status.SCHEME_ERROR,
                "Path does not exist");
        assertThat(scheme().dropTable("/local/t", true)).isFalse();
        store.restart();
        assertThat(scheme().find("/local/t")).isEmpty();
    }

    @Test
    void tabletsThatNoTableNamesAreRemovedAtStart() {
        create("/local/t");
        long kept = store.user().tablets().getFirst().id();
        store.user().structure().create(List.of(new TabletSpec(kept + 1, 88_888, KeyRange.ALL)));
        store.restart();
        assertThat(store.user().tablets()).extracting(Tablet::id).containsExactly(kept);
    }

    @Test
    void aTabletWithAnIdTheCatalogNeverGaveSpeaksOfAnotherCatalog() {
        create("/local/t");
        store.user().structure().create(List.of(new TabletSpec(99_999, 88_888, KeyRange.ALL)));
        assertThatThrownBy(store::restart)
                .isInstanceOf(CorruptionException.class)
                .hasMessageContaining("has no record of tablet 99999");
    }

    @Test
    void aColumnThatMayNotBeDroppedKeepsNoNodeFromStarting() {
        create("/local/t");
        Table before = table("/local/t");
        Column key = before.columns().getFirst();
        Column pending =
                new Column(
                        key.id(),
                        key.name(),
                        key.type(),
                        false,
                        key.family(),
                        Optional.of(new Preset.FromSequence(new Sequence(1, 1, 1, 1, 9))),
                        Optional.empty(),
                        true);
        List<Column> columns = new ArrayList<>(before.columns());
        columns.set(0, pending);
        Table broken = TableAlteration.withColumns(before, columns);
        store.tablets().held().change(List.of(new PutNode(Node.of(broken))));
        store.restart();
        assertThat(table("/local/t").columns()).noneMatch(Column::settingNotNull);
        assertThat(table("/local/t").columns()).hasSameSizeAs(columns);
    }

    @Test
    void columnsComeAndGo() {
        create("/local/t");
        scheme().alterTable(
                        "/local/t",
                        List.of(
                                new TableChange.AddColumn(column("x", Primitive.INT32)),
                                new TableChange.DropColumn("v")));
        assertThat(table("/local/t").columns()).extracting(Column::name).containsExactly("k", "x");
        scheme().alterTable(
                        "/local/t",
                        List.of(new TableChange.AddColumn(column("v", Primitive.INT32))));
        assertThat(table("/local/t").columns().getLast().id())
                .as("a new column never reads the cells of a dropped one")
                .isEqualTo(4);
        assertRefused(
                () -> alter(new TableChange.DropColumn("k")),
                Status.GENERIC_ERROR,
                "is a key column");
        assertRefused(
                () -> alter(new TableChange.DropColumn("nope")),
                Status.GENERIC_ERROR,
                "does not exist");
        assertRefused(
                () -> alter(new TableChange.AddColumn(column("x", Primitive.INT32))),
                Status.GENERIC_ERROR,
                "already exists");
    }

    /// What YDB does, and what surprises its users: enabling a policy resets what belongs to it.
    @Test
    void enablingAPolicyResetsItsSettingsUnlessTheyAreNamed() {
        create("/local/t");
        set(Optional.empty(), Optional.of(10L), Optional.empty(), Optional.of(4L));
        assertThat(partitioning()).isEqualTo(new Partitioning(true, 10, false, 4, 0));
        set(Optional.of(true), Optional.empty(), Optional.empty(), Optional.empty());
        assertThat(partitioning()).isEqualTo(new Partitioning(true, 2048, false, 1, 0));
        set(Optional.empty(), Optional.of(20L), Optional.of(true), Optional.of(5L));
        assertThat(partitioning()).isEqualTo(new Partitioning(true, 20, true, 5, 0));
        set(Optional.of(false), Optional.empty(), Optional.empty(), Optional.empty());
        assertThat(partitioning()).isEqualTo(new Partitioning(false, 0, true, 5, 0));
        set(Optional.empty(), Optional.of(30L), Optional.empty(), Optional.empty());
        assertThat(partitioning()).isEqualTo(new Partitioning(false, 30, true, 5, 0));
        set(Optional.of(true), Optional.empty(), Optional.empty(), Optional.empty());
        assertThat(partitioning()).isEqualTo(new Partitioning(true, 30, true, 1, 0));
    }

    @Test
    void renamingMovesATableAndCanReplaceAnother() {
        create("/local/a");
        create("/local/b");
        long id = table("/local/a").id();
        assertRefused(() -> rename("/local/a", "/local/b", false), Status.SCHEME_ERROR, "exist");
        rename("/local/a", "/local/b", true);
        rename("/local/b", "/local/dir/c", false);
        store.restart();
        assertThat(scheme().find("/local/a")).isEmpty();
        assertThat(scheme().find("/local/b")).isEmpty();
        assertThat(table("/local/dir/c").id()).isEqualTo(id);
        assertThat(store.user().tablets()).hasSize(1);
    }

    @Test
    void twoTablesSwapTheirNamesInOneStepOrNotAtAll() {
        create("/local/a");
        create("/local/b");
        long a = table("/local/a").id();
        long b = table("/local/b").id();
        var swap =
                List.of(
                        new Renaming("/local/a", "/local/tmp", false),
                        new Renaming("/local/b", "/local/a", false),
                        new Renaming("/local/tmp", "/local/b", false));
        scheme().renameTables(swap);
        store.restart();
        assertThat(table("/local/a").id()).isEqualTo(b);
        assertThat(table("/local/b").id()).isEqualTo(a);
        assertThat(scheme().find("/local/tmp")).isEmpty();
        assertThat(store.user().tablets()).hasSize(2);

        var broken =
                List.of(
                        new Renaming("/local/a", "/local/c", false),
                        new Renaming("/local/missing", "/local/d", false));
        assertRefused(
                () -> scheme().renameTables(broken), Status.SCHEME_ERROR, "Path does not exist");
        assertThat(table("/local/a").id()).isEqualTo(b);
    }

    /// The next start would remove it.
    @Test
    void aTableIsNotRenamedToWhereHiddenOnesStand() {
        create("/local/t");
        String hidden = scheme().createHidden(definition("/local/u", new Layout.Single())).path();
        assertRefused(() -> rename("/local/t", hidden, true), Status.SCHEME_ERROR, "reserved");
        store.restart();
        assertThat(scheme().find("/local/t")).isPresent();
    }

    @Test
    void directoriesAreMadeOnceAndRemovedWhenEmpty() {
        assertThat(scheme().makeDirectory("/local/a/b")).isTrue();
        assertThat(scheme().makeDirectory("/local/a/b")).isFalse();
        assertRefused(
                () -> scheme().removeDirectory("/local/a"),
                Status.SCHEME_ERROR,
                "path has children");
        scheme().removeDirectory("/local/a/b");
        scheme().removeDirectory("/local/a");
        assertRefused(
                () -> scheme().removeDirectory("/local/a"),
                Status.SCHEME_ERROR,
                "Path does not exist");
        assertThat(scheme().list("/")).extracting(PathEntry::path).containsExactly("/local");
    }

    /// Rounded as a double, as YDB does.
    @Test
    void uniformTabletsAreCutAtEqualParts() {
        scheme().createTable(definition("/local/t", new Layout.Uniform(4)), false);
        assertThat(scheme().tablets(table("/local/t")))
                .extracting(tablet -> tablet.range().from().isEmpty() ? 0 : first(tablet))
                .containsExactly(0L, 1L << 62, 1L << 63, 3L << 62);
    }

    @Test
    void theMinimumIsWhatWasSaidWhateverATableBeginsWith() {
        scheme().createTable(definition("/local/t", new Layout.Uniform(4)), false);
        assertThat(partitioning()).isEqualTo(Partitioning.DEFAULT);
        store.restart();
        assertThat(partitioning()).isEqualTo(Partitioning.DEFAULT);
    }

    @Test
    void cutsMustGrowAndFitTheKey() {
        assertRefused(
                () -> createAt(List.of(cut(Primitive.INT32, 5), cut(Primitive.INT32, 5))),
                Status.SCHEME_ERROR,
                "Partition ranges are not sorted at index 1");
        assertRefused(
                () ->
                        createAt(
                                List.of(
                                        List.of(
                                                typed(Primitive.INT32, 1),
                                                typed(Primitive.INT32, 2)))),
                Status.SCHEME_ERROR,
                "has 2 key values while there are only 1 key columns");
        assertRefused(
                () -> createAt(List.of(cut(Primitive.INT32, -1))),
                Status.SCHEME_ERROR,
                "Failed to convert value");
        createAt(List.of(cut(Primitive.INT32, 10), cut(Primitive.INT64, 1000)));
        assertThat(scheme().tablets(table("/local/t"))).hasSize(3);
    }

    /// In a long, -2 has the bits of the number before the greatest.
    @Test
    void cutsMayBeInTheUpperHalfOfUint64() {
        createAt(List.of(cut(Primitive.UINT64, Long.MIN_VALUE), cut(Primitive.UINT64, -2)));
        assertThat(scheme().tablets(table("/local/t"))).hasSize(3);
    }

    @Test
    void aTableMustHaveAKeyThatCanBeOne() {
        assertRefused(
                () -> createWith(List.of(column("k", Primitive.DOUBLE)), "k"),
                Status.SCHEME_ERROR,
                "Column k has wrong key type Double");
        assertRefused(
                () -> createWith(List.of(column("k", Primitive.UINT64)), "x"),
                Status.SCHEME_ERROR,
                "Unknown column 'x' specified in key column list");
        assertRefused(
                () ->
                        createWith(
                                List.of(
                                        column("k", Primitive.UINT64),
                                        column("k", Primitive.UINT64)),
                                "k"),
                Status.GENERIC_ERROR,
                "Column 'k' specified more than once");
        assertRefused(
                () -> createWith(List.of(column("k", Primitive.UINT64))),
                Status.SCHEME_ERROR,
                "No key columns specified");
    }

    private static long first(TabletInfo tablet) {
        Value[] key = KeyCodec.decode(List.of(Primitive.UINT64), tablet.range().from());
        return ((Value.Int) key[0]).value();
    }

    private Scheme scheme() {
        return store.tree();
    }

    private Table table(String path) {
        return scheme().find(path).orElseThrow();
    }

    private Partitioning partitioning() {
        return table("/local/t").options().partitioning();
    }

    private void alter(TableChange change) {
        scheme().alterTable("/local/t", List.of(change));
    }

    private void set(
            Optional<Boolean> bySize,
            Optional<Long> size,
            Optional<Boolean> byLoad,
            Optional<Long> min) {
        alter(new TableChange.SetPartitioning(bySize, size, byLoad, min, Optional.empty()));
    }

    private void rename(String from, String to, boolean replace) {
        scheme().renameTables(List.of(new Renaming(from, to, replace)));
    }

    private void create(String path) {
        scheme().createTable(definition(path, new Layout.Single()), false);
    }

    private void createAt(List<List<TypedValue>> cuts) {
        scheme().createTable(definition("/local/t", new Layout.AtKeys(cuts)), false);
    }

    private void createWith(List<NewColumn> columns, String... key) {
        scheme().createTable(
                        new TableDefinition(
                                "/local/t",
                                columns,
                                List.of(key),
                                List.of(),
                                TableOptions.DEFAULT,
                                new Layout.Single(),
                                Map.of()),
                        false);
    }

    private static TableDefinition definition(String path, Layout layout) {
        return new TableDefinition(
                path,
                List.of(column("k", Primitive.UINT64), column("v", Primitive.UTF8)),
                List.of("k"),
                List.of(),
                TableOptions.DEFAULT,
                layout,
                Map.of());
    }

    private static NewColumn column(String name, Type type) {
        return new NewColumn(name, type, false, Column.DEFAULT_FAMILY, Optional.empty());
    }

    private static List<TypedValue> cut(Type type, long value) {
        return List.of(typed(type, value));
    }

    private static TypedValue typed(Type type, long value) {
        return new TypedValue(type, Value.of(value));
    }

    private static void assertRefused(Runnable action, Status status, String text) {
        assertThatThrownBy(action::run)
                .isInstanceOfSatisfying(
                        StatusException.class,
                        refusal -> assertThat(refusal.status()).isEqualTo(status))
                .hasMessageContaining(text);
    }
}
