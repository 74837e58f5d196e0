package io.cleave.function.aggregate;

import io.cleave.base.Issue.Position;
import io.cleave.function.call.Lists;
import io.cleave.typed.AggregateFunction;
import io.cleave.typed.AggregateFunction.Accumulator;
import io.cleave.typed.Errors;
import io.cleave.typed.Typed;
import io.cleave.value.Type;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/// `MULTI_AGGREGATE_BY(container, factory)`: aggregates each item of a tuple, struct or list
/// separately and returns the results in a container of the same kind. For lists of different
/// lengths, the result has the length of the shortest.
public final class MultiAggregates {
    private MultiAggregates() {}

    /// The aggregate `name` of the items of the first argument. The other arguments are its
    /// parameters.
    public static AggregateFunction of(Position at, String name, List<Typed> arguments) {
        Type container = arguments.getFirst().type();
        Function<Type, AggregateFunction> ofItem =
                type -> {
                    var items = new ArrayList<>(arguments);
                    items.set(0, new Typed.Input(type, 0));
                    return Aggregates.of(at, name, items, false);
                };
        return switch (container) {
            case Type.Tuple(List<Type> types) -> {
                List<AggregateFunction> functions = types.stream().map(ofItem).toList();
                yield new Aggregates.Resolved(
                        new Type.Tuple(functions.stream().map(AggregateFunction::type).toList()),
                        new Type.Tuple(
                                functions.stream().map(AggregateFunction::groupedType).toList()),
                        () -> new Fixed(begun(functions)));
            }
            case Type.Struct struct -> {
                List<AggregateFunction> functions =
                        struct.members().stream().map(Type.Member::type).map(ofItem).toList();
                yield new Aggregates.Resolved(
                        struct(struct, functions, AggregateFunction::type),
                        struct(struct, functions, AggregateFunction::groupedType),
                        () -> new Fixed(begun(functions)));
            }
            case Type.ListOf(Type item) -> {
                AggregateFunction function = ofItem.apply(item);
                Type list = new Type.ListOf(function.groupedType());
                yield new Aggregates.Resolved(list.optional(), list, () -> new Listed(function));
            }
            default ->
                    throw Errors.type(
                            at,
                            "Expected a tuple, a struct or a list in MULTI_AGGREGATE_BY, but got: "
                                    + container.text());
        };
    }

    private static Type struct(
            Type.Struct struct,
            List<AggregateFunction> functions,
            Function<AggregateFunction, Type> type) {
        List<Type.Member> members = new ArrayList<>();
        for (Type.Member member : struct.members()) {
            members.add(new Type.Member(member.name(), type.apply(functions.get(members.size()))));
        }
        return new Type.Struct(members);
    }

    private static List<Accumulator> begun(List<AggregateFunction> functions) {
        return functions.stream().map(AggregateFunction::begin).toList();
    }

    private static void add(List<Accumulator> items, Value[] arguments, List<Value> values) {
        Value[] given = arguments.clone();
        for (int index = 0; index < items.size(); index++) {
            given[0] = values.get(index);
            items.get(index).add(given.clone());
        }
    }

    private static Value result(List<Accumulator> items) {
        return Value.items(items.stream().map(Accumulator::result).toList());
    }

    private static long keptBytes(List<Accumulator> items) {
        long bytes = 0;
        for (Accumulator item : items) {
            bytes += KeptValues.ENTRY_BYTES + item.keptBytes();
        }
        return bytes;
    }

    private record Fixed(List<Accumulator> items) implements Accumulator {
        @Override
        public void add(Value[] arguments) {
            MultiAggregates.add(items, arguments, ((Value.Items) arguments[0]).items());
        }

        @Override
        public Value result() {
            return MultiAggregates.result(items);
        }

        @Override
        public long keptBytes() {
            return MultiAggregates.keptBytes(items);
        }
    }

    private static final class Listed implements Accumulator {
        private final AggregateFunction function;

        /// Null before the first list.
        private @Nullable List<Accumulator> items;

        Listed(AggregateFunction function) {
            this.function = function;
        }

        @Override
        public void add(Value[] arguments) {
            List<Value> values = Lists.items(arguments[0]);
            if (items == null) {
                List<Accumulator> begun = new ArrayList<>();
                values.forEach(_ -> begun.add(function.begin()));
                items = begun;
            }
            if (items.size() > values.size()) {
                items = new ArrayList<>(items.subList(0, values.size()));
            }
            MultiAggregates.add(items, arguments, values);
        }

        @Override
        public Value result() {
            return items == null ? Value.Null.NULL : MultiAggregates.result(items);
        }

        @Override
        public long keptBytes() {
            return items == null ? 0 : MultiAggregates.keptBytes(items);
        }
    }
}
