package io.cleave.exec;

import io.cleave.base.Bytes;
import io.cleave.base.Direction;
import io.cleave.exec.eval.Evaluation;
import io.cleave.exec.eval.Evaluator;
import io.cleave.exec.spill.QueryMemory;
import io.cleave.exec.spill.RowKey;
import io.cleave.exec.spill.Rows;
import io.cleave.plan.PlanNode;
import io.cleave.schema.Column;
import io.cleave.schema.KeyRange;
import io.cleave.txn.ReadColumns;
import io.cleave.txn.RowStream;
import io.cleave.typed.JoinKind;
import io.cleave.value.KeyCodec;
import io.cleave.value.Type;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/// Joins by looking up, for each left row, the rows of a table by a prefix of the table's key. Left
/// rows are gathered, at first one, then more. If the prefix is the whole key, the distinct keys of
/// the gathered rows are looked up together, in key order. If it is shorter, each left row may
/// match many rows: they are scanned when the left row's turn comes, and kept only if they do not
/// take too much memory.
final class LookupJoin {
    /// The maximum number of left rows whose keys are looked up together.
    private static final int MAX_GATHERED = 256;

    /// No more left rows are gathered once they take this many bytes.
    private static final long MAX_GATHERED_BYTES = 4 << 20;

    /// The maximum number of keys that are remembered with their rows, for later left rows with the
    /// same key.
    private static final int MAX_REMEMBERED = 1_000;

    /// The maximum size, in bytes, of the remembered rows.
    private static final long MAX_REMEMBERED_BYTES = 4 << 20;

    private static final int ENTRY_BYTES = 64;
    private static final Value[] NO_ROW = {};

    private final JoinKind kind;
    private final Operator left;
    private final int leftWidth;
    private final Evaluation[] keys;
    private final @Nullable Evaluation condition;
    private final List<Type> keyTypes;
    private final ReadColumns columns;
    private final @Nullable Evaluation filter;
    private final boolean nullsMatch;

    private LookupJoin(PlanNode.LookupJoin node) {
        kind = node.kind();
        left = Operators.of(node.left());
        leftWidth = node.left().width();
        keys = Operators.compile(node.keys());
        condition = node.condition().map(Evaluator::compile).orElse(null);
        keyTypes = node.table().key().stream().map(Column::type).toList();
        columns = ReadColumns.of(node.table(), node.columns());
        filter = node.filter().map(Evaluator::compile).orElse(null);
        nullsMatch = node.nullsMatch();
    }

    static Operator of(PlanNode.LookupJoin node) {
        var join = new LookupJoin(node);
        return run -> join.new Joined(run, join.left.open(run));
    }

    private final class Joined implements Rows {
        private final Running run;
        private final Rows leftRows;
        private final QueryMemory.Share memory;
        private final QueryMemory.Share gatheredMemory;
        private final Value[] joined = new Value[leftWidth + columns.count()];
        private final List<Value[]> gathered = new ArrayList<>();

        /// The key prefix of each gathered row; null if the row matches nothing.
        private final List<@Nullable Bytes> prefixes = new ArrayList<>();

        /// The remembered rows by key prefix, for the gathered rows and for earlier left rows.
        private final Map<Bytes, List<Value[]>> found = new HashMap<>();

        private int wanted = 1;

        /// The size of the largest row found by a whole key.
        private long largestRowBytes = 1;

        private int next;
        private Iterator<Value[]> matches = List.<Value[]>of().iterator();

        /// The matches of the current left row after `matches`, if there are too many to keep.
        private @Nullable RowStream more;

        Joined(Running run, Rows leftRows) {
            this.run = run;
            this.leftRows = leftRows;
            memory = new QueryMemory.Share(run.memory());
            gatheredMemory = new QueryMemory.Share(run.memory());
        }

        @Override
        public Value @Nullable [] next() {
            while (true) {
                run.checkpoint().pass();
                if (matches.hasNext()) {
                    System.arraycopy(matches.next(), 0, joined, leftWidth, columns.count());
                    return joined;
                }
                if (more != null) {
                    if (nextPassing(more)) {
                        System.arraycopy(more.row(), 0, joined, leftWidth, columns.count());
                        return joined;
                    }
                    closeMore();
                }
                if (next == gathered.size() && !gather()) {
                    return null;
                }
                Value[] row = gathered.get(next);
                Bytes prefix = prefixes.get(next);
                next++;
                List<Value[]> rows = prefix == null ? List.of() : found(prefix);
                if (kind == JoinKind.LEFT_SEMI || kind == JoinKind.LEFT_ONLY) {
                    if (rows.isEmpty() == (kind == JoinKind.LEFT_ONLY)) {
                        return row;
                    }
                    continue;
                }
                System.arraycopy(row, 0, joined, 0, leftWidth);
                if (rows.isEmpty() && kind == JoinKind.LEFT) {
                    Arrays.fill(joined, leftWidth, joined.length, Value.Null.NULL);
                    return joined;
                }
                matches = rows.iterator();
            }
        }

