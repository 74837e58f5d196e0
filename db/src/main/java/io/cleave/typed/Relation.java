package io.cleave.typed;

import io.cleave.schema.Index;
import io.cleave.schema.Table;
import io.cleave.value.Type;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A source of rows, with every name and type resolved. It describes the meaning of a query, not
/// how the query runs.
///
/// A [Typed.Input] of an expression is an index into the fields of the relation directly below. In
/// a join it is an index into the fields of the left side followed by those of the right side.
public sealed interface Relation {
    record Field(String name, Type type) {}

    List<Field> fields();

    /// One row without columns, the input of a SELECT without FROM.
    record Single() implements Relation {
        @Override
        public List<Field> fields() {
            return List.of();
        }
    }

    /// All rows of a table, with all columns in table order.
    record TableRows(Table table) implements Relation {
        @Override
        public List<Field> fields() {
            return table.columns().stream()
                    .map(column -> new Field(column.name(), column.valueType()))
                    .toList();
        }
    }

    /// All rows of a table, with the fields of [TableRows], read through an index and in the
    /// index's order.
    record IndexRows(Table table, Index index, Table indexTable) implements Relation {
        @Override
        public List<Field> fields() {
            return new TableRows(table).fields();
        }
    }

    /// The structs of a list as rows, with one column for each member.
    record ListRows(Typed list, List<Field> fields) implements Relation {
        public ListRows {
            fields = List.copyOf(fields);
        }
    }

    record ConstantRows(List<List<Typed>> rows, List<Field> fields) implements Relation {
        public ConstantRows {
            rows = rows.stream().map(List::copyOf).toList();
            fields = List.copyOf(fields);
        }
    }

    /// The rows for which the predicate is true, so neither false nor NULL.
    record Filter(Relation input, Typed predicate) implements Relation {
        @Override
        public List<Field> fields() {
            return input.fields();
        }
    }

    record Project(Relation input, List<Typed> values, List<Field> fields) implements Relation {
        public Project {
            values = List.copyOf(values);
            fields = List.copyOf(fields);
        }
    }

    /// Joins rows whose keys are pairwise equal and not NULL. `leftKeys` read only the left row and
    /// `rightKeys` only the right row; the types of a pair are comparable. The fields are those
    /// that `kind` returns. The fields of a side that may be missing are Optional.
    ///
    /// @param nullsMatch whether keys are also equal if both are NULL, as in YTsaurus' language
    record Join(
            JoinKind kind,
            Relation left,
            Relation right,
            List<Typed> leftKeys,
            List<Typed> rightKeys,
            boolean nullsMatch)
            implements Relation {
        public Join {
            leftKeys = List.copyOf(leftKeys);
            rightKeys = List.copyOf(rightKeys);
        }

        /// A join in which NULL equals nothing.
        public Join(
                JoinKind kind,
                Relation left,
                Relation right,
                List<Typed> leftKeys,
                List<Typed> rightKeys) {
            this(kind, left, right, leftKeys, rightKeys, false);
        }

        @Override
        public List<Field> fields() {
            return switch (kind) {
                case LEFT_SEMI, LEFT_ONLY -> left.fields();
                case RIGHT_SEMI, RIGHT_ONLY -> right.fields();
                case INNER, CROSS -> both(left.fields(), right.fields());
                case LEFT -> both(left.fields(), nullable(right.fields()));
                case RIGHT -> both(nullable(left.fields()), right.fields());
                case FULL, EXCLUSION -> both(nullable(left.fields()), nullable(right.fields()));
            };
        }

        private static List<Field> both(List<Field> left, List<Field> right) {
            List<Field> fields = new ArrayList<>(left);
            fields.addAll(right);
            return fields;
        }

        private static List<Field> nullable(List<Field> fields) {
            return fields.stream()
                    .map(field -> new Field(field.name(), field.type().optional()))
                    .toList();
        }
    }

