package io.cleave.exec;

import io.cleave.exec.spill.QueryMemory;
import io.cleave.exec.spill.RowKey;
import io.cleave.exec.spill.Rows;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/// A [JoinTable] in memory.
final class MemoryJoinTable implements JoinTable {
    private static final int ENTRY_BYTES = 72;

    /// The table accepts at least this number of rows, even if memory is full.
    private static final int MIN_ROWS = 64;

    private final JoinSides sides;
    private final Running run;
    private final QueryMemory.Share memory;
    private final Map<RowKey, Group> byKey = new HashMap<>();
    private final List<Entry> all = new ArrayList<>();

    /// A row, and all rows with its key; null if its key has a NULL.
    private static final class Entry {
        private final Value[] row;
        private final @Nullable Group group;

        Entry(Value[] row, @Nullable Group group) {
            this.row = row;
            this.group = group;
        }
    }

    private static final class Group extends KeyRows {
        private final List<Value[]> list = new ArrayList<>();

        @Override
        Rows rows() {
            return new Rows() {
                private int next;

                @Override
                public Value @Nullable [] next() {
                    return next == list.size() ? null : list.get(next++);
                }
            };
        }
    }

    MemoryJoinTable(JoinSides sides, Running run) {
        this.sides = sides;
        this.run = run;
        memory = new QueryMemory.Share(run.memory());
    }

    /// False when the memory is full; even then the row is in the table.
    boolean add(Value[] row) {
        run.checkpoint().pass();
        Value[] key = sides.rightKey(row, run);
        Value[] kept = row.clone();
        Group group = null;
        // A key with NULL matches nothing.
        if (!RowKey.hasNull(key)) {
            group = byKey.computeIfAbsent(RowKey.ofJoin(sides.rightTypes, key), _ -> new Group());
            group.list.add(kept);
        }
        all.add(new Entry(kept, group));
        try {
            memory.add(ENTRY_BYTES + 2 * QueryMemory.bytes(key) + QueryMemory.bytes(row));
            return true;
        } catch (QueryMemory.Full _) {
            return all.size() < MIN_ROWS;
        }
    }

    /// Passes all rows to `taker` and removes them from the table.
    void drain(Consumer<Value[]> taker) {
        all.forEach(entry -> taker.accept(entry.row));
        close();
    }

    @Override
    public @Nullable KeyRows find(RowKey key) {
        return byKey.get(key);
    }

    @Override
    public Rows rows(boolean matched) {
        return new Rows() {
            private int next;

            @Override
            public Value @Nullable [] next() {
                while (next < all.size()) {
                    run.checkpoint().pass();
                    Entry entry = all.get(next++);
                    if ((entry.group != null && entry.group.matched) == matched) {
                        return entry.row;
                    }
                }
                return null;
            }
        };
    }

    @Override
    public void close() {
        all.clear();
        byKey.clear();
        memory.close();
    }
}
