package io.cleave.exec;

import io.cleave.exec.eval.Evaluation;
import io.cleave.exec.spill.Partitions;
import io.cleave.exec.spill.QueryMemory;
import io.cleave.exec.spill.RowKey;
import io.cleave.exec.spill.Rows;
import io.cleave.exec.spill.SpillFile;
import io.cleave.plan.PlanNode;
import io.cleave.typed.Typed;
import io.cleave.value.Type;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/// Returns the first row of each key, in input order. Rows without a key are all returned.
///
/// When memory is full, rows with new keys are written to disk, partitioned by hash. They come out
/// after the other rows.
final class DistinctRows implements Rows {
    private static final int ENTRY_BYTES = 64;

    /// At least this number of keys is remembered, even if memory is full.
    private static final int MIN_ROWS = 64;

    private final Running run;
    private final Function<Value[], @Nullable RowKey> keyOf;
    private final QueryMemory.Share memory;
    private final Set<RowKey> seen = new HashSet<>();

    /// Rows on disk that may contain duplicates.
    private record Waiting(SpillFile file, int level) {}

    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
    private Rows rows;
    private int level;

    /// The file that `rows` reads; null while `rows` is the original input.
    private @Nullable SpillFile current;

    /// Takes the rows whose keys no longer fit into memory; null while all keys fit.
    private @Nullable Partitions beyond;

    /// `keyOf` returns null for a row that has no duplicates.
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

    /// A side of a join with ANY. A key with NULL matches nothing, so rows with such a key are all
    /// returned.
    static Operator of(PlanNode.FirstOfKey node) {
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

    /// Returns true if the row is the first with its key. Otherwise the row has been written to
    /// disk.
    private boolean keep(RowKey key, Value[] row) {
        if (beyond == null) {
            try {
                memory.add(ENTRY_BYTES + QueryMemory.bytes(key.values()));
            } catch (QueryMemory.Full _) {
                if (seen.size() >= MIN_ROWS) {
                    beyond = new Partitions(run.spill(), level);
                }
            }
        }
        if (beyond != null) {
            beyond.add(key, row);
            return false;
        }
        return seen.add(key);
    }

    /// Continues with the next rows on disk; false if there are none.
    private boolean nextPart() {
        if (beyond != null) {
            for (SpillFile file : beyond.files()) {
                // Depth first: parts of a part come before other parts, so few files exist at a
                // time.
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
