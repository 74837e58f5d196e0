package io.cleave.plan;

import io.cleave.base.Bytes;
import io.cleave.schema.Table;
import io.cleave.typed.GeneratedColumn;
import io.cleave.typed.Typed;
import io.cleave.typed.Typed.Comparison;
import io.cleave.typed.TypedTree;
import io.cleave.value.Ints;
import io.cleave.value.KeyCodec;
import io.cleave.value.Type;
import io.cleave.value.Value;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Derives the condition on a table's key from a WHERE. The inputs of the WHERE are the table's
/// columns.
final class KeyPredicates {
    private final Table table;

    private KeyPredicates(Table table) {
        this.table = table;
    }

    static KeyPredicate of(Table table, Typed predicate) {
        return new KeyPredicates(table).read(predicate);
    }

    /// The condition on the key, including what follows for generated columns.
    static KeyPredicate inferring(Table table, Typed predicate, KeyInference inference) {
        KeyPredicate said = of(table, predicate);
        return said instanceof KeyPredicate.Any || !GeneratedColumn.isIn(table)
                ? said
                : inference.inferring(table, said);
    }

    /// The condition of a term that only compares a key column with a value. For such a term the
    /// condition is complete. For other terms, [#of] may give only a part of what they say.
    static Optional<KeyPredicate.Compare> comparison(Table table, Typed term) {
        return compared(term) instanceof Typed.Compare compare
                        && items(compare.left()).isEmpty()
                        && of(table, term) instanceof KeyPredicate.Compare read
                ? Optional.of(read)
                : Optional.empty();
    }

    /// A comparison without the `?? false` around it. In a WHERE both mean the same.
    private static Typed compared(Typed term) {
        return term instanceof Typed.Coalesce(_, List<Typed> arguments)
                        && arguments.size() == 2
                        && isFalse(arguments.getLast())
                ? arguments.getFirst()
                : term;
    }

    private KeyPredicate read(Typed predicate) {
        return switch (predicate) {
            case Typed.And and -> all(and.terms());
            case Typed.Or or -> any(or.terms());
            case Typed.Compare compare ->
                    compare(compare.comparison(), compare.left(), compare.right());
            case Typed.In in -> in(in);
            case Typed.IsNull isNull -> {
                int column = keyColumn(isNull.operand());
                yield column < 0 ? KeyPredicate.ANY : new KeyPredicate.IsNull(column);
            }
            case Typed.Not(_, Typed operand) -> readNegated(operand);
            // A column as a condition, as in WHERE flag, is not NULL.
            case Typed.Input input when keyColumn(input) >= 0 ->
                    new KeyPredicate.IsNotNull(keyColumn(input));
            // Some tools write WHERE x ?? false around every condition.
            case Typed.Coalesce coalesce
                    when coalesce.arguments().size() == 2
                            && isFalse(coalesce.arguments().getLast()) ->
                    read(coalesce.arguments().getFirst());
            // YTsaurus' comparisons are true for NULL where NULL is the least value.
            case Typed.Coalesce(_, List<Typed> arguments)
                    when arguments.size() == 2
                            && isTrue(arguments.getLast())
                            && arguments.getFirst() instanceof Typed.Compare compare
                            && items(compare.left()).isEmpty()
                            && read(compare)
                                    instanceof
                                    KeyPredicate.Compare(
                                            int column,
                                            Comparison comparison,
                                            Typed value) ->
                    new KeyPredicate.CompareOrNull(column, comparison, value);
            case Typed.Apply apply -> prefix(apply);
            case Typed.Constant(_, Value value) when !value.equals(Value.Bool.TRUE) ->
                    KeyPredicate.NEVER;
            default -> KeyPredicate.ANY;
        };
    }

    /// The strings that begin with a constant are a range. YQL's function has the constant last,
    /// YTsaurus' function has it first.
    private KeyPredicate prefix(Typed.Apply apply) {
        boolean last = apply.function().name().equals("StartsWith");
        if (apply.arguments().size() != 2
                || !(last || apply.function().name().equals("is_prefix"))) {
            return KeyPredicate.ANY;
        }
        int column = keyColumn(apply.arguments().get(last ? 0 : 1));
        if (column < 0
                || !(apply.arguments().get(last ? 1 : 0) instanceof Typed.Constant(_, Value value))
                || value.isNull()) {
            return KeyPredicate.ANY;
        }
        Bytes prefix =
                value instanceof Value.Text(String text)
                        ? Bytes.utf8(text)
                        : ((Value.Binary) value).value();
        List<KeyPredicate> terms = new ArrayList<>();
        terms.add(string(column, Comparison.GREATER_OR_EQUAL, prefix));
        Bytes end = KeyCodec.prefixEnd(prefix);
        if (end != null) {
            terms.add(string(column, Comparison.LESS, end));
        }
        return and(terms);
    }

