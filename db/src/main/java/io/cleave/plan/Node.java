package io.cleave.plan;

import io.cleave.analysis.AggregateCall;
import io.cleave.analysis.JoinKind;
import io.cleave.analysis.Relation.SortKey;
import io.cleave.analysis.Typed;
import io.cleave.analysis.WindowCall;
import io.cleave.schema.Table;
import io.cleave.value.Type;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/// How rows come about: a tree that `exec` turns into operators. An [Typed.Input] is an index into
/// the row of the node right below; rows of a join are the left row followed by the right one.
public sealed interface Node {
    /// How many values its rows have.
    int width();

    /// One row without values.
    record Once() implements Node {
        @Override
        public int width() {
            return 0;
        }
    }

    /// Rows of a table whose keys satisfy `keys`, in key order, from the end when `backward`.
    /// `pointRead` says that they are at most one, found by its whole key.
    record Read(
            Table table,
            List<Integer> columns,
            KeyPredicate keys,
            boolean pointRead,
            boolean backward)
            implements Node {
        public Read {
            columns = List.copyOf(columns);
        }

        @Override
        public int width() {
            return columns.size();
        }
    }

    /// The structs of a list; `members` are the ones taken.
    record ListRows(Typed list, List<Integer> members) implements Node {
        public ListRows {
            members = List.copyOf(members);
        }

        @Override
        public int width() {
            return members.size();
        }
    }

    record ConstantRows(List<List<Typed>> rows, int width) implements Node {
        public ConstantRows {
            rows = rows.stream().map(List::copyOf).toList();
        }
    }

    record Filter(Node input, Typed predicate) implements Node {
        @Override
        public int width() {
            return input.width();
        }
    }

    record Project(Node input, List<Typed> values) implements Node {
        public Project {
            values = List.copyOf(values);
        }

        @Override
        public int width() {
            return values.size();
        }
    }

    /// The right side is read into memory, the left side passes by.
    record HashJoin(
            JoinKind kind,
            Node left,
            Node right,
            List<Typed> leftKeys,
            List<Typed> rightKeys,
            Optional<JoinChoice> choice)
            implements Node {
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

    /// Both sides come in the order of their keys, NULLs first, and each is read once. The rows of
    /// the left come out in their order, each with what the right has for it: `kind` is INNER,
    /// LEFT, LEFT SEMI or LEFT ONLY.
    record MergeJoin(
            JoinKind kind,
            Node left,
            Node right,
            List<Typed> leftKeys,
            List<Typed> rightKeys,
            JoinChoice choice)
            implements Node {
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

    /// For each left row the rows of the table whose key begins with `keys`, which are in key order
    /// and of the key columns' own types. `filter` is over the table's row.
    record LookupJoin(
            JoinKind kind,
            Node left,
            List<Typed> keys,
            Table table,
            List<Integer> columns,
            Optional<Typed> filter,
            Optional<JoinChoice> choice)
            implements Node {
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

    /// Each row with columns of the table's row behind it, whose primary key is at `keys` in it; a
    /// row for which the table has none is left out. Where the value at `presence` is NULL nothing
    /// is looked up, and the columns are NULL.
    record Fetch(
            Node input,
            List<Integer> keys,
            Table table,
            List<Integer> columns,
            Optional<Integer> presence)
            implements Node {
        public Fetch {
            keys = List.copyOf(keys);
            columns = List.copyOf(columns);
        }

        @Override
        public int width() {
            return input.width() + columns.size();
        }
    }

    record Group(Node input, List<Typed> keys, List<AggregateCall> aggregates) implements Node {
        public Group {
            keys = List.copyOf(keys);
            aggregates = List.copyOf(aggregates);
        }

        @Override
        public int width() {
            return keys.size() + aggregates.size();
        }
    }

    /// Each row once for every set that has keys: the keys, those that are not in the set NULL;
    /// then the set's number; then the row.
    record Expand(Node input, List<Typed> keys, List<Set<Integer>> sets) implements Node {
        public Expand {
            keys = List.copyOf(keys);
            sets = sets.stream().map(Set::copyOf).toList();
        }

        @Override
        public int width() {
            return keys.size() + 1 + input.width();
        }
    }

    /// The rows, which come sorted by `partition` and then by `order`, each with the results of the
    /// calls behind it. One partition is kept at a time.
    record Window(Node input, List<Typed> partition, List<Typed> order, List<WindowCall> calls)
            implements Node {
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

    /// Each row once for every combination of the containers' items, with these behind it.
    record Flatten(Node input, List<Typed> containers) implements Node {
        public Flatten {
            containers = List.copyOf(containers);
        }

        @Override
        public int width() {
            return input.width() + containers.size();
        }
    }

    /// The first row of each key, and all whose key has a NULL.
    record FirstOfKey(Node input, List<Typed> keys) implements Node {
        public FirstOfKey {
            keys = List.copyOf(keys);
        }

        @Override
        public int width() {
            return input.width();
        }
    }

    /// Each row once; `types` are those of the row.
    record Distinct(Node input, List<Type> types) implements Node {
        public Distinct {
            types = List.copyOf(types);
        }

        @Override
        public int width() {
            return input.width();
        }
    }

    /// Only as many rows are kept as `count` and `offset` together ask for, if they do.
    record Sort(Node input, List<SortKey> keys, Optional<Typed> count, Optional<Typed> offset)
            implements Node {
        public Sort {
            keys = List.copyOf(keys);
        }

        @Override
        public int width() {
            return input.width();
        }
    }

    record Limit(Node input, Optional<Typed> count, Optional<Typed> offset) implements Node {
        @Override
        public int width() {
            return input.width();
        }
    }

    /// Of each part of the scan below at least those rows that can be among the first of all, as
    /// many as `count` and `offset` ask for: of the order of `keys`, or of the scan where there are
    /// none. They come in the order of the scan.
    record PartLimit(Node input, List<SortKey> keys, Typed count, Optional<Typed> offset)
            implements Node {
        public PartLimit {
            keys = List.copyOf(keys);
        }

        @Override
        public int width() {
            return input.width();
        }
    }

    record Concat(List<Node> inputs) implements Node {
        public Concat {
            inputs = List.copyOf(inputs);
        }

        @Override
        public int width() {
            return inputs.getFirst().width();
        }
    }

    /// Each row of the left once, if the right has it (`keepMatches`) or if it has not.
    record Compared(Node left, Node right, boolean keepMatches, List<Type> types) implements Node {
        public Compared {
            types = List.copyOf(types);
        }

        @Override
        public int width() {
            return left.width();
        }
    }
}
