package io.cleave.catalog;

import io.cleave.base.Bytes;
import io.cleave.base.CorruptionException;
import io.cleave.base.Direction;
import io.cleave.base.Status;
import io.cleave.lsm.row.Projection;
import io.cleave.lsm.row.Row;
import io.cleave.lsm.row.RowChange;
import io.cleave.lsm.row.RowCursor;
import io.cleave.schema.KeyRange;
import io.cleave.tablet.Cell;
import io.cleave.tablet.Tablet;
import io.cleave.tablet.record.TabletWrites;
import io.cleave.tablet.record.TabletWrites.KeyedChange;
import io.cleave.value.FieldCodec;
import io.cleave.value.KeyCodec;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;

/// Stores the rounds of the balancer in the system cell.
///
/// ```
/// rounds    key bundle Utf8, group Utf8       1 start Uint64: microseconds since 1970,
///                                             2 pending Uint64: a number of RoundRows.Pending
/// ```
final class CellRoundRows implements RoundRows {
    private static final List<Primitive> KEY = List.of(Primitive.UTF8, Primitive.UTF8);

    private final Cell cell;

    CellRoundRows(Cell cell) {
        this.cell = cell;
    }

    @Override
    public Map<Group, Round> all() {
        long snapshot = cell.timeline().take();
        try {
            return read(cell::tablet, snapshot);
        } finally {
            cell.timeline().release(snapshot);
        }
    }

    static Map<Group, Round> read(LongFunction<@Nullable Tablet> tablets, long snapshot) {
        Map<Group, Round> found = new HashMap<>();
        Tablet tablet = tablets.apply(SystemTables.ROUNDS);
        if (tablet != null) {
            RowCursor rows =
                    tablet.scan(KeyRange.ALL, Projection.ALL, snapshot, Direction.FORWARD, null);
            while (rows.next()) {
                found.put(readGroup(rows.row()), readRound(rows.row()));
            }
        }
        return found;
    }

    @Override
    public void change(Map<Group, Round> puts, Collection<Group> removals) {
        List<KeyedChange> rows = new ArrayList<>();
        puts.forEach((group, round) -> rows.add(put(group, round)));
        removals.forEach(group -> rows.add(new KeyedChange(key(group), RowChange.ERASE)));
        if (!rows.isEmpty()) {
            var writes = List.of(new TabletWrites(SystemTables.ROUNDS, rows));
            SystemWrites.commit(cell, writes, Status.UNAVAILABLE);
        }
    }

    private static KeyedChange put(Group group, Round round) {
        return new KeyedChange(
                key(group),
                RowChange.encode(
                        RowChange.Kind.REPLACE,
                        new int[] {1, 2},
                        new byte[] @Nullable [] {
                            number(round.startMicros()), number(round.pending().number())
                        }));
    }

    private static Bytes key(Group group) {
        return KeyCodec.encode(KEY, Value.text(group.bundle()), Value.text(group.name()));
    }

    private static Group readGroup(Row row) {
        Value[] key = KeyCodec.decode(KEY, row.key());
        return new Group(((Value.Text) key[0]).value(), ((Value.Text) key[1]).value());
    }

    private static Round readRound(Row row) {
        long number = number(row, 2);
        for (Pending pending : Pending.values()) {
            if (pending.number() == number) {
                return new Round(number(row, 1), pending);
            }
        }
        throw corrupt("a round has the pending work %d, which is not known".formatted(number));
    }

    private static byte[] number(long value) {
        return FieldCodec.encode(Primitive.UINT64, Value.of(value));
    }

    private static long number(Row row, int columnId) {
        int index = row.fieldIndex(columnId);
        if (index < 0) {
            throw corrupt("a round has no column %d".formatted(columnId));
        }
        Value value =
                FieldCodec.decode(
                        Primitive.UINT64, row.data(index), row.from(index), row.to(index));
        return ((Value.Int) value).value();
    }

    private static CorruptionException corrupt(String what) {
        return new CorruptionException("the catalog", 0, what);
    }
}
