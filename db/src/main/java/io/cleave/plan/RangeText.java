package io.cleave.plan;

import io.cleave.base.Bytes;
import io.cleave.base.CorruptionException;
import io.cleave.plan.KeySpans.Span;
import io.cleave.schema.Column;
import io.cleave.schema.Table;
import io.cleave.typed.GeneratedColumn;
import io.cleave.typed.Typed;
import io.cleave.value.KeyCodec;
import io.cleave.value.Type;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/// Prints key predicates and encoded key ranges in readable form: `[(1, "a"), (1, NULL)]`.
final class RangeText {
    private static final int MAX_SPANS = 8;

    private RangeText() {}

    static String of(KeySpans spans, List<Type> keyTypes) {
        if (spans.spans().isEmpty()) {
            return "nothing";
        }
        String text =
                spans.spans().stream()
                        .limit(MAX_SPANS)
                        .map(span -> of(span, keyTypes))
                        .collect(Collectors.joining(", "));
        int left = spans.spans().size() - MAX_SPANS;
        return left > 0 ? text + " and " + left + " more" : text;
    }

    static String of(Span span, List<Type> keyTypes) {
        if (span.point()) {
            String key = tuple(span.from(), keyTypes);
            return key != null ? key : span.from().toString();
        }
        return lower(span.from(), keyTypes) + ", " + upper(span.to(), keyTypes);
    }

    private static String lower(Bytes from, List<Type> keyTypes) {
        if (from.isEmpty()) {
            return "(-∞";
        }
        String key = tuple(from, keyTypes);
        if (key != null) {
            return "[" + key;
        }
        String before = tuple(decremented(from), keyTypes);
        return before != null ? "(" + before : "[" + from;
    }

    private static String upper(@Nullable Bytes to, List<Type> keyTypes) {
        if (to == null) {
            return "+∞)";
        }
        String key = tuple(to, keyTypes);
        if (key != null) {
            return key + ")";
        }
        String before = tuple(decremented(to), keyTypes);
        if (before != null) {
            return before + "]";
        }
        // The end of all values of a column after the same values of the columns before it.
        String prefix = tuple(Bytes.copyOf(to.array(), 0, to.length() - 1), keyTypes);
        return prefix != null ? (prefix.equals("()") ? "+∞)" : prefix + "]") : to + ")";
    }

    private static Bytes decremented(Bytes bytes) {
        byte[] copy = Arrays.copyOf(bytes.array(), bytes.length());
        copy[copy.length - 1]--;
        return Bytes.wrap(copy);
    }

    private static @Nullable String tuple(Bytes key, List<Type> keyTypes) {
        try {
            Value[] values = KeyCodec.decode(keyTypes, key);
            List<String> texts = new ArrayList<>();
            for (int index = 0; index < values.length; index++) {
                texts.add(ExpressionText.value(keyTypes.get(index), values[index]));
            }
            return "(" + String.join(", ", texts) + ")";
        } catch (CorruptionException _) {
            return null;
        }
    }

    /// Prints a condition on the key as it would be written in a query.
    static String of(KeyPredicate predicate, Table table) {
        List<String> names = table.key().stream().map(Column::name).toList();
        return of(predicate, names);
    }

    private static String of(KeyPredicate predicate, List<String> names) {
        return switch (predicate) {
            case KeyPredicate.Any _ -> "any key";
            case KeyPredicate.Never _ -> "no key";
            case KeyPredicate.Compare(int column, Typed.Comparison comparison, Typed value) ->
                    names.get(column)
                            + " "
                            + ExpressionText.sign(comparison)
                            + " "
                            + ExpressionText.of(value, List.of());
            case KeyPredicate.CompareOrNull(int column, Typed.Comparison comparison, Typed value) ->
                    "("
                            + of(new KeyPredicate.Compare(column, comparison, value), names)
                            + ") ?? true";
            case KeyPredicate.OneOf(int column, Typed collection) ->
                    names.get(column) + " IN " + ExpressionText.of(collection, List.of());
            case KeyPredicate.OneOfTuples(List<Integer> columns, Typed collection) ->
                    columns.stream()
                                    .map(column -> column < 0 ? "…" : names.get(column))
                                    .collect(Collectors.joining(", ", "(", ")"))
                            + " IN "
                            + ExpressionText.of(collection, List.of());
            case KeyPredicate.IsNull(int column) -> names.get(column) + " IS NULL";
            case KeyPredicate.IsNotNull(int column) -> names.get(column) + " IS NOT NULL";
            case KeyPredicate.Inferring inferring ->
                    of(inferring.of(), names)
                            + inferred(inferring.generated(), inferring.of(), names);
            case KeyPredicate.And(List<KeyPredicate> terms) -> joined(terms, names, " AND ");
            case KeyPredicate.Or(List<KeyPredicate> terms) ->
                    "(" + joined(terms, names, " OR ") + ")";
        };
    }

    /// The values that follow for generated columns; empty if there are none.
    private static String inferred(
            List<GeneratedColumn> generated, KeyPredicate of, List<String> names) {
        var text = new StringBuilder();
        for (GeneratedColumn column : generated) {
            if (IndexChoice.isFixed(column.sources(), of)) {
                text.append(", so ")
                        .append(names.get(column.keyColumn()))
                        .append(" = ")
                        .append(ExpressionText.of(column.expression(), names));
            }
        }
        return text.toString();
    }

    private static String joined(List<KeyPredicate> terms, List<String> names, String by) {
        List<String> texts = new ArrayList<>();
        terms.forEach(term -> texts.add(of(term, names)));
        return String.join(by, texts);
    }

    /// The value of the expression if it is known without a run; otherwise null.
    static @Nullable Value constant(Typed expression) {
        return switch (expression) {
            case Typed.Constant(_, Value value) -> value;
            case Typed.Convert convert -> {
                Value value = constant(convert.operand());
                yield value == null || value.isNull() ? value : convert.conversion().apply(value);
            }
            case Typed.ItemsOf(_, List<Typed> items) -> {
                List<Value> values = new ArrayList<>();
                for (Typed item : items) {
                    Value value = constant(item);
                    if (value == null) {
                        yield null;
                    }
                    values.add(value);
                }
                yield Value.items(values);
            }
            case Typed.ItemOf item -> {
                Value value = constant(item.operand());
                yield value instanceof Value.Items(List<Value> items)
                        ? items.get(item.index())
                        : null;
            }
            default -> null;
        };
    }

    /// Whether every value in the predicate is known without a run.
    static boolean isConstant(KeyPredicate predicate) {
        return switch (predicate) {
            case KeyPredicate.Any _,
                    KeyPredicate.Never _,
                    KeyPredicate.IsNull _,
                    KeyPredicate.IsNotNull _ ->
                    true;
            case KeyPredicate.CompareOrNull compare -> constant(compare.value()) != null;
            case KeyPredicate.Compare compare -> constant(compare.value()) != null;
            case KeyPredicate.OneOf oneOf -> constant(oneOf.collection()) != null;
            case KeyPredicate.OneOfTuples tuples -> constant(tuples.collection()) != null;
            case KeyPredicate.Inferring inferring -> isConstant(inferring.of());
            case KeyPredicate.And(List<KeyPredicate> terms) ->
                    terms.stream().allMatch(RangeText::isConstant);
            case KeyPredicate.Or(List<KeyPredicate> terms) ->
                    terms.stream().allMatch(RangeText::isConstant);
        };
    }
}
