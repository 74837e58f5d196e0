package io.cleave.plan;

import io.cleave.schema.Table;
import io.cleave.typed.AggregateCall;
import io.cleave.typed.JoinKind;
import io.cleave.typed.Relation.SortKey;
import io.cleave.typed.Typed;
import io.cleave.typed.WindowCall;
import io.cleave.value.Type;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The tree of a plan, which `exec` compiles to operators. A [Typed.Input] is an index into the row
/// of the node directly below. A row of a join is the left row followed by the right row.
public sealed interface PlanNode {
    /// The number of values in a row.
    int width();

    /// One row without values.
    record Once() implements PlanNode {
        @Override
        public int width() {
            return 0;
        }
    }

    /// The rows of a table whose keys satisfy `keys`, in key order, or in reverse order if
    /// `backward`. `pointRead` means that there is at most one row, found by its whole key.
    record Read(
            Table table,
            List<Integer> columns,
            KeyPredicate keys,
            boolean pointRead,
            boolean backward)
            implements PlanNode {
        public Read {
            columns = List.copyOf(columns);
        }

        @Override
        public int width() {
            return columns.size();
        }
    }

    /// The structs of a list as rows. `members` has the members that are taken.
    record ListRows(Typed list, List<Integer> members) implements PlanNode {
        public ListRows {
            members = List.copyOf(members);
        }

        @Override
        public int width() {
            return members.size();
        }
    }

    record ConstantRows(List<List<Typed>> rows, int width) implements PlanNode {
        public ConstantRows {
            rows = rows.stream().map(List::copyOf).toList();
        }
    }

    record Filter(PlanNode input, Typed predicate) implements PlanNode {
        @Override
        public int width() {
            return input.width();
        }
    }

    record Project(PlanNode input, List<Typed> values) implements PlanNode {
        public Project {
            values = List.copyOf(values);
        }

        @Override
        public int width() {
            return values.size();
        }
    }

    /// The right side is read into a hash table, which is probed with the rows of the left side.
    record HashJoin(
            JoinKind kind,
            PlanNode left,
            PlanNode right,
            List<Typed> leftKeys,
            List<Typed> rightKeys,
            Optional<JoinChoice> choice)
            implements PlanNode {
        public HashJoin {
            leftKeys = List.copyOf(leftKeys);
            rightKeys = List.copyOf(rightKeys);
        }

        @Override
        public int width() {
            return switch (kind) {
                case LEFT_SEMI, LEFT_ONLY -> left.width();
                case RIGHT_SEMI, RIGHT_ONLY -> right.width();
                case INNER, CROSS, LEFT, RIGHT, FULL, EXCLUSION -> left.width() + right.width();
            };
        }
    }

    /// Both sides are sorted by their keys, NULLs first, and each is read once. Rows come out in
    /// the order of the left side, each with its matches. `kind` is INNER, LEFT, FULL, LEFT SEMI or
    /// LEFT ONLY.
    record MergeJoin(
            JoinKind kind,
            PlanNode left,
            PlanNode right,
            List<Typed> leftKeys,
            List<Typed> rightKeys,
            JoinChoice choice)
            implements PlanNode {
        public MergeJoin {
            leftKeys = List.copyOf(leftKeys);
            rightKeys = List.copyOf(rightKeys);
        }

        @Override
        public int width() {
            return kind == JoinKind.LEFT_SEMI || kind == JoinKind.LEFT_ONLY
                    ? left.width()
                    : left.width() + right.width();
        }
    }

    /// For each left row, the rows of the table whose key begins with `keys`. The keys are in key
    /// order and have the types of the key columns. `filter` is over the table's row.
    ///
    /// @param condition a left row for which it is not true matches nothing
    /// @param nullsMatch whether a key with NULL is looked up; otherwise it matches nothing
    record LookupJoin(
            JoinKind kind,
            PlanNode left,
            List<Typed> keys,
            Optional<Typed> condition,
            Table table,
            List<Integer> columns,
            Optional<Typed> filter,
            boolean nullsMatch,
            Optional<JoinChoice> choice)
            implements PlanNode {
        public LookupJoin {
            keys = List.copyOf(keys);
            columns = List.copyOf(columns);
        }

        @Override
        public int width() {
            return kind == JoinKind.LEFT_SEMI || kind == JoinKind.LEFT_ONLY
                    ? left.width()
                    : left.width() + columns.size();
        }
    }

