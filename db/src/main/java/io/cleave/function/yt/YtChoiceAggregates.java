package io.cleave.function.yt;

import static io.cleave.function.yt.Signature.one;
import static io.cleave.function.yt.Signature.oneOf;
import static io.cleave.function.yt.Signature.parameter;
import static io.cleave.function.yt.YtType.ANY;
import static io.cleave.function.yt.YtType.BOOLEAN;
import static io.cleave.function.yt.YtType.DOUBLE;
import static io.cleave.function.yt.YtType.INT64;
import static io.cleave.function.yt.YtType.NULL;
import static io.cleave.function.yt.YtType.STRING;
import static io.cleave.function.yt.YtType.UINT64;

import io.cleave.base.Bytes;
import io.cleave.typed.AggregateFunction.Accumulator;
import io.cleave.typed.AggregateFunction.Kind;
import io.cleave.typed.AggregateFunction.Steps;
import io.cleave.typed.ValueSizes;
import io.cleave.value.HeapSize;
import io.cleave.value.Type;
import io.cleave.value.Value;
import io.cleave.value.YsonNode;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// Aggregates that keep values of rows: `first`, `argmin`, `argmax`, `array_agg` and `dict_sum`.
final class YtChoiceAggregates {
    private YtChoiceAggregates() {}

    static void register(Consumer<YtAggregate> registry) {
        var anything = EnumSet.complementOf(EnumSet.of(NULL));
        registry.accept(
                new YtAggregate(
                        "first",
                        Signature.of(parameter(1, anything), parameter(1, anything)),
                        (_, type) ->
                                new YtAggregates.NullableAggregate(
                                        type.type(), Kind.OTHER, First::new)));
        registry.accept(byOther("argmin", -1));
        registry.accept(byOther("argmax", 1));
        registry.accept(
                new YtAggregate(
                        "array_agg",
                        Signature.of(
                                one(ANY),
                                oneOf(STRING, UINT64, INT64, DOUBLE, BOOLEAN, ANY),
                                one(BOOLEAN)),
                        (arguments, type) -> {
                            YtType items = YtType.of(arguments.getFirst().type());
                            var joining =
                                    YtAggregates.NullableAggregate.step(type.type(), Joined::new);
                            var collecting =
                                    YtAggregates.NullableAggregate.step(
                                            type.type(), () -> new Collected(items));
                            return new YtAggregates.NullableAggregate(
                                    type.type(),
                                    Kind.OTHER,
                                    () -> new Collected(items),
                                    Optional.of(new Steps(collecting, joining)));
                        }));
        registry.accept(
                new YtAggregate(
                        "dict_sum",
                        Signature.of(one(ANY), one(ANY)),
                        (_, type) ->
                                new YtAggregates.NullableAggregate(
                                        type.type(), Kind.OTHER, DictSum::new)));
        registry.accept(
                new YtAggregate(
                        "xdelta",
                        Signature.of(one(STRING), one(STRING)),
                        (_, _) -> {
                            throw YtQueryErrors.error(
                                            "Function \"xdelta\" is not supported: it needs"
                                                    + " aggregating columns, which Cleave does not"
                                                    + " have")
                                    .exception();
                        }));
    }

    private static YtAggregate byOther(String name, int sign) {
        return new YtAggregate(
                name,
                Signature.of(
                        Signature.anything(2),
                        Signature.anything(2),
                        parameter(1, YtAggregates.COMPARABLE)),
                (arguments, type) -> {
                    YtType compared = YtType.of(arguments.get(1).type());
                    var state =
                            new Type.Tuple(
                                    List.of(type.type().optional(), compared.type().optional()));
                    var steps =
                            new Steps(
                                    YtAggregates.NullableAggregate.step(
                                            state, () -> new ByOther(compared, sign, true)),
                                    YtAggregates.NullableAggregate.step(
                                            type.type(), () -> new ByOther(compared, sign, false)));
                    return new YtAggregates.NullableAggregate(
                            type.type(),
                            Kind.OTHER,
                            () -> new ByOther(compared, sign, false),
                            Optional.of(steps));
                });
    }

    /// The first value that is not NULL, in the order in which the rows are read.
    private static final class First implements Accumulator {
        private Value first = Value.Null.NULL;

        @Override
        public void add(Value[] arguments) {
            if (first.isNull()) {
                first = arguments[0];
            }
        }

        @Override
        public Value result() {
            return first;
        }

        @Override
        public long keptBytes() {
            return first instanceof Value.Binary ? HeapSize.of(first) : 0;
        }
    }

    /// The value from the row in which another value is least or greatest. Rows with a NULL do not
    /// count. If several rows have the least or greatest value, the first row counts. A state,
    /// which is also an argument, is a tuple of both values.
    private static final class ByOther implements Accumulator {
        private final YtType type;
        private final int sign;
        private final boolean isState;
        private Value value = Value.Null.NULL;
        private Value best = Value.Null.NULL;

        ByOther(YtType type, int sign, boolean isState) {
            this.type = type;
            this.sign = sign;
            this.isState = isState;
        }

