package io.cleave.catalog;

import io.cleave.base.Bytes;
import io.cleave.base.Check;
import io.cleave.catalog.CatalogView.Node;
import io.cleave.lsm.row.Row;
import io.cleave.lsm.row.RowChange;
import io.cleave.schema.CellStage;
import io.cleave.schema.KeyRange;
import io.cleave.schema.Table;
import io.cleave.tablet.record.TabletSpec;
import io.cleave.tablet.record.TabletWrites.KeyedChange;
import io.cleave.value.FieldCodec;
import io.cleave.value.KeyCodec;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

/// The system tables that hold the catalog, and the format of their rows. Each table has one
/// tablet. Column and tablet numbers are stored on disk.
///
/// ```
/// paths     key path Utf8                     1 created Uint64, 2 description String (tables only),
///                                             3 view String (views only)
/// tablets   key table Uint64, from String     1 tablet Uint64, 2 cell Uint64, 3 to String?,
///                                             4 epoch Uint64? (1 if it is not there)
/// counters  key name Utf8                     1 value Uint64
/// bundles   key name Utf8                     1 cells Utf8: their ids, with commas between
/// sequences key sequence Uint64               1 value Int64, 2 used Bool: no number after the
///                                             value was given yet, and the value only if used
/// users, groups, acls                         see AccessRows
/// positions key table Uint64 (of an index)    1 moment Uint64: see IndexPositions
/// decisions key number Uint64                 1 entry String: what was decided about tablets;
///                                             number 0: which decisions are stored
/// cypress   key path Utf8                     see CypressRows
/// rounds    key bundle Utf8, group Utf8       see CellRoundRows
/// actions   key number Uint64                 1 entry String: a change of tablets (control.action)
/// cells     key cell Uint64                   1 stage Uint64: see CellStage
/// ```
final class SystemTables {
    static final long PATHS = 1;
    static final long TABLETS = 2;
    static final long COUNTERS = 3;
    static final long BUNDLES = 4;
    static final long SEQUENCES = 5;
    static final long USERS = 6;
    static final long GROUPS = 7;
    static final long ACLS = 8;
    static final long POSITIONS = 9;
    static final long DECISIONS = 10;
    static final long CYPRESS = 11;
    static final long ROUNDS = 12;
    static final long ACTIONS = 13;
    static final long CELLS = 14;

    private static final List<Primitive> PATH_KEY = List.of(Primitive.UTF8);
    private static final List<Primitive> TABLET_KEY = List.of(Primitive.UINT64, Primitive.STRING);

    private SystemTables() {}

    static List<TabletSpec> tablets() {
        return LongStream.rangeClosed(PATHS, CELLS)
                .mapToObj(id -> new TabletSpec(id, id, KeyRange.ALL))
                .toList();
    }

    static KeyedChange put(Node node) {
        byte[] created = number(node.createdMicros());
        byte @Nullable [] description = node.table().map(TableCodec::encode).orElse(null);
        byte @Nullable [] view = node.view().map(ViewCodec::encode).orElse(null);
        return new KeyedChange(
                pathKey(node.path()),
                RowChange.encode(
                        RowChange.Kind.REPLACE,
                        new int[] {1, 2, 3},
                        new byte[] @Nullable [] {created, description, view}));
    }

    static KeyedChange removeNode(String path) {
        return new KeyedChange(pathKey(path), RowChange.ERASE);
    }

    static Node readNode(Row row) {
        String path = text(KeyCodec.decode(PATH_KEY, row.key())[0]);
        int description = row.fieldIndex(2);
        Optional<Table> table =
                description < 0
                        ? Optional.empty()
                        : Optional.of(
                                TableCodec.decode(
                                        row.data(description),
                                        row.from(description),
                                        row.to(description)));
        int view = row.fieldIndex(3);
        return new Node(
                path,
                number(row, 1),
                table,
                view < 0
                        ? Optional.empty()
                        : Optional.of(
                                ViewCodec.decode(
                                        path, row.data(view), row.from(view), row.to(view))));
    }

    static KeyedChange put(long tableId, TabletPlace place) {
        Bytes to = place.range().to();
        return new KeyedChange(
                tabletKey(tableId, place.range().from()),
                RowChange.encode(
                        RowChange.Kind.REPLACE,
                        new int[] {1, 2, 3, 4},
                        new byte[] @Nullable [] {
                            number(place.tabletId()),
                            number(place.cellId()),
                            to == null ? null : to.array(),
                            number(place.epoch())
                        }));
    }

    static KeyedChange removeTablet(long tableId, TabletPlace place) {
        return new KeyedChange(tabletKey(tableId, place.range().from()), RowChange.ERASE);
    }

    static long readTableId(Row row) {
        return whole(KeyCodec.decode(TABLET_KEY, row.key())[0]);
    }

    static TabletPlace readPlace(Row row) {
        Value from = KeyCodec.decode(TABLET_KEY, row.key())[1];
        int to = row.fieldIndex(3);
        return new TabletPlace(
                number(row, 1),
                number(row, 2),
                new KeyRange(
                        ((Value.Binary) from).value(),
                        to < 0 ? null : Bytes.copyOf(row.data(to), row.from(to), row.to(to))),
                row.fieldIndex(4) < 0 ? 1 : number(row, 4));
    }

    static KeyedChange putBundle(String name, List<Long> cellIds) {
        if (cellIds.isEmpty()) {
            return new KeyedChange(pathKey(name), RowChange.ERASE);
        }
        String text = String.join(",", cellIds.stream().map(String::valueOf).toList());
        return new KeyedChange(
                pathKey(name),
                RowChange.encode(
                        RowChange.Kind.REPLACE,
                        new int[] {1},
                        new byte[] @Nullable [] {
                            FieldCodec.encode(Primitive.UTF8, Value.text(text))
                        }));
    }

