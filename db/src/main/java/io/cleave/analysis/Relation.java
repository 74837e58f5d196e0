package io.cleave.analysis;

import io.cleave.schema.Index;
import io.cleave.schema.Table;
import io.cleave.value.Type;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// What yields rows, with every name and type resolved: what a query means, not yet how it runs.
///
/// An [Typed.Input] of an expression is an index into the fields of the relation right below it; in
/// a join, into those of the left side followed by those of the right.
public sealed interface Relation {
    record Field(String name, Type type) {}

    List<Field> fields();

    /// One row without columns: what SELECT without FROM reads.
    record Single() implements Relation {
        @Override
        public List<Field> fields() {
            return List.of();
        }
    }

    /// Every row of a table, every column in the table's order.
    record TableRows(Table table) implements Relation {
        @Override
        public List<Field> fields() {
            return table.columns().stream()
                    .map(column -> new Field(column.name(), column.valueType()))
                    .toList();
        }
    }

    /// Every row of a table as [TableRows], found through one of its indexes, in the order of that.
    record IndexRows(Table table, Index index, Table indexTable) implements Relation {
        @Override
        public List<Field> fields() {
            return new TableRows(table).fields();
        }
    }

    /// The structs of a list, a row each, a column for each member.
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

    /// The rows for which the predicate is true; NULL is not.
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

    /// Rows whose keys are equal and not NULL, pairwise. `leftKeys` read the left row alone and
    /// `rightKeys` the right row alone; each pair has one type. The fields are those that `kind`
    /// yields, the side that may be missing made Optional.
    record Join(
            JoinKind kind,
            Relation left,
            Relation right,
            List<Typed> leftKeys,
            List<Typed> rightKeys)
            implements Relation {
        public Join {
            leftKeys = List.copyOf(leftKeys);
            rightKeys = List.copyOf(rightKeys);
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

    /// One row for each group, or one row at all where there are no keys: the keys, then the
    /// results of the aggregates.
    record Group(
            Relation input, List<Typed> keys, List<AggregateCall> aggregates, List<Field> fields)
            implements Relation {
        public Group {
            keys = List.copyOf(keys);
            aggregates = List.copyOf(aggregates);
            fields = List.copyOf(fields);
        }
    }

    /// Each row once for every set that has keys: the keys, those that are not in the set NULL;
    /// then the set's number; then the row.
    record Expand(Relation input, List<Typed> keys, List<Set<Integer>> sets, List<Field> fields)
            implements Relation {
        public Expand {
            keys = List.copyOf(keys);
            sets = sets.stream().map(Set::copyOf).toList();
            fields = List.copyOf(fields);
        }
    }

    /// The rows, which come in the order of `partition` and then of `order`, with the results of
    /// the calls behind their columns.
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

    /// The rows once for each combination of the containers' items, with these behind their
    /// columns. A container that is empty or NULL leaves nothing of its row.
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

    /// The first row of each key; those whose key has a NULL all stay.
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

    /// `count` and `offset` are Uint64 and read no row.
    record Limit(Relation input, Optional<Typed> count, Optional<Typed> offset)
            implements Relation {
        @Override
        public List<Field> fields() {
            return input.fields();
        }
    }

    /// The rows of all inputs, whose fields agree in number and types.
    record Concat(List<Relation> inputs) implements Relation {
        public Concat {
            inputs = List.copyOf(inputs);
        }

        @Override
        public List<Field> fields() {
            return inputs.getFirst().fields();
        }
    }

    /// INTERSECT or EXCEPT of rows that agree in number and types; each row comes once.
    record Compared(Relation left, Relation right, boolean keepMatches) implements Relation {
        @Override
        public List<Field> fields() {
            return left.fields();
        }
    }
}
