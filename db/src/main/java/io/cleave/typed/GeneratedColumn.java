package io.cleave.typed;

import io.cleave.schema.Column;
import io.cleave.schema.Preset;
import io.cleave.schema.Table;
import io.cleave.value.Order;
import io.cleave.value.Value;

import java.util.List;
import java.util.function.IntFunction;

/// A key column that is computed from other key columns on every write. It depends on nothing else,
/// so its value is also known for a lookup by those columns.
///
/// @param keyColumn its position among the columns of the primary key, from 0
/// @param sources the columns it is computed from, also as positions in the primary key
/// @param expression its inputs are the columns of the primary key
public record GeneratedColumn(int keyColumn, List<Integer> sources, Typed expression) {
    public GeneratedColumn {
        sources = List.copyOf(sources);
    }

    public static boolean isGenerated(Column column) {
        return column.preset().orElse(null) instanceof Preset.Generated;
    }

    /// Whether a write must not give the column a value: it is generated, or it is not stored and
    /// YTsaurus' API computes it when a row is read.
    public static boolean isComputed(Table table, Column column) {
        return isGenerated(column)
                || table.options()
                        .yt()
                        .map(yt -> yt.columns().get(column.id()))
                        .filter(kept -> !kept.materialized() && kept.expression().isPresent())
                        .isPresent();
    }

    /// Whether the table has a generated column.
    public static boolean isIn(Table table) {
        return table.columns().stream().anyMatch(GeneratedColumn::isGenerated);
    }

    /// The value of this column in a row with the given key. Only the key columns in `sources` are
    /// read.
    public Value of(Value[] key) {
        return value(expression, key);
    }

    /// The expression with its input columns replaced by the given expressions.
    public Typed over(IntFunction<Typed> source) {
        return TypedTree.mapInputs(
                expression, input -> source.apply(((Typed.Input) input).index()));
    }

    /// The value of the expression of a generated column. Input `i` is `key[i]`, and may be any
    /// column if the expression does not belong to a key.
    public static Value value(Typed node, Value[] key) {
        return switch (node) {
            case Typed.Constant(_, Value value) -> value;
            case Typed.Input(_, int index) -> key[index];
            case Typed.Compare compare -> {
                Value left = value(compare.left(), key);
                Value right = value(compare.right(), key);
                yield compared(compare, left, right);
            }
            case Typed.And(_, List<Typed> terms) -> all(terms, key, Value.Bool.FALSE);
            case Typed.Or(_, List<Typed> terms) -> all(terms, key, Value.Bool.TRUE);
            case Typed.Not not -> {
                Value value = value(not.operand(), key);
                yield value.isNull() ? value : Value.bool(value.equals(Value.Bool.FALSE));
            }
            case Typed.In in -> {
                Value value = value(in.operand(), key);
                Value collection = value(in.collection(), key);
                yield value.isNull() || !(collection instanceof Value.Items(List<Value> items))
                        ? Value.Null.NULL
                        : Value.bool(items.contains(value));
            }
            case Typed.Choose(_, List<Typed.Branch> branches, Typed otherwise) -> {
                Typed chosen = otherwise;
                for (Typed.Branch branch : branches) {
                    if (value(branch.condition(), key).equals(Value.Bool.TRUE)) {
                        chosen = branch.result();
                        break;
                    }
                }
                yield value(chosen, key);
            }
            case Typed.Convert convert -> {
                Value value = value(convert.operand(), key);
                yield value.isNull() ? value : convert.conversion().apply(value);
            }
            case Typed.Apply apply ->
                    apply.function().apply(values(apply.arguments(), key), new CompileTimeRun());
            case Typed.Coalesce(_, List<Typed> arguments) -> {
                Value found = Value.Null.NULL;
                for (Typed argument : arguments) {
                    if (found.isNull()) {
                        found = value(argument, key);
                    }
                }
                yield found;
            }
            case Typed.IsNull isNull -> Value.bool(value(isNull.operand(), key).isNull());
            case Typed.ItemOf item -> {
                Value items = value(item.operand(), key);
                yield items instanceof Value.Items(List<Value> values)
                        ? values.get(item.index())
                        : Value.Null.NULL;
            }
            case Typed.ItemsOf(_, List<Typed> items) -> Value.items(List.of(values(items, key)));
            case Typed _ -> throw new IllegalStateException("checked when it was made: " + node);
        };
    }

    private static Value compared(Typed.Compare compare, Value left, Value right) {
        if (left.isNull() || right.isNull()) {
            return Value.Null.NULL;
        }
        int order = Order.compare(compare.left().type(), left, compare.right().type(), right);
        return Value.bool(
                switch (compare.comparison()) {
                    case EQUAL -> order == 0;
                    case NOT_EQUAL -> order != 0;
                    case LESS -> order < 0;
                    case LESS_OR_EQUAL -> order <= 0;
                    case GREATER -> order > 0;
                    case GREATER_OR_EQUAL -> order >= 0;
                });
    }

    /// AND or OR: `deciding` if a term has that value, else NULL if a term is NULL, else the
    /// opposite.
    private static Value all(List<Typed> terms, Value[] key, Value.Bool deciding) {
        Value result = Value.bool(!deciding.value());
        for (Typed term : terms) {
            Value value = value(term, key);
            if (value.equals(deciding)) {
                return deciding;
            }
            result = value.isNull() ? value : result;
        }
        return result;
    }

    /// Does not use a stream, which would add about ten stack frames for each level of a deep
    /// expression.
    private static Value[] values(List<Typed> nodes, Value[] key) {
        var values = new Value[nodes.size()];
        for (int index = 0; index < values.length; index++) {
            values[index] = value(nodes.get(index), key);
        }
        return values;
    }
}
