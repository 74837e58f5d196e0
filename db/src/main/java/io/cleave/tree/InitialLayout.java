package io.cleave.tree;

import io.cleave.base.Bytes;
import io.cleave.base.Issue;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.cluster.TabletLimits;
import io.cleave.schema.Column;
import io.cleave.schema.KeyRange;
import io.cleave.schema.Table;
import io.cleave.schema.TableDefinition.Layout;
import io.cleave.schema.TableDefinition.TypedValue;
import io.cleave.value.Convert;
import io.cleave.value.Ints;
import io.cleave.value.KeyCodec;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The key ranges of a new table's tablets. Pure.
final class InitialLayout {
    private static final int MAX_TABLETS = TabletLimits.DEFAULT.ofTable();

    private InitialLayout() {}

    static List<KeyRange> ranges(Table table, Layout layout) {
        List<Bytes> cuts =
                switch (layout) {
                    case Layout.Single() -> List.of();
                    case Layout.Uniform(long count) -> uniform(table, count);
                    case Layout.AtKeys(List<List<TypedValue>> keys) -> atKeys(table, keys);
                };
        List<KeyRange> ranges = new ArrayList<>();
        Bytes from = Bytes.EMPTY;
        for (Bytes cut : cuts) {
            ranges.add(new KeyRange(from, cut));
            from = cut;
        }
        ranges.add(new KeyRange(from, null));
        return ranges;
    }

    /// Cuts at MAX * (i / n) for i = 1 … n-1, computed in doubles as YDB does, because the rounding
    /// shows in the bounds of 64-bit keys.
    private static List<Bytes> uniform(Table table, long count) {
        if (count < 1 || count > MAX_TABLETS) {
            throw refuse("Invalid partition count specified: " + count);
        }
        Column first = table.key().getFirst();
        boolean narrow = first.type() == Primitive.UINT32;
        if (!narrow && first.type() != Primitive.UINT64 && first.type() != Primitive.UUID) {
            throw refuse(
                    "Unsupported first key column type "
                            + first.type().text()
                            + ", only Uint32 and Uint64 are supported");
        }
        double max = narrow ? 0xFFFF_FFFFL : 0x1p64;
        List<Bytes> cuts = new ArrayList<>();
        for (long index = 1; index < count; index++) {
            BigInteger cut = new BigDecimal(max * ((double) index / count)).toBigInteger();
            Value value =
                    first.type() == Primitive.UUID
                            ? new Value.Int128(0, Long.reverseBytes(cut.longValue()))
                            : Value.of(cut.longValue());
            cuts.add(KeyCodec.encode(List.of(first.type()), value));
        }
        return cuts;
    }

    private static List<Bytes> atKeys(Table table, List<List<TypedValue>> keys) {
        if (keys.size() >= MAX_TABLETS) {
            throw refuse("Invalid partition count specified: " + (keys.size() + 1));
        }
        List<Type> types = table.key().stream().map(Column::type).toList();
        List<Bytes> cuts = new ArrayList<>();
        for (List<TypedValue> key : keys) {
            if (key.size() > types.size()) {
                throw refuse(
                        "Partition at keys has "
                                + key.size()
                                + " key values while there are only "
                                + types.size()
                                + " key columns");
            }
            Value[] values = new Value[key.size()];
            for (int index = 0; index < values.length; index++) {
                values[index] = converted(key.get(index), types.get(index));
            }
            Bytes cut = KeyCodec.encode(types, values);
            if (cut.isEmpty() || (!cuts.isEmpty() && cuts.getLast().compareTo(cut) >= 0)) {
                throw refuse("Partition ranges are not sorted at index " + cuts.size());
            }
            cuts.add(cut);
        }
        return cuts;
    }

    /// Clients send keys as optionals, even for NOT NULL columns.
    private static Value converted(TypedValue given, Type target) {
        if (given.value().isNull()) {
            return given.value();
        }
        Type type = given.type().unwrapped();
        // A conversion between integers may keep the bits and change the number; a cut must keep
        // the number.
        boolean otherNumber =
                given.value() instanceof Value.Int(long bits)
                        && type instanceof Primitive from
                        && target instanceof Primitive to
                        && Ints.isInteger(from)
                        && Ints.isInteger(to)
                        && !Ints.holds(to, from, bits);
        return Convert.find(type, target, Optional.of(given.value()))
                .filter(_ -> !otherNumber)
                .map(caster -> caster.apply(given.value()))
                .orElseThrow(
                        () ->
                                refuse(
                                        "Failed to convert value of type "
                                                + given.type().text()
                                                + " to a corresponding key column type "
                                                + target.text()));
    }

    private static StatusException refuse(String message) {
        return new StatusException(Status.SCHEME_ERROR, Issue.error(Issue.SCHEME, message));
    }
}
