package io.cleave.exec.kernel;

import io.cleave.value.Type;
import io.cleave.value.Value;
import io.cleave.value.Vector;

import org.jspecify.annotations.Nullable;

/// The groups of one part of the rows, with the state of their aggregates. The groups of a later
/// part can be merged into them. Threads: one at a time.
public final class PartialGroups {
    private final GroupTable table;
    private final PartialAggregate[] aggregates;
    private final int groupBytes;
    private int[] groups = {};

    public PartialGroups(Type[] keyTypes, PartialAggregate[] aggregates) {
        table = new GroupTable(keyTypes);
        this.aggregates = aggregates;
        int bytes = 2 * Long.BYTES * (1 + keyTypes.length);
        for (PartialAggregate aggregate : aggregates) {
            bytes += aggregate.groupBytes();
        }
        groupBytes = bytes;
    }

    public int count() {
        return table.groups();
    }

    /// The memory that the groups take, in bytes.
    public long bytes() {
        long bytes = table.bytes() + (long) groupBytes * table.groups();
        for (PartialAggregate aggregate : aggregates) {
            bytes += aggregate.valueBytes();
        }
        return bytes;
    }

    /// Without keys there is exactly one group, even if there are no rows.
    public void addOnlyGroup() {
        table.find(new Vector[0], 0);
        for (PartialAggregate aggregate : aggregates) {
            aggregate.grow(1);
        }
    }

    /// `arguments` has an element for each aggregate; null if the aggregate has no argument.
    public void add(Vector[] keys, @Nullable Vector[] arguments, int[] rows, int count) {
        if (groups.length < count) {
            groups = new int[count];
        }
        if (keys.length > 0) {
            table.find(keys, rows, count, groups);
        }
        for (int index = 0; index < aggregates.length; index++) {
            aggregates[index].grow(table.groups());
            aggregates[index].add(arguments[index], rows, count, groups);
        }
    }

    public void merge(PartialGroups later) {
        int count = later.table.groups();
        var keys = new Vector[later.table.keyCount()];
        for (int index = 0; index < keys.length; index++) {
            keys[index] = later.table.key(index);
        }
        int[] here = new int[count];
        for (int group = 0; group < count; group++) {
            here[group] = table.find(keys, group);
        }
        for (int index = 0; index < aggregates.length; index++) {
            aggregates[index].grow(table.groups());
            aggregates[index].merge(later.aggregates[index], here, count);
        }
    }

    /// The keys of a group, followed by the results of its aggregates.
    public Value[] row(int group) {
        int keyCount = table.keyCount();
        var row = new Value[keyCount + aggregates.length];
        for (int index = 0; index < keyCount; index++) {
            row[index] = table.key(index).get(group);
        }
        for (int index = 0; index < aggregates.length; index++) {
            row[keyCount + index] = aggregates[index].result(group);
        }
        return row;
    }
}