        /// Gathers the next left rows and looks up their keys; false if there are no more left
        /// rows.
        private boolean gather() {
            gathered.clear();
            gatheredMemory.close();
            prefixes.clear();
            next = 0;
            var asked = new TreeSet<Bytes>();
            int most = most();
            while (gathered.size() < most && !gatheredMemory.isOver(MAX_GATHERED_BYTES)) {
                Value[] row = leftRows.next();
                if (row == null) {
                    break;
                }
                Bytes prefix = prefix(row);
                gathered.add(row.clone());
                gatheredMemory.count(ENTRY_BYTES + QueryMemory.bytes(row));
                prefixes.add(prefix);
                if (prefix != null) {
                    asked.add(prefix);
                }
            }
            wanted = Math.min(wanted * 4, MAX_GATHERED);
            if (keys.length == keyTypes.size()) {
                forgetIfMany();
                asked.removeAll(found.keySet());
                lookUp(new ArrayList<>(asked));
            }
            return !gathered.isEmpty();
        }

        /// Null if the row matches nothing.
        private @Nullable Bytes prefix(Value[] row) {
            Value[] values = Operators.evaluate(keys, row, run.context());
            boolean mayMatch = (nullsMatch || !RowKey.hasNull(values)) && isTrue(condition, row);
            return mayMatch ? KeyCodec.encode(keyTypes, values) : null;
        }

        /// The number of left rows to gather. All rows found for them are in memory together.
        private int most() {
            long fitting = memory.own(MAX_REMEMBERED_BYTES) / largestRowBytes;
            return Math.clamp(fitting, 1, wanted);
        }

        private void forgetIfMany() {
            if (found.size() > MAX_REMEMBERED || memory.isOver(MAX_REMEMBERED_BYTES)) {
                found.clear();
                memory.close();
            }
        }

        private List<Value[]> found(Bytes prefix) {
            List<Value[]> known = found.get(prefix);
            if (known == null) {
                forgetIfMany();
                known = several(prefix);
                if (more == null) {
                    found.put(prefix, known);
                }
            }
            return known;
        }

        private void lookUp(List<Bytes> asked) {
            if (asked.isEmpty()) {
                return;
            }
            Value[] @Nullable [] rows = run.transaction().getAll(asked, columns);
            for (int index = 0; index < rows.length; index++) {
                Value[] row = rows[index];
                List<Value[]> matching =
                        row != null && passes(row) ? List.<Value[]>of(row) : List.of();
                Value[] kept = matching.isEmpty() ? NO_ROW : matching.getFirst();
                largestRowBytes = Math.max(largestRowBytes, QueryMemory.bytes(kept));
                count(asked.get(index), kept);
                found.put(asked.get(index), matching);
            }
        }

        /// Returns all matching rows, or the first ones with `more` open for the rest. Semi and
        /// anti joins need only one row.
        private List<Value[]> several(Bytes prefix) {
            boolean one = kind == JoinKind.LEFT_SEMI || kind == JoinKind.LEFT_ONLY;
            List<Value[]> rows = new ArrayList<>();
            count(prefix, NO_ROW);
            var range = new KeyRange(prefix, KeyCodec.prefixEnd(prefix));
            more = run.transaction().scan(range, columns, Direction.FORWARD);
            while (nextPassing(more)) {
                rows.add(more.row().clone());
                if (one) {
                    break;
                }
                count(Bytes.EMPTY, more.row());
                if (memory.isOver(MAX_REMEMBERED_BYTES)) {
                    return rows;
                }
            }
            closeMore();
            return rows;
        }

        private boolean nextPassing(RowStream stream) {
            while (stream.next()) {
                run.checkpoint().pass();
                if (passes(stream.row())) {
                    return true;
                }
            }
            return false;
        }

        private void closeMore() {
            if (more != null) {
                more.close();
                more = null;
            }
        }

        private void count(Bytes key, Value[] row) {
            memory.count(ENTRY_BYTES + key.length() + QueryMemory.bytes(row));
        }

        private boolean passes(Value[] row) {
            return isTrue(filter, row);
        }

        private boolean isTrue(@Nullable Evaluation condition, Value[] row) {
            return condition == null || condition.eval(row, run.context()).equals(Value.Bool.TRUE);
        }

        @Override
        public void close() {
            closeMore();
            leftRows.close();
            gatheredMemory.close();
            memory.close();
        }
    }
}