    private static KeyPredicate string(int column, Comparison comparison, Bytes value) {
        return new KeyPredicate.Compare(
                column, comparison, new Typed.Constant(Type.Primitive.STRING, Value.binary(value)));
    }

    private static boolean isFalse(Typed value) {
        return value instanceof Typed.Constant(_, Value constant)
                && constant.equals(Value.Bool.FALSE);
    }

    private static boolean isTrue(Typed value) {
        return value instanceof Typed.Constant(_, Value constant)
                && constant.equals(Value.Bool.TRUE);
    }

    /// The condition that follows if the predicate is false.
    private KeyPredicate readNegated(Typed predicate) {
        return switch (predicate) {
            case Typed.IsNull isNull -> {
                int column = keyColumn(isNull.operand());
                yield column < 0 ? KeyPredicate.ANY : new KeyPredicate.IsNotNull(column);
            }
            case Typed.Compare compare when isByOrder(compare) && hasNan(compare.left().type()) ->
                    KeyPredicate.ANY;
            case Typed.Compare compare ->
                    compare(opposite(compare.comparison()), compare.left(), compare.right());
            case Typed.And and -> any(and.terms().stream().map(KeyPredicates::not).toList());
            case Typed.Or or -> all(or.terms().stream().map(KeyPredicates::not).toList());
            case Typed.Not(_, Typed operand) -> read(operand);
            default -> KeyPredicate.ANY;
        };
    }

    private static Typed not(Typed predicate) {
        return new Typed.Not(predicate.type(), predicate);
    }

    private static boolean isByOrder(Typed.Compare compare) {
        return compare.comparison() != Comparison.EQUAL
                && compare.comparison() != Comparison.NOT_EQUAL;
    }

    /// Whether a key of the type can be neither less than, equal to, nor greater than a value.
    private static boolean hasNan(Type type) {
        return switch (type.unwrapped()) {
            case Type.Decimal _ -> true;
            case Type.Tuple(List<Type> items) -> items.stream().anyMatch(KeyPredicates::hasNan);
            default -> false;
        };
    }

    private static Comparison opposite(Comparison comparison) {
        return switch (comparison) {
            case EQUAL -> Comparison.NOT_EQUAL;
            case NOT_EQUAL -> Comparison.EQUAL;
            case LESS -> Comparison.GREATER_OR_EQUAL;
            case LESS_OR_EQUAL -> Comparison.GREATER;
            case GREATER -> Comparison.LESS_OR_EQUAL;
            case GREATER_OR_EQUAL -> Comparison.LESS;
        };
    }

    private KeyPredicate all(List<Typed> terms) {
        List<KeyPredicate> known = new ArrayList<>();
        for (Typed term : terms) {
            KeyPredicate read = read(term);
            if (read instanceof KeyPredicate.And(List<KeyPredicate> inner)) {
                known.addAll(inner);
            } else if (!(read instanceof KeyPredicate.Any)) {
                known.add(read);
            }
        }
        return and(known);
    }

    private static KeyPredicate and(List<KeyPredicate> terms) {
        return switch (terms.size()) {
            case 0 -> KeyPredicate.ANY;
            case 1 -> terms.getFirst();
            default -> new KeyPredicate.And(terms);
        };
    }

    private KeyPredicate any(List<Typed> terms) {
        List<KeyPredicate> known = new ArrayList<>();
        for (Typed term : terms) {
            KeyPredicate read = read(term);
            if (read instanceof KeyPredicate.Any) {
                return read;
            }
            known.add(read);
        }
        return new KeyPredicate.Or(known);
    }

    private KeyPredicate compare(Comparison comparison, Typed left, Typed right) {
        Optional<List<Typed>> leftItems = items(left);
        Optional<List<Typed>> rightItems = items(right);
        if (leftItems.isPresent() && rightItems.isPresent()) {
            return compareTuples(comparison, leftItems.get(), rightItems.get());
        }
        int column = keyColumn(left);
        if (column >= 0 && TypedTree.isFixedInRun(right)) {
            return new KeyPredicate.Compare(column, comparison, ofColumn(column, right));
        }
        column = keyColumn(right);
        if (column >= 0 && TypedTree.isFixedInRun(left)) {
            return new KeyPredicate.Compare(column, comparison.mirrored(), ofColumn(column, left));
        }
        return KeyPredicate.ANY;
    }

