package io.cleave.query.view;

import io.cleave.base.Bytes;
import io.cleave.base.Direction;
import io.cleave.schema.Column;
import io.cleave.schema.KeyRange;
import io.cleave.value.KeyCodec;
import io.cleave.value.Type;
import io.cleave.value.Value;

import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/// A system view whose rows fit into memory together.
interface SmallView extends SystemView {
    /// All rows with all columns as they are now, in any order.
    List<Value[]> rows();

    @Override
    default Iterator<Value[]> rows(KeyRange range, Direction direction) {
        List<Type> keyTypes = table().key().stream().map(Column::type).toList();
        NavigableMap<Bytes, Value[]> byKey = new TreeMap<>();
        for (Value[] row : rows()) {
            Bytes key = KeyCodec.encode(keyTypes, Arrays.copyOf(row, keyTypes.size()));
            if (range.contains(key)) {
                byKey.put(key, row);
            }
        }
        return (direction == Direction.FORWARD ? byKey : byKey.descendingMap()).values().iterator();
    }
}
