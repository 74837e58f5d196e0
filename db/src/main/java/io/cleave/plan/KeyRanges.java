package io.cleave.plan;

import io.cleave.base.Bytes;
import io.cleave.plan.KeySpans.Span;
import io.cleave.plan.range.InferredRanges;
import io.cleave.plan.range.RangeInference;
import io.cleave.plan.range.TupleRange;
import io.cleave.schema.Table;
import io.cleave.typed.Typed;
import io.cleave.typed.Typed.Comparison;
import io.cleave.value.KeyCodec;
import io.cleave.value.Type;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Turns a condition on a key into the key ranges to read, once the values in the condition are
/// known.
///
/// Columns are processed in key order. While a column can have only specific values, each value
/// begins its own ranges. The first column with a proper range is the last one that counts. A
/// condition that is not understood widens the ranges, never narrows them: the WHERE is still
/// checked for each row, except the terms that the ranges answer in full ([AnsweredTerms]).
public final class KeyRanges {
    /// The maximum number of ranges into which the values of several columns may multiply. Beyond
    /// it, the remaining columns are left to the filter.
    public static final int MAX_COMBINATIONS = 100_000;

    /// Returns the values of the expressions in a predicate.
    public interface Values {
        /// Null if the value is not known yet.
        @Nullable Value of(Typed expression);
    }

    private static final Bytes NULL_KEY = Bytes.wrap(new byte[] {0});
    private static final Bytes AFTER_NULL = Bytes.wrap(new byte[] {1});
    private static final Span NULLS = new Span(NULL_KEY, AFTER_NULL, true);
    private static final Span NOT_NULLS = new Span(AFTER_NULL, null, false);

    private final List<Type> keyTypes;
    private final Values values;

    private KeyRanges(List<Type> keyTypes, Values values) {
        this.keyTypes = keyTypes;
        this.values = values;
    }

    public static KeySpans of(Table table, KeyPredicate predicate, Values values) {
        return of(table.key().stream().map(column -> column.type()).toList(), predicate, values);
    }

    public static KeySpans of(List<Type> keyTypes, KeyPredicate predicate, Values values) {
        return predicate instanceof KeyPredicate.Inferring inferring
                ? spans(inferred(inferring, values), keyTypes.size())
                : new KeyRanges(keyTypes, values).keys(predicate);
    }

    /// The ranges of a table with generated key columns, and how they were found.
    static InferredRanges inferred(KeyPredicate.Inferring inferring, Values values) {
        RangeInference inference = inferring.inference();
        return inference.infer(
                KeyConstraints.of(inference.types(), inferring.of(), values), inferring.limit());
    }

    private static KeySpans spans(InferredRanges inferred, int keyColumns) {
        List<Span> spans = new ArrayList<>(inferred.ranges().size());
        for (TupleRange range : inferred.ranges()) {
            if (!range.isEmpty()) {
                spans.add(new Span(range.from(), range.to(), range.isKey(keyColumns)));
            }
        }
        return new KeySpans(spans);
    }

    private KeySpans keys(KeyPredicate predicate) {
        return switch (predicate) {
            case KeyPredicate.Any _ -> KeySpans.ALL;
            case KeyPredicate.Never _ -> KeySpans.NONE;
            case KeyPredicate.And(List<KeyPredicate> terms) -> keysOfAll(terms);
            case KeyPredicate.Or(List<KeyPredicate> terms) -> {
                // One union of all terms, because there may be thousands of them.
                List<Span> spans = new ArrayList<>();
                for (KeyPredicate term : terms) {
                    spans.addAll(keys(term).spans());
                }
                yield KeySpans.union(spans);
            }
            case KeyPredicate.OneOfTuples tuples -> keysOfTuples(tuples);
            case KeyPredicate.Inferring _ ->
                    throw new IllegalStateException("a predicate in a predicate infers");
            case KeyPredicate.Compare _,
                    KeyPredicate.CompareOrNull _,
                    KeyPredicate.OneOf _,
                    KeyPredicate.IsNull _,
                    KeyPredicate.IsNotNull _ ->
                    keysOfAll(List.of(predicate));
        };
    }

    private KeySpans keysOfAll(List<KeyPredicate> terms) {
        var columns = new @Nullable KeySpans[keyTypes.size()];
        KeySpans others = KeySpans.ALL;
        for (KeyPredicate term : terms) {
            int column = columnOf(term);
            if (column < 0) {
                others = others.intersection(keys(term));
            } else {
                KeySpans spans = column(term);
                KeySpans known = columns[column];
                columns[column] = known == null ? spans : known.intersection(spans);
            }
        }
        return combine(columns).intersection(others);
    }

