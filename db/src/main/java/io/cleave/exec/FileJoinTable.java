package io.cleave.exec;

import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

/// A [JoinTable] whose rows stay on disk, for many rows of few keys: only the keys are in memory,
/// and the rows are read again for every left row that has one of them. Each row that is read so is
/// one of the result, but for those of the few other keys.
final class FileJoinTable implements JoinTable {
    private static final int ENTRY_BYTES = 72;

    /// The table takes so many keys whatever the memory.
    private static final int MIN_KEYS = 64;

    private final JoinSides sides;
    private final Running run;
    private final SpillFile file;
    private final QueryMemory.Share memory;
    private final Map<RowKey, Group> byKey = new HashMap<>();

    /// One key for all rows, and no NULL.
    private final boolean isOneKey;

    private final class Group extends KeyRows {
        @Override
        Rows rows() {
            return isOneKey ? file.read() : filtered(group -> group == this);
        }
    }

    /// Reads the file. Ends the run if even the keys do not fit into memory: so many that are
    /// different and have one hash do not come about by chance.
    FileJoinTable(JoinSides sides, Running run, SpillFile file) {
        this.sides = sides;
        this.run = run;
        this.file = file;
        memory = new QueryMemory.Share(run.memory());
        boolean hasNull = false;
        Rows rows = file.read();
        for (Value[] row = rows.next(); row != null; row = rows.next()) {
            run.checkpoint().pass();
            RowKey key = keyOf(row);
            if (key == null) {
                hasNull = true;
            } else if (byKey.putIfAbsent(key, new Group()) == null) {
                count(key);
            }
        }
        isOneKey = byKey.size() == 1 && !hasNull;
    }

    private void count(RowKey key) {
        try {
            memory.add(ENTRY_BYTES + QueryMemory.bytes(key.values()));
        } catch (QueryMemory.Full _) {
            if (byKey.size() > MIN_KEYS) {
                throw run.spill().full();
            }
        }
    }

    /// Null if it has a NULL.
    private @Nullable RowKey keyOf(Value[] row) {
        Value[] key = sides.rightKey(row, run);
        return RowKey.hasNull(key) ? null : RowKey.ofJoin(sides.rightTypes, key);
    }

    /// The rows whose group is wanted; those with a NULL have none.
    private Rows filtered(Predicate<@Nullable Group> wanted) {
        Rows rows = file.read();
        return () -> {
            Value[] row = rows.next();
            while (row != null && !wanted.test(groupOf(row))) {
                run.checkpoint().pass();
                row = rows.next();
            }
            return row;
        };
    }

    private @Nullable Group groupOf(Value[] row) {
        RowKey key = keyOf(row);
        return key == null ? null : byKey.get(key);
    }

    @Override
    public @Nullable KeyRows find(RowKey key) {
        return byKey.get(key);
    }

    @Override
    public Rows rows(boolean matched) {
        return filtered(group -> (group != null && group.matched) == matched);
    }

    @Override
    public void close() {
        byKey.clear();
        memory.close();
        run.spill().remove(file);
    }
}