    /// One row for each group: the keys, then the results of the aggregates. Without keys there is
    /// exactly one row.
    record Group(
            Relation input, List<Typed> keys, List<AggregateCall> aggregates, List<Field> fields)
            implements Relation {
        public Group {
            keys = List.copyOf(keys);
            aggregates = List.copyOf(aggregates);
            fields = List.copyOf(fields);
        }
    }

    /// Each row once for every non-empty set of keys. An output row has the keys, with those
    /// outside the set NULL, then the number of the set, then the input row.
    record Expand(Relation input, List<Typed> keys, List<Set<Integer>> sets, List<Field> fields)
            implements Relation {
        public Expand {
            keys = List.copyOf(keys);
            sets = sets.stream().map(Set::copyOf).toList();
            fields = List.copyOf(fields);
        }
    }

    /// The rows in the order of `partition` and then `order`, with the results of the calls
    /// appended as columns.
    record Window(
            Relation input, List<Typed> partition, List<SortKey> order, List<WindowCall> calls)
            implements Relation {
        public Window {
            partition = List.copyOf(partition);
            order = List.copyOf(order);
            calls = List.copyOf(calls);
        }

        @Override
        public List<Field> fields() {
            List<Field> fields = new ArrayList<>(input.fields());
            calls.forEach(call -> fields.add(new Field(call.name(), call.type())));
            return fields;
        }
    }

    /// Each row once for every combination of its containers' items, with the items appended as
    /// columns. A row with an empty or NULL container is dropped.
    record Flatten(Relation input, List<Typed> containers, List<Field> items) implements Relation {
        public Flatten {
            containers = List.copyOf(containers);
            items = List.copyOf(items);
        }

        @Override
        public List<Field> fields() {
            List<Field> fields = new ArrayList<>(input.fields());
            fields.addAll(items);
            return fields;
        }
    }

    /// The first row of each key. Every row whose key contains a NULL is kept.
    record FirstOfKey(Relation input, List<Typed> keys) implements Relation {
        public FirstOfKey {
            keys = List.copyOf(keys);
        }

        @Override
        public List<Field> fields() {
            return input.fields();
        }
    }

    record Distinct(Relation input) implements Relation {
        @Override
        public List<Field> fields() {
            return input.fields();
        }
    }

    record SortKey(Typed value, boolean descending) {}

    record Sort(Relation input, List<SortKey> keys) implements Relation {
        public Sort {
            keys = List.copyOf(keys);
        }

        @Override
        public List<Field> fields() {
            return input.fields();
        }
    }

    /// `count` and `offset` have the type Uint64 and read no row.
    record Limit(Relation input, Optional<Typed> count, Optional<Typed> offset)
            implements Relation {
        @Override
        public List<Field> fields() {
            return input.fields();
        }
    }

    /// The rows of all inputs, which have the same number and types of fields.
    record Concat(List<Relation> inputs) implements Relation {
        public Concat {
            inputs = List.copyOf(inputs);
        }

        @Override
        public List<Field> fields() {
            return inputs.getFirst().fields();
        }
    }

    /// The rows of all outputs, which have the same number and types of fields. They read the rows
    /// of `input` as [KeptRows] with the same number. The rows are computed once and kept.
    ///
    /// @param number differs from that of any other node of the statement
    record Kept(int number, Relation input, List<Relation> outputs) implements Relation {
        public Kept {
            outputs = List.copyOf(outputs);
        }

        @Override
        public List<Field> fields() {
            return outputs.getFirst().fields();
        }
    }

    /// The rows that [Kept] keeps, in their order.
    record KeptRows(int number, List<Field> fields) implements Relation {
        public KeptRows {
            fields = List.copyOf(fields);
        }
    }

    /// INTERSECT (`keepMatches`) or EXCEPT of two inputs with the same number and types of fields.
    /// The result has no duplicates.
    record Compared(Relation left, Relation right, boolean keepMatches) implements Relation {
        @Override
        public List<Field> fields() {
            return left.fields();
        }
    }
}