    /// The only key column that the term restricts; -1 if there are several or none.
    private static int columnOf(KeyPredicate term) {
        return switch (term) {
            case KeyPredicate.Compare compare -> compare.keyColumn();
            case KeyPredicate.CompareOrNull compare -> compare.keyColumn();
            case KeyPredicate.OneOf oneOf -> oneOf.keyColumn();
            case KeyPredicate.IsNull isNull -> isNull.keyColumn();
            case KeyPredicate.IsNotNull isNotNull -> isNotNull.keyColumn();
            case KeyPredicate.Or(List<KeyPredicate> terms) -> sharedColumn(terms);
            case KeyPredicate.And(List<KeyPredicate> terms) -> sharedColumn(terms);
            case KeyPredicate.Any _,
                    KeyPredicate.Never _,
                    KeyPredicate.OneOfTuples _,
                    KeyPredicate.Inferring _ ->
                    -1;
        };
    }

    private static int sharedColumn(List<KeyPredicate> terms) {
        int shared = columnOf(terms.getFirst());
        for (KeyPredicate term : terms) {
            if (columnOf(term) != shared) {
                return -1;
            }
        }
        return shared;
    }

    /// The values that a term allows for its only column.
    private KeySpans column(KeyPredicate term) {
        return switch (term) {
            case KeyPredicate.Compare compare -> compared(compare);
            case KeyPredicate.CompareOrNull compare -> comparedOrNull(compare);
            case KeyPredicate.OneOf oneOf -> oneOf(oneOf);
            case KeyPredicate.IsNull _ -> KeySpans.of(NULLS);
            case KeyPredicate.IsNotNull _ -> KeySpans.of(NOT_NULLS);
            case KeyPredicate.Or(List<KeyPredicate> terms) -> {
                List<Span> spans = new ArrayList<>();
                for (KeyPredicate one : terms) {
                    spans.addAll(column(one).spans());
                }
                yield KeySpans.union(spans);
            }
            case KeyPredicate.And(List<KeyPredicate> terms) -> {
                KeySpans common = KeySpans.ALL;
                for (KeyPredicate one : terms) {
                    common = common.intersection(column(one));
                }
                yield common;
            }
            case KeyPredicate.Any _,
                    KeyPredicate.Never _,
                    KeyPredicate.OneOfTuples _,
                    KeyPredicate.Inferring _ ->
                    KeySpans.ALL;
        };
    }

    private KeySpans compared(KeyPredicate.Compare compare) {
        Value value = values.of(compare.value());
        if (value == null) {
            return KeySpans.ALL;
        }
        return compared(
                keyTypes.get(compare.keyColumn()),
                compare.comparison(),
                compare.value().type(),
                value);
    }

    private KeySpans comparedOrNull(KeyPredicate.CompareOrNull compare) {
        Value value = values.of(compare.value());
        return value == null || value.isNull()
                ? KeySpans.ALL
                : compared(
                                keyTypes.get(compare.keyColumn()),
                                compare.comparison(),
                                compare.value().type(),
                                value)
                        .union(KeySpans.of(NULLS));
    }

    /// The values of a column of `type` for which the comparison with `value` is true. Comparisons
    /// with NULL are never true.
    private static KeySpans compared(
            Type type, Comparison comparison, Type valueType, Value value) {
        if (value.isNull()) {
            return KeySpans.NONE;
        }
        KeyBound bound = KeyBound.of(type, valueType, value);
        return switch (bound) {
            case KeyBound.Unknown _ -> KeySpans.of(NOT_NULLS);
            case KeyBound.Nowhere _ ->
                    comparison == Comparison.NOT_EQUAL ? KeySpans.of(NOT_NULLS) : KeySpans.NONE;
            case KeyBound.Below _ ->
                    switch (comparison) {
                        case EQUAL, LESS, LESS_OR_EQUAL -> KeySpans.NONE;
                        case NOT_EQUAL, GREATER, GREATER_OR_EQUAL -> KeySpans.of(NOT_NULLS);
                    };
            case KeyBound.Above _ ->
                    switch (comparison) {
                        case EQUAL, GREATER, GREATER_OR_EQUAL -> KeySpans.NONE;
                        case NOT_EQUAL, LESS, LESS_OR_EQUAL -> KeySpans.of(NOT_NULLS);
                    };
            case KeyBound.Exact(Value exact) -> {
                Bytes from = KeyCodec.encode(List.of(type), exact);
                Bytes to = KeyCodec.prefixEnd(from);
                yield switch (comparison) {
                    case EQUAL -> KeySpans.of(new Span(from, to, true));
                    case NOT_EQUAL ->
                            new KeySpans(List.of(new Span(AFTER_NULL, from, false), after(to)));
                    case LESS -> KeySpans.of(new Span(AFTER_NULL, from, false));
                    case LESS_OR_EQUAL -> KeySpans.of(new Span(AFTER_NULL, to, false));
                    case GREATER -> KeySpans.of(after(to));
                    case GREATER_OR_EQUAL -> KeySpans.of(new Span(from, null, false));
                };
            }
            // The value is between `lower` and the column's next value.
            case KeyBound.JustAbove(Value lower) -> {
                Bytes to = KeyCodec.prefixEnd(KeyCodec.encode(List.of(type), lower));
                yield switch (comparison) {
                    case EQUAL -> KeySpans.NONE;
                    case NOT_EQUAL -> KeySpans.of(NOT_NULLS);
                    case LESS, LESS_OR_EQUAL -> KeySpans.of(new Span(AFTER_NULL, to, false));
                    case GREATER, GREATER_OR_EQUAL -> KeySpans.of(after(to));
                };
            }
        };
    }

