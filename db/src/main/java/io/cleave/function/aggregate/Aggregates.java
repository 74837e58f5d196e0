package io.cleave.function.aggregate;

import io.cleave.base.Issue.Position;
import io.cleave.base.StatusException;
import io.cleave.function.call.ArgumentChecks;
import io.cleave.function.operator.Predicates;
import io.cleave.typed.AggregateFunction;
import io.cleave.typed.AggregateFunction.Accumulator;
import io.cleave.typed.Errors;
import io.cleave.typed.Typed;
import io.cleave.value.HashKey;
import io.cleave.value.HeapSize;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;
import io.cleave.yql.Expression;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/// The registry of aggregate functions. A function with the suffix `_IF` takes a condition as its
/// last argument. Functions skip NULLs unless they document otherwise.
public final class Aggregates {
    /// An aggregate call to resolve. `literals` are the indexes of the arguments that are literals
    /// in the query, if known.
    record Call(Position at, String name, List<Type> types, Set<Integer> literals) {
        Call(Position at, String name, List<Type> types) {
            this(at, name, types, Set.of());
        }

        void expect(int min, int max) {
            ArgumentChecks.count(
                    at, "Aggregation function " + name, "argument(s)", types.size(), min, max);
        }

        void expectInteger(int index) {
            ArgumentChecks.integer(at, name, types, index);
        }

        Type type() {
            return types.getFirst();
        }

        Type bare() {
            return type().unwrapped();
        }

        StatusException error(String message) {
            return Errors.type(at, message);
        }
    }

    @FunctionalInterface
    interface Resolver {
        AggregateFunction resolve(Call call);
    }

    record Resolved(
            Type type, Type groupedType, AggregateFunction.Kind kind, Supplier<Accumulator> maker)
            implements AggregateFunction {
        Resolved(Type type, Type groupedType, Supplier<Accumulator> maker) {
            this(type, groupedType, AggregateFunction.Kind.OTHER, maker);
        }

        /// The function with the given kind instead of OTHER.
        Resolved as(AggregateFunction.Kind known) {
            return new Resolved(type, groupedType, known, maker);
        }

        @Override
        public Accumulator begin() {
            return maker.get();
        }
    }

    /// These are handled before the registry is used.
    private static final Set<String> ELSEWHERE =
            Set.of("aggregateby", "multiaggregateby", "sessionstart", "hopstart", "hopend");

    /// Aggregates of YDB that are not supported, or not in this position.
    private static final List<String> UNSUPPORTED =
            List.of(
                    "aggregate_by",
                    "multi_aggregate_by",
                    "udaf",
                    "session_start",
                    "hop_start",
                    "hop_end",
                    "block_ward_histogram",
                    "block_weight_histogram");

    private static final Map<String, Resolver> RESOLVERS;

    static {
        var resolvers = new HashMap<String, Resolver>();
        CountAggregates.register(resolvers);
        SumAggregates.register(resolvers);
        ChoiceAggregates.register(resolvers);
        VarianceAggregates.register(resolvers);
        for (String name : List.of("sum", "checked_sum", "avg", "min", "max", "some")) {
            Resolver plain = Optional.ofNullable(resolvers.get(name)).orElseThrow();
            resolvers.put(name + "_if", call -> conditional(call, plain));
        }
        TopAggregates.register(resolvers);
        FrequencyAggregates.register(resolvers);
        CovarianceAggregates.register(resolvers);
        PercentileAggregates.register(resolvers);
        DistinctAggregates.register(resolvers);
        HistogramAggregates.register(resolvers);
        for (String name : UNSUPPORTED) {
            resolvers.put(
                    name,
                    call -> {
                        throw Errors.unsupported(call.at(), "Aggregation function " + call.name());
                    });
        }
        var plain = new HashMap<String, Resolver>();
        resolvers.forEach((name, resolver) -> plain.put(plainName(name), resolver));
        RESOLVERS = Map.copyOf(plain);
    }

    /// Ignores underscores and case: `COUNT_IF` equals `CountIf`.
    public static String plainName(String name) {
        return Expression.Call.plain(name);
    }

    private Aggregates() {}

    public static boolean isAggregate(String name) {
        return RESOLVERS.containsKey(plainName(name));
    }

    /// Whether this is an aggregate of YDB that is known but not supported.
    public static boolean isRefused(String name) {
        return !ELSEWHERE.contains(plainName(name))
                && UNSUPPORTED.stream().anyMatch(known -> plainName(known).equals(plainName(name)));
    }