    static CatalogChange.PutBundle readBundle(Row row) {
        int index = row.fieldIndex(1);
        Check.that(index >= 0, "a bundle without cells");
        Value cells =
                FieldCodec.decode(Primitive.UTF8, row.data(index), row.from(index), row.to(index));
        return new CatalogChange.PutBundle(
                text(KeyCodec.decode(PATH_KEY, row.key())[0]),
                Arrays.stream(text(cells).split(",", -1)).map(Long::valueOf).toList());
    }

    static KeyedChange putCell(long cellId, CellStage stage) {
        return new KeyedChange(
                numberKey(cellId),
                RowChange.encode(
                        RowChange.Kind.REPLACE,
                        new int[] {1},
                        new byte[] @Nullable [] {number(stage.number)}));
    }

    static KeyedChange removeCell(long cellId) {
        return new KeyedChange(numberKey(cellId), RowChange.ERASE);
    }

    static CatalogChange.PutCell readCell(Row row) {
        return new CatalogChange.PutCell(readNumberKey(row), CellStage.of(number(row, 1)));
    }

    /// No number after `value` was given yet; `value` itself was given only if `used`.
    record SequencePosition(long value, boolean used) {}

    static KeyedChange putSequence(long sequenceId, SequencePosition position) {
        return new KeyedChange(
                sequenceKey(sequenceId),
                RowChange.encode(
                        RowChange.Kind.REPLACE,
                        new int[] {1, 2},
                        new byte[] @Nullable [] {
                            FieldCodec.encode(Primitive.INT64, Value.of(position.value())),
                            FieldCodec.encode(Primitive.BOOL, Value.bool(position.used()))
                        }));
    }

    static KeyedChange removeSequence(long sequenceId) {
        return new KeyedChange(sequenceKey(sequenceId), RowChange.ERASE);
    }

    static SequencePosition readSequence(Row row) {
        return new SequencePosition(
                whole(cell(row, 1, Primitive.INT64)),
                cell(row, 2, Primitive.BOOL).equals(Value.bool(true)));
    }

    static Bytes sequenceKey(long sequenceId) {
        return numberKey(sequenceId);
    }

    private static Bytes numberKey(long number) {
        return KeyCodec.encode(List.of(Primitive.UINT64), Value.of(number));
    }

    static KeyedChange putPosition(long indexTableId, long timestamp) {
        return new KeyedChange(
                numberKey(indexTableId),
                RowChange.encode(
                        RowChange.Kind.REPLACE,
                        new int[] {1},
                        new byte[] @Nullable [] {number(timestamp)}));
    }

    static KeyedChange removePosition(long indexTableId) {
        return new KeyedChange(numberKey(indexTableId), RowChange.ERASE);
    }

    /// A row of the decisions or of the actions.
    static KeyedChange putEntry(long number, Bytes entry) {
        return new KeyedChange(
                numberKey(number),
                RowChange.encode(
                        RowChange.Kind.REPLACE,
                        new int[] {1},
                        new byte[] @Nullable [] {entry.array()}));
    }

    static KeyedChange removeEntry(long number) {
        return new KeyedChange(numberKey(number), RowChange.ERASE);
    }

    /// The keys of the entries with numbers from `from` (included) to `to` (excluded).
    static KeyRange entries(long from, long to) {
        return new KeyRange(numberKey(from), numberKey(to));
    }

    static Bytes readEntry(Row row) {
        int index = row.fieldIndex(1);
        Check.that(index >= 0, "a numbered row without an entry");
        return Bytes.copyOf(row.data(index), row.from(index), row.to(index));
    }

    /// The number that is the row's key: the id of an index table or of a cell, or the number of a
    /// decision or an action.
    static long readNumberKey(Row row) {
        return whole(KeyCodec.decode(List.of(Primitive.UINT64), row.key())[0]);
    }

    static long readPosition(Row row) {
        return number(row, 1);
    }

    static KeyedChange putCounter(String name, long value) {
        return new KeyedChange(
                pathKey(name),
                RowChange.encode(
                        RowChange.Kind.REPLACE,
                        new int[] {1},
                        new byte[] @Nullable [] {number(value)}));
    }

    static long readCounter(Row row) {
        return number(row, 1);
    }

    static Bytes counterKey(String name) {
        return pathKey(name);
    }

    private static Bytes pathKey(String path) {
        return textKey(path);
    }

    /// The key of a row whose table has one text as its key.
    static String readText(Row row) {
        return text(KeyCodec.decode(PATH_KEY, row.key())[0]);
    }

    static Bytes textKey(String path) {
        return KeyCodec.encode(PATH_KEY, Value.text(path));
    }

    private static Bytes tabletKey(long tableId, Bytes from) {
        return KeyCodec.encode(TABLET_KEY, Value.of(tableId), Value.binary(from));
    }

    private static byte[] number(long value) {
        return FieldCodec.encode(Primitive.UINT64, Value.of(value));
    }

    private static long number(Row row, int columnId) {
        return whole(cell(row, columnId, Primitive.UINT64));
    }

    private static Value cell(Row row, int columnId, Primitive type) {
        int index = row.fieldIndex(columnId);
        Check.that(index >= 0, "a system row without column %d", columnId);
        return FieldCodec.decode(type, row.data(index), row.from(index), row.to(index));
    }

    private static long whole(Value value) {
        return ((Value.Int) value).value();
    }

    private static String text(Value value) {
        return ((Value.Text) value).value();
    }
}
