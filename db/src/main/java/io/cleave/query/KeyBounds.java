package io.cleave.query;

import io.cleave.base.Bytes;
import io.cleave.base.Issue;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.schema.Column;
import io.cleave.schema.KeyRange;
import io.cleave.schema.Table;
import io.cleave.schema.TableDefinition.TypedValue;
import io.cleave.value.KeyCodec;
import io.cleave.value.Type;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Optional;

/// A key range as a client gives it: tuples of the first key columns. Either side may be open.
public record KeyBounds(Optional<Bound> from, Optional<Bound> to) {
    /// A bound that is shorter than the key includes or excludes all keys that begin with it.
    public record Bound(TypedValue tuple, boolean inclusive) {}

    public static final KeyBounds ALL = new KeyBounds(Optional.empty(), Optional.empty());

    private static final KeyRange NOTHING = new KeyRange(Bytes.EMPTY, Bytes.EMPTY);

    KeyRange rangeIn(Table table) {
        Bytes start = Bytes.EMPTY;
        if (from.isPresent()) {
            Bytes prefix = encode(table, from.get());
            Bytes after = KeyCodec.prefixEnd(prefix);
            if (!from.get().inclusive() && after == null) {
                return NOTHING;
            }
            start = from.get().inclusive() || after == null ? prefix : after;
        }
        @Nullable Bytes end = null;
        if (to.isPresent()) {
            Bytes prefix = encode(table, to.get());
            end = to.get().inclusive() ? KeyCodec.prefixEnd(prefix) : prefix;
        }
        return new KeyRange(start, end);
    }

    private static Bytes encode(Table table, Bound bound) {
        List<Column> key = table.key();
        if (!(bound.tuple().type() instanceof Type.Tuple(var types))
                || !(bound.tuple().value() instanceof Value.Items(var items))) {
            throw bad(
                    "A key range bound must be a tuple of key columns, got "
                            + bound.tuple().type().text());
        }
        if (types.isEmpty() || types.size() > key.size()) {
            throw bad(
                    "A key range bound has %d values, but the key of %s has %d columns"
                            .formatted(types.size(), table.path(), key.size()));
        }
        Value[] values = new Value[types.size()];
        for (int index = 0; index < values.length; index++) {
            values[index] = checked(key.get(index), types.get(index), items.get(index));
        }
        return KeyCodec.encode(key.stream().map(Column::type).toList(), values);
    }

    private static Value checked(Column column, Type sent, Value value) {
        if (!value.isNull() && !sent.unwrapped().equals(column.type())) {
            throw bad(
                    "A key range bound has %s for key column %s, whose type is %s"
                            .formatted(sent.text(), column.name(), column.type().text()));
        }
        return value;
    }

    private static StatusException bad(String message) {
        return new StatusException(Status.BAD_REQUEST, Issue.error(Issue.BAD_REQUEST, message));
    }
}
