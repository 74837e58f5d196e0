package io.cleave.exec;

import io.cleave.analysis.Typed;
import io.cleave.plan.Node;
import io.cleave.value.Type;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/// The first row of each key, in the order of their coming; rows without a key all pass.
///
/// When the memory is full, rows that were not seen yet go to disk, apart by their hash, and come
/// out after the others.
final class DistinctRows implements Rows {
    private static final int ENTRY_BYTES = 64;

    /// So many rows are remembered whatever the memory.
    private static final int MIN_ROWS = 64;

    private final Running run;
    private final Function<Value[], @Nullable RowKey> keyOf;
    private final QueryMemory.Share memory;
    private final Set<RowKey> seen = new HashSet<>();

    /// Rows on disk among which there may be equal ones.
    private record Waiting(SpillFile file, int level) {}

    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
    private Rows rows;
    private int level;

    /// Where `rows` come from, once they come from disk.
    private @Nullable SpillFile current;

    /// Where rows go that cannot be remembered; null while they can.
    private @Nullable Partitions beyond;

    /// `keyOf` gives null for a row that is equal to no other.
    DistinctRows(Running run, Rows rows, Function<Value[], @Nullable RowKey> keyOf) {
        this.run = run;
        this.rows = rows;
        this.keyOf = keyOf;
        memory = new QueryMemory.Share(run.memory());
    }

    static Operator of(Operator input, List<Type> types) {
        Type[] array = RowKey.array(types);
        return run -> new DistinctRows(run, input.open(run), row -> RowKey.ofGroup(array, row));
    }

    /// A side of a join with ANY. A key with NULL matches nothing, so such rows all pass.
    static Operator of(Node.FirstOfKey node) {
        Operator input = Operators.of(node.input());
        Evaluation[] keys = Operators.compile(node.keys());
        Type[] types = RowKey.array(node.keys().stream().map(Typed::type).toList());
        return run ->
                new DistinctRows(
                        run,
                        input.open(run),
                        row -> {
                            Value[] key = Operators.evaluate(keys, row, run.context());
                            return RowKey.hasNull(key) ? null : RowKey.ofGroup(types, key);
                        });
    }

    @Override
    public Value @Nullable [] next() {
        while (true) {
            Value[] row = rows.next();
            if (row == null) {
                if (!nextPart()) {
                    return null;
                }
                continue;
            }
            run.checkpoint().pass();
            RowKey key = keyOf.apply(row);
            if (key == null || (!seen.contains(key) && keep(key, row))) {
                return row;
            }
        }
    }

    /// Whether the row is known to be the first of its like; if not, it has gone to disk.
    private boolean keep(RowKey key, Value[] row) {
        if (beyond == null) {
            try {
                memory.add(ENTRY_BYTES + QueryMemory.bytes(key.values()));
            } catch (QueryMemory.Full _) {
                if (seen.size() >= MIN_ROWS) {
                    beyond = new Partitions(run, level);
                }
            }
        }
        if (beyond != null) {
            beyond.add(key, row);
            return false;
        }
        return seen.add(key);
    }

    /// Goes on with rows that went to disk; false when there are none.
    private boolean nextPart() {
        if (beyond != null) {
            for (SpillFile file : beyond.files()) {
                // Parts of a part first: so there are only a few at a time.
                if (file.rows() > 0) {
                    waiting.push(new Waiting(file, level + 1));
                } else {
                    run.spill().remove(file);
                }
            }
            beyond = null;
        }
        Waiting part = waiting.poll();
        if (part == null) {
            return false;
        }
        rows.close();
        removeCurrent();
        seen.clear();
        memory.close();
        level = part.level();
        current = part.file();
        rows = part.file().read();
        return true;
    }

    private void removeCurrent() {
        if (current != null) {
            run.spill().remove(current);
            current = null;
        }
    }

    @Override
    public void close() {
        rows.close();
        removeCurrent();
        waiting.forEach(part -> run.spill().remove(part.file()));
        waiting.clear();
        memory.close();
    }
}