    /// All values from the end of a value on. An encoded value begins with a byte below 0xFF, so it
    /// always has an end.
    private static Span after(@Nullable Bytes end) {
        return new Span(end == null ? Bytes.wrap(new byte[] {(byte) 0xFF}) : end, null, false);
    }

    private KeySpans oneOf(KeyPredicate.OneOf oneOf) {
        Value collection = values.of(oneOf.collection());
        if (collection == null) {
            return KeySpans.ALL;
        }
        Type type = keyTypes.get(oneOf.keyColumn());
        List<Span> spans = new ArrayList<>();
        InList.forEach(
                oneOf.collection().type(),
                collection,
                (itemType, item) ->
                        spans.addAll(compared(type, Comparison.EQUAL, itemType, item).spans()));
        return KeySpans.union(spans);
    }

    private KeySpans keysOfTuples(KeyPredicate.OneOfTuples tuples) {
        Value collection = values.of(tuples.collection());
        if (collection == null) {
            return KeySpans.ALL;
        }
        List<Span> spans = new ArrayList<>();
        InList.forEach(
                tuples.collection().type(),
                collection,
                (itemType, item) -> {
                    if (!item.isNull()) {
                        spans.addAll(keysOfTuple(tuples.keyColumns(), itemType, item).spans());
                    }
                });
        return KeySpans.union(spans);
    }

    private KeySpans keysOfTuple(List<Integer> keyColumns, Type tupleType, Value tuple) {
        var columns = new @Nullable KeySpans[keyTypes.size()];
        List<Type> types = ((Type.Tuple) tupleType.unwrapped()).items();
        List<Value> items = ((Value.Items) tuple).items();
        for (int index = 0; index < items.size(); index++) {
            int column = keyColumns.get(index);
            if (column >= 0) {
                KeySpans spans =
                        compared(
                                keyTypes.get(column),
                                Comparison.EQUAL,
                                types.get(index),
                                items.get(index));
                KeySpans known = columns[column];
                columns[column] = known == null ? spans : known.intersection(spans);
            }
        }
        return combine(columns);
    }

    /// The keys whose columns have the given values; null means that any value is allowed.
    private static KeySpans combine(@Nullable KeySpans[] columns) {
        for (KeySpans column : columns) {
            if (column != null && column.spans().isEmpty()) {
                return KeySpans.NONE;
            }
        }
        return product(columns);
    }

    private static KeySpans product(@Nullable KeySpans[] columns) {
        List<Bytes> prefixes = List.of(Bytes.EMPTY);
        for (int index = 0; index < columns.length; index++) {
            KeySpans column = columns[index];
            if (column == null
                    || (long) prefixes.size() * column.spans().size() > MAX_COMBINATIONS) {
                return spans(prefixes, false);
            }
            if (!column.arePoints()) {
                return spans(prefixes, column);
            }
            List<Bytes> longer = new ArrayList<>(prefixes.size() * column.spans().size());
            for (Bytes prefix : prefixes) {
                for (Span point : column.spans()) {
                    longer.add(join(prefix, point.from()));
                }
            }
            prefixes = longer;
        }
        return spans(prefixes, true);
    }

    private static KeySpans spans(List<Bytes> prefixes, boolean wholeKeys) {
        List<Span> spans = new ArrayList<>(prefixes.size());
        for (Bytes prefix : prefixes) {
            Bytes to = prefix.isEmpty() ? null : KeyCodec.prefixEnd(prefix);
            spans.add(new Span(prefix, to, wholeKeys));
        }
        return new KeySpans(spans);
    }

    private static KeySpans spans(List<Bytes> prefixes, KeySpans column) {
        List<Span> spans = new ArrayList<>(prefixes.size() * column.spans().size());
        for (Bytes prefix : prefixes) {
            Bytes end = prefix.isEmpty() ? null : KeyCodec.prefixEnd(prefix);
            for (Span span : column.spans()) {
                Bytes to = span.to() == null ? end : join(prefix, span.to());
                spans.add(new Span(join(prefix, span.from()), to, false));
            }
        }
        return new KeySpans(spans);
    }

    private static Bytes join(Bytes prefix, Bytes rest) {
        if (prefix.isEmpty()) {
            return rest;
        }
        byte[] joined = Arrays.copyOf(prefix.array(), prefix.length() + rest.length());
        System.arraycopy(rest.array(), 0, joined, prefix.length(), rest.length());
        return Bytes.wrap(joined);
    }
}