        @Override
        public void add(Value[] arguments) {
            if (arguments.length == 2) {
                add(arguments[0], arguments[1]);
            } else if (arguments[0] instanceof Value.Items(List<Value> state)) {
                add(state.getFirst(), state.getLast());
            }
        }

        private void add(Value given, Value other) {
            if (!given.isNull()
                    && !other.isNull()
                    && (best.isNull() || YtAggregates.compare(type, other, best) * sign > 0)) {
                value = given;
                best = other;
            }
        }

        @Override
        public Value result() {
            return isState ? Value.items(List.of(value, best)) : value;
        }

        @Override
        public long keptBytes() {
            return HeapSize.of(value) + HeapSize.of(best);
        }
    }

    /// All values as a list. The second argument says whether a NULL is left out.
    private static final class Collected implements Accumulator {
        private static final long NODE_BYTES = 48;

        private final YtType type;
        private final List<YsonNode> items = new ArrayList<>();
        private long bytes;

        Collected(YtType type) {
            this.type = type;
        }

        @Override
        public void add(Value[] arguments) {
            Value value = arguments[0];
            if (value.isNull()) {
                if (!arguments[1].equals(Value.bool(true))) {
                    items.add(new YsonNode.Entity());
                    bytes += NODE_BYTES;
                }
                return;
            }
            ValueSizes.requireItems(items.size() + 1L);
            items.add(YtYson.node(type, value));
            bytes += NODE_BYTES + HeapSize.of(value);
        }

        @Override
        public Value result() {
            return YtYson.value(new YsonNode.Items(items));
        }

        @Override
        public long keptBytes() {
            return bytes;
        }
    }

    /// The items of all lists, which [Collected] has made.
    private static final class Joined implements Accumulator {
        private final List<YsonNode> items = new ArrayList<>();
        private long bytes;

        @Override
        public void add(Value[] arguments) {
            if (!arguments[0].isNull()
                    && YtYson.parse(YtArithmetic.bytes(arguments[0]))
                            instanceof YsonNode.Items(List<YsonNode> more)) {
                ValueSizes.requireItems(items.size() + (long) more.size());
                items.addAll(more);
                bytes += Collected.NODE_BYTES * more.size() + HeapSize.of(arguments[0]);
            }
        }

        @Override
        public Value result() {
            return YtYson.value(new YsonNode.Items(items));
        }

        @Override
        public long keptBytes() {
            return bytes;
        }
    }

    /// Adds maps: int64 values of the same name are added, and a sum of zero is removed. Maps
    /// inside maps are added in the same way. A map that cannot be added is left out.
    private static final class DictSum implements Accumulator {
        private static final long NODE_BYTES = 96;

        private YsonNode sum = new YsonNode.Entity();
        private long bytes;

        @Override
        public void add(Value[] arguments) {
            if (arguments[0].isNull()) {
                return;
            }
            Bytes yson = YtArithmetic.bytes(arguments[0]);
            if (!(YtYson.parse(yson) instanceof YsonNode.Members added)) {
                return;
            }
            if (!(sum instanceof YsonNode.Members members)) {
                sum = added;
                bytes = NODE_BYTES + yson.length();
            } else if (fits(members, added)) {
                sum = sum(members, added);
                bytes += NODE_BYTES + yson.length();
            }
        }

        private static boolean fits(YsonNode.Members sum, YsonNode.Members added) {
            for (var member : added.members().entrySet()) {
                YsonNode before = sum.members().get(member.getKey());
                boolean fits =
                        before == null
                                || (before instanceof YsonNode.Int64
                                        && member.getValue() instanceof YsonNode.Int64)
                                || (before instanceof YsonNode.Members left
                                        && member.getValue() instanceof YsonNode.Members right
                                        && fits(left, right));
                if (!fits) {
                    return false;
                }
            }
            return true;
        }

        private static YsonNode.Members sum(YsonNode.Members sum, YsonNode.Members added) {
            var members = new LinkedHashMap<>(sum.members());
            added.members()
                    .forEach(
                            (name, value) -> {
                                YsonNode both = sum(members.get(name), value);
                                boolean empty =
                                        both instanceof YsonNode.Int64(long number)
                                                ? number == 0
                                                : both instanceof YsonNode.Members inner
                                                        && inner.members().isEmpty();
                                if (empty && members.containsKey(name)) {
                                    members.remove(name);
                                } else {
                                    members.put(name, both);
                                }
                            });
            return new YsonNode.Members(members);
        }

        private static YsonNode sum(@Nullable YsonNode before, YsonNode added) {
            return switch (before) {
                case YsonNode.Int64(long number) when added instanceof YsonNode.Int64(long more) ->
                        new YsonNode.Int64(number + more);
                case YsonNode.Members left when added instanceof YsonNode.Members right ->
                        sum(left, right);
                case null, default -> added;
            };
        }

        @Override
        public Value result() {
            return sum instanceof YsonNode.Members ? YtYson.value(sum) : Value.Null.NULL;
        }

        @Override
        public long keptBytes() {
            return bytes;
        }
    }
}
