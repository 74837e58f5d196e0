package io.cleave.exec;

import io.cleave.exec.spill.RowKey;
import io.cleave.exec.spill.RowList;
import io.cleave.exec.spill.Rows;
import io.cleave.plan.PlanNode;
import io.cleave.typed.JoinKind;
import io.cleave.value.Order;
import io.cleave.value.Type;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/// Joins two sides that are sorted by their keys. Of the right side, only the rows of the current
/// key are kept, on disk if they do not fit into memory. In a FULL join, unmatched right rows come
/// out before the first left row with a greater key.
final class MergeJoin {
    private final JoinKind kind;
    private final JoinSides sides;
    private final Type[] types;

    private MergeJoin(PlanNode.MergeJoin node) {
        kind = node.kind();
        sides = new JoinSides(node.left(), node.right(), node.leftKeys(), node.rightKeys());
        types = Arrays.stream(sides.leftTypes).map(Type::unwrapped).toArray(Type[]::new);
    }

    static Operator of(PlanNode.MergeJoin node) {
        var join = new MergeJoin(node);
        return run -> join.new Merged(run);
    }

    private final class Merged implements Rows {
        private final Running run;
        private final Rows leftRows;

        /// Opened by the first call of `next`. If opening fails, the caller already has this object
        /// and closes the left side.
        private @Nullable Rows rightRows;

        private final Value[] joined = sides.newRow();

        /// The next right row; null after the last one. `aheadKey` is its key.
        private Value @Nullable [] ahead;

        private Value[] aheadKey = {};

        /// The next left row; null until it is read. `waitingKey` is its key.
        private Value @Nullable [] waiting;

        private Value[] waitingKey = {};
        private boolean leftEnded;

        /// The right rows whose key is `groupKey`.
        private final RowList group;

        private Value[] groupKey = {};

        /// The rows `match` to `matchesTo` of the group are still to be joined with the current
        /// left row.
        private int match;

        private int matchesTo;

        Merged(Running run) {
            this.run = run;
            group = new RowList(run.spill(), 1);
            leftRows = sides.left.open(run);
        }

        @Override
        public Value @Nullable [] next() {
            if (rightRows == null) {
                rightRows = sides.right.open(run);
                advance(rightRows);
            }
            return next(rightRows);
        }

        private Value @Nullable [] next(Rows rights) {
            while (true) {
                run.checkpoint().pass();
                if (match < matchesTo) {
                    Value[] right = group.get(match++);
                    System.arraycopy(right, 0, joined, sides.leftWidth, sides.rightWidth);
                    return joined;
                }
                Value[] row = left();
                Value[] unmatched = ahead;
                if (kind == JoinKind.FULL && unmatched != null && isAheadPassed()) {
                    Arrays.fill(joined, 0, sides.leftWidth, Value.Null.NULL);
                    System.arraycopy(unmatched, 0, joined, sides.leftWidth, sides.rightWidth);
                    advance(rights);
                    return joined;
                }
                if (row == null) {
                    return null;
                }
                waiting = null;
                int found = found(waitingKey, rights);
                if (kind == JoinKind.LEFT_SEMI || kind == JoinKind.LEFT_ONLY) {
                    if ((found == 0) == (kind == JoinKind.LEFT_ONLY)) {
                        return row;
                    }
                    continue;
                }
                System.arraycopy(row, 0, joined, 0, sides.leftWidth);
                if (found == 0 && (kind == JoinKind.LEFT || kind == JoinKind.FULL)) {
                    Arrays.fill(joined, sides.leftWidth, joined.length, Value.Null.NULL);
                    return joined;
                }
                match = 0;
                matchesTo = found;
            }
        }

        /// The next left row; null after the last one. Returns the same row until `waiting` is
        /// cleared.
        private Value @Nullable [] left() {
            if (waiting == null && !leftEnded) {
                waiting = leftRows.next();
                leftEnded = waiting == null;
                if (waiting != null) {
                    waitingKey = sides.leftKey(waiting, run);
                }
            }
            return waiting;
        }

        /// Whether no later left row can match the next right row.
        private boolean isAheadPassed() {
            return leftEnded
                    || RowKey.hasNull(aheadKey)
                    || (!RowKey.hasNull(waitingKey) && compare(aheadKey, waitingKey) < 0);
        }

        /// The number of right rows with this key. From call to call, keys never decrease.
        private int found(Value[] key, Rows right) {
            // A key with NULL matches nothing.
            if (RowKey.hasNull(key)) {
                return 0;
            }
            if (groupKey.length == 0 || compare(groupKey, key) != 0) {
                collect(key, right);
            }
            return group.size();
        }

        private void collect(Value[] key, Rows right) {
            group.clear();
            groupKey = key;
            while (ahead != null && (RowKey.hasNull(aheadKey) || compare(aheadKey, key) < 0)) {
                advance(right);
            }
            Value[] row = ahead;
            while (row != null && !RowKey.hasNull(aheadKey) && compare(aheadKey, key) == 0) {
                group.add(row);
                advance(right);
                row = ahead;
            }
        }

        private void advance(Rows right) {
            run.checkpoint().pass();
            Value[] row = right.next();
            ahead = row;
            if (row != null) {
                aheadKey = sides.rightKey(row, run);
            }
        }

        private int compare(Value[] first, Value[] second) {
            for (int index = 0; index < types.length; index++) {
                int order = Order.compare(types[index], first[index], second[index]);
                if (order != 0) {
                    return order;
                }
            }
            return 0;
        }

        @Override
        public void close() {
            leftRows.close();
            if (rightRows != null) {
                rightRows.close();
            }
            group.close();
        }
    }
}