    /// Resolves the aggregate for its arguments; `COUNT(*)` has none. With `distinct` equal
    /// arguments are counted once.
    public static AggregateFunction of(
            Position at, String name, List<Typed> arguments, boolean distinct) {
        Set<Integer> literals = new HashSet<>();
        for (int index = 0; index < arguments.size(); index++) {
            if (arguments.get(index) instanceof Typed.Constant) {
                literals.add(index);
            }
        }
        List<Type> types = arguments.stream().map(Typed::type).toList();
        return find(new Call(at, name, types, literals), distinct);
    }

    /// Like [#of], when only the types are known.
    public static AggregateFunction find(
            Position at, String name, List<Type> argumentTypes, boolean distinct) {
        return find(new Call(at, name, argumentTypes), distinct);
    }

    private static AggregateFunction find(Call call, boolean distinct) {
        Position at = call.at();
        String name = call.name();
        List<Type> argumentTypes = call.types();
        Resolver resolver = RESOLVERS.get(plainName(name));
        if (resolver == null) {
            throw Errors.type(at, "Unknown builtin: " + name);
        }
        AggregateFunction function = resolver.resolve(call);
        if (!distinct) {
            return function;
        }
        if (argumentTypes.isEmpty()) {
            throw Errors.type(at, "DISTINCT needs an argument in " + name);
        }
        Type type = argumentTypes.getFirst();
        Predicates.requireHashable(at, "DISTINCT of " + name, type);
        return new WithDistinct(function, type);
    }

    /// A function that skips NULLs and returns NULL for an empty group.
    static Resolved nullable(List<Type> argumentTypes, Type type, Supplier<Accumulator> maker) {
        boolean optional = argumentTypes.stream().anyMatch(Type::isOptional);
        Type grouped = optional ? type.optional() : type;
        return new Resolved(type.optional(), grouped, maker);
    }

    /// A function that returns a value even for an empty group.
    static Resolved total(Type type, Supplier<Accumulator> maker) {
        return new Resolved(type, type, maker);
    }

    /// Aggregates only the rows whose last argument is true.
    private static AggregateFunction conditional(Call call, Resolver plain) {
        call.expect(2, 3);
        int last = call.types().size() - 1;
        if (call.types().get(last).unwrapped() != Primitive.BOOL) {
            throw call.error(
                    "Expected bool as the condition of %s, but got: %s"
                            .formatted(call.name(), call.types().get(last).text()));
        }
        AggregateFunction function =
                plain.resolve(new Call(call.at(), call.name(), call.types().subList(0, last)));
        // There may be no row that meets the condition.
        return new Resolved(
                function.type(), function.type(), () -> new Conditional(last, function.begin()));
    }

    private record Conditional(int conditionIndex, Accumulator inner) implements Accumulator {
        @Override
        public long keptBytes() {
            return inner.keptBytes();
        }

        @Override
        public void add(Value[] arguments) {
            if (arguments[conditionIndex].equals(Value.Bool.TRUE)) {
                inner.add(arguments);
            }
        }

        @Override
        public Value result() {
            return inner.result();
        }
    }

    /// Aggregates each distinct value of the first argument, whose type is `argument`, once.
    private record WithDistinct(AggregateFunction function, Type argument)
            implements AggregateFunction {
        @Override
        public Type type() {
            return function.type();
        }

        @Override
        public Type groupedType() {
            return function.groupedType();
        }

        @Override
        public Accumulator begin() {
            return new Distinct(argument, function.begin());
        }

        @Override
        public Optional<AggregateFunction> overDistinct() {
            return Optional.of(function);
        }
    }

    private static final class Distinct implements Accumulator {
        private final Type type;
        private final Accumulator inner;
        private final Set<Value> seen = new HashSet<>();
        private long seenBytes;

        Distinct(Type type, Accumulator inner) {
            this.type = type;
            this.inner = inner;
        }

        @Override
        public long keptBytes() {
            return seenBytes + inner.keptBytes();
        }

        @Override
        public void add(Value[] arguments) {
            Value key = HashKey.ofGroup(type, arguments[0]);
            if (seen.add(key)) {
                seenBytes += KeptValues.ENTRY_BYTES + HeapSize.of(key);
                inner.add(arguments);
            }
        }

        @Override
        public Value result() {
            return inner.result();
        }
    }
}