    /// Appends columns of a table to each row. The primary key of the table's row is at the places
    /// `keys`. A row is left out if the table has no row with its key. If the value at `presence`
    /// is NULL, nothing is looked up and the columns are NULL.
    record Fetch(
            PlanNode input,
            List<Integer> keys,
            Table table,
            List<Integer> columns,
            Optional<Integer> presence)
            implements PlanNode {
        public Fetch {
            keys = List.copyOf(keys);
            columns = List.copyOf(columns);
        }

        @Override
        public int width() {
            return input.width() + columns.size();
        }
    }

    /// The rows of all outputs, which read the rows of `input` as [KeptRows]. The rows of the input
    /// are kept, on disk if they do not fit into memory.
    record Kept(int number, PlanNode input, List<PlanNode> outputs) implements PlanNode {
        public Kept {
            outputs = List.copyOf(outputs);
        }

        @Override
        public int width() {
            return outputs.getFirst().width();
        }
    }

    /// The rows that the [Kept] of this number keeps.
    record KeptRows(int number, int width) implements PlanNode {}

    /// One row for each group.
    ///
    /// @param inOrder whether the rows of each group follow each other
    record Group(PlanNode input, List<Typed> keys, List<AggregateCall> aggregates, boolean inOrder)
            implements PlanNode {
        public Group {
            keys = List.copyOf(keys);
            aggregates = List.copyOf(aggregates);
        }

        @Override
        public int width() {
            return keys.size() + aggregates.size();
        }
    }

    /// Each row once for every set that has keys. An output row has the keys, with NULL for the
    /// keys that are not in the set, then the number of the set, then the input row.
    record Expand(PlanNode input, List<Typed> keys, List<Set<Integer>> sets) implements PlanNode {
        public Expand {
            keys = List.copyOf(keys);
            sets = sets.stream().map(Set::copyOf).toList();
        }

        @Override
        public int width() {
            return keys.size() + 1 + input.width();
        }
    }

    /// Appends the results of the calls to each row. The input is sorted by `partition` and then by
    /// `order`. One partition is kept at a time.
    record Window(PlanNode input, List<Typed> partition, List<Typed> order, List<WindowCall> calls)
            implements PlanNode {
        public Window {
            partition = List.copyOf(partition);
            order = List.copyOf(order);
            calls = List.copyOf(calls);
        }

        @Override
        public int width() {
            return input.width() + calls.size();
        }
    }

    /// Each row once for every combination of the containers' items, with the items appended.
    record Flatten(PlanNode input, List<Typed> containers) implements PlanNode {
        public Flatten {
            containers = List.copyOf(containers);
        }

        @Override
        public int width() {
            return input.width() + containers.size();
        }
    }

    /// The first row of each key, and all rows whose key has a NULL.
    record FirstOfKey(PlanNode input, List<Typed> keys) implements PlanNode {
        public FirstOfKey {
            keys = List.copyOf(keys);
        }

        @Override
        public int width() {
            return input.width();
        }
    }

    /// Distinct rows. `types` are the types of the row's values.
    record Distinct(PlanNode input, List<Type> types) implements PlanNode {
        public Distinct {
            types = List.copyOf(types);
        }

        @Override
        public int width() {
            return input.width();
        }
    }

    /// With `count`, only the first `count` plus `offset` rows are kept.
    record Sort(PlanNode input, List<SortKey> keys, Optional<Typed> count, Optional<Typed> offset)
            implements PlanNode {
        public Sort {
            keys = List.copyOf(keys);
        }

        @Override
        public int width() {
            return input.width();
        }
    }

    record Limit(PlanNode input, Optional<Typed> count, Optional<Typed> offset)
            implements PlanNode {
        @Override
        public int width() {
            return input.width();
        }
    }

    /// Limits each part of the scan below to rows that can be among the first `count` plus `offset`
    /// rows of the result: in the order of `keys`, or in the order of the scan if there are none.
    /// May return more rows than needed, in scan order.
    record PartLimit(PlanNode input, List<SortKey> keys, Typed count, Optional<Typed> offset)
            implements PlanNode {
        public PartLimit {
            keys = List.copyOf(keys);
        }

        @Override
        public int width() {
            return input.width();
        }
    }

    record Concat(List<PlanNode> inputs) implements PlanNode {
        public Concat {
            inputs = List.copyOf(inputs);
        }

        @Override
        public int width() {
            return inputs.getFirst().width();
        }
    }

    /// Each distinct left row that is on the right side (`keepMatches`), or that is not.
    record Compared(PlanNode left, PlanNode right, boolean keepMatches, List<Type> types)
            implements PlanNode {
        public Compared {
            types = List.copyOf(types);
        }

        @Override
        public int width() {
            return left.width();
        }
    }
}