    /// Converts a literal to the column's type if the column can have the value, so that a run need
    /// not convert it.
    private Typed ofColumn(int keyColumn, Typed value) {
        Type type = table.key().get(keyColumn).type();
        if (value instanceof Typed.Constant(Type literalType, Value literal)
                && !literal.isNull()
                && KeyBound.of(type, literalType, literal) instanceof KeyBound.Exact exact
                && exact.isOf(type)) {
            return new Typed.Constant(type, exact.value());
        }
        return value;
    }

    /// The items of a tuple, written out or as a value.
    private static Optional<List<Typed>> items(Typed tuple) {
        if (!(tuple.type() instanceof Type.Tuple(List<Type> types))) {
            return Optional.empty();
        }
        if (tuple instanceof Typed.ItemsOf(_, List<Typed> items)) {
            return Optional.of(items);
        }
        List<Typed> items = new ArrayList<>();
        for (int index = 0; index < types.size(); index++) {
            items.add(new Typed.ItemOf(types.get(index), tuple, index));
        }
        return Optional.of(items);
    }

    /// `(a, b) > (x, y)` is `a > x OR a = x AND b > y`.
    private KeyPredicate compareTuples(Comparison comparison, List<Typed> left, List<Typed> right) {
        if (left.size() != right.size() || comparison == Comparison.NOT_EQUAL) {
            return KeyPredicate.ANY;
        }
        List<KeyPredicate> cases = new ArrayList<>();
        List<KeyPredicate> equalSoFar = new ArrayList<>();
        for (int index = 0; index < left.size(); index++) {
            boolean last = index == left.size() - 1;
            if (comparison != Comparison.EQUAL) {
                Comparison here = last ? comparison : strict(comparison);
                KeyPredicate differs = compare(here, left.get(index), right.get(index));
                if (differs instanceof KeyPredicate.Any) {
                    cases.add(and(equalSoFar));
                    break;
                }
                List<KeyPredicate> terms = new ArrayList<>(equalSoFar);
                terms.add(differs);
                cases.add(and(terms));
            }
            KeyPredicate equal = compare(Comparison.EQUAL, left.get(index), right.get(index));
            if (!(equal instanceof KeyPredicate.Any)) {
                equalSoFar.add(equal);
            }
        }
        if (comparison == Comparison.EQUAL) {
            return and(equalSoFar);
        }
        return cases.contains(KeyPredicate.ANY) ? KeyPredicate.ANY : new KeyPredicate.Or(cases);
    }

    private static Comparison strict(Comparison comparison) {
        return switch (comparison) {
            case LESS_OR_EQUAL -> Comparison.LESS;
            case GREATER_OR_EQUAL -> Comparison.GREATER;
            case EQUAL, NOT_EQUAL, LESS, GREATER -> comparison;
        };
    }

    private KeyPredicate in(Typed.In in) {
        if (!TypedTree.isFixedInRun(in.collection())) {
            return KeyPredicate.ANY;
        }
        int column = keyColumn(in.operand());
        if (column >= 0) {
            return new KeyPredicate.OneOf(column, in.collection());
        }
        if (in.operand() instanceof Typed.ItemsOf(Type type, List<Typed> items)
                && type instanceof Type.Tuple) {
            List<Integer> columns = items.stream().map(this::keyColumn).toList();
            if (columns.stream().anyMatch(found -> found >= 0)) {
                return new KeyPredicate.OneOfTuples(columns, in.collection());
            }
        }
        return KeyPredicate.ANY;
    }

    /// The index in the key of the column that the expression is; -1 if it is none.
    private int keyColumn(Typed expression) {
        return switch (expression) {
            case Typed.Input(_, int index) -> table.keyColumns().indexOf(index);
            case Typed.Convert(Type type, Typed.Input input, _)
                    when keepsOrder(input.type().unwrapped(), type.unwrapped()) ->
                    table.keyColumns().indexOf(input.index());
            default -> -1;
        };
    }

    /// Whether a conversion only makes a column Optional, or of a type that has all values of the
    /// column, in the same order and as the same bits. YTsaurus' language has no narrow types.
    private static boolean keepsOrder(Type from, Type to) {
        return from.equals(to)
                || (from == Type.Primitive.UTF8 && to == Type.Primitive.STRING)
                || (Ints.isInteger(from)
                        && to instanceof Type.Primitive wide
                        && Ints.isInteger(to)
                        && Ints.holds(wide, (Type.Primitive) from, Ints.min((Type.Primitive) from))
                        && Ints.holds(
                                wide, (Type.Primitive) from, Ints.max((Type.Primitive) from)));
    }
}
