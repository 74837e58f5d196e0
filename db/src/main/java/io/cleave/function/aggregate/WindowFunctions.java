package io.cleave.function.aggregate;

import io.cleave.base.Issue.Position;
import io.cleave.base.StatusException;
import io.cleave.function.call.ArgumentChecks;
import io.cleave.typed.Errors;
import io.cleave.typed.WindowCall;
import io.cleave.typed.WindowFrame;
import io.cleave.typed.WindowFunction;
import io.cleave.value.Order;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntUnaryOperator;

/// The functions that need OVER: row numbers and ranks, and values of other rows. FIRST_VALUE,
/// LAST_VALUE and NTH_VALUE read the frame; the others read the whole partition.
public final class WindowFunctions {
    /// A window function call to resolve.
    public record Call(
            Position at, String name, List<Type> types, WindowFrame frame, boolean ignoreNulls) {
        void expect(int min, int max) {
            ArgumentChecks.count(
                    at, "Window function " + name, "argument(s)", types.size(), min, max);
        }

        void expectInteger(int index) {
            ArgumentChecks.integer(at, name, types, index);
        }

        StatusException error(String message) {
            return Errors.type(at, message);
        }
    }

    public record Resolved(Type type, WindowFunction function) {}

    @FunctionalInterface
    public interface Resolver {
        Resolved resolve(Call call);
    }

    private static final Set<String> FRAMED = Set.of("firstvalue", "lastvalue", "nthvalue");

    private static final Map<String, Resolver> RESOLVERS;

    static {
        var resolvers = new HashMap<String, Resolver>();
        resolvers.put("row_number", WindowFunctions::rowNumber);
        resolvers.put("rank", call -> orderRank(call, false));
        resolvers.put("dense_rank", call -> orderRank(call, true));
        resolvers.put("percent_rank", call -> ranks(call, WindowFunctions::percentRank));
        resolvers.put("cume_dist", WindowFunctions::cumulative);
        resolvers.put("ntile", WindowFunctions::tile);
        resolvers.put("lag", call -> neighbour(call, -1));
        resolvers.put("lead", call -> neighbour(call, 1));
        resolvers.put("first_value", call -> ofFrame(call, 1));
        resolvers.put("last_value", call -> ofFrame(call, -1));
        resolvers.put("nth_value", WindowFunctions::nth);
        var plain = new HashMap<String, Resolver>();
        resolvers.forEach((name, resolver) -> plain.put(Aggregates.plainName(name), resolver));
        RESOLVERS = Map.copyOf(plain);
    }

    private WindowFunctions() {}

    public static boolean isWindowFunction(String name) {
        return RESOLVERS.containsKey(Aggregates.plainName(name));
    }

    /// Whether the function reads the frame and not the whole partition.
    public static boolean isFramed(String name) {
        return FRAMED.contains(Aggregates.plainName(name));
    }

    public static Optional<Resolver> find(String name) {
        return Optional.ofNullable(RESOLVERS.get(Aggregates.plainName(name)));
    }

    /// A call of ROW_NUMBER() that does not come from the text.
    public static WindowCall rowNumber(Position at) {
        String name = "ROW_NUMBER";
        Resolved resolved = rowNumber(new Call(at, name, List.of(), WindowFrame.WHOLE, false));
        return new WindowCall(
                name, resolved.function(), resolved.type(), List.of(), WindowFrame.WHOLE);
    }

    private static Resolved rowNumber(Call call) {
        call.expect(0, 0);
        return new Resolved(
                Primitive.UINT64,
                new RunningFunction(
                        () -> {
                            var rows = new Count();
                            return (_, _) -> Value.of(++rows.number);
                        }));
    }

    private static final class Count {
        private long number;
        private long rank;
    }

    /// RANK and DENSE_RANK by the order of the window.
    private static Resolved orderRank(Call call, boolean dense) {
        if (!call.types().isEmpty()) {
            return ranks(call, dense ? WindowFunctions::denseRank : WindowFunctions::rank);
        }
        return new Resolved(
                Primitive.UINT64,
                new RunningFunction(
                        () -> {
                            var rows = new Count();
                            return (_, peer) -> {
                                rows.number++;
                                if (!peer) {
                                    rows.rank = dense ? rows.rank + 1 : rows.number;
                                }
                                return Value.of(rows.rank);
                            };
                        }));
    }

    /// Gives the first row of the group of equal rows that a row belongs to. Rows are equal if they
    /// are peers in ORDER BY or, for a call with an argument, if they are adjacent and have equal
    /// arguments. Must be called in row order.
    @FunctionalInterface
    private interface Starts {
        IntUnaryOperator of(WindowFunction.Partition rows);
    }

    @FunctionalInterface
    private interface Ranking {
        Resolved by(Starts starts);
    }

    private static Resolved ranks(Call call, Ranking ranking) {
        call.expect(0, 1);
        if (call.types().isEmpty()) {
            return ranking.by(rows -> rows::peersFrom);
        }
        Type type = call.types().getFirst();
        if (!Order.isComparable(type, type)) {
            throw call.error(
                    "Expected comparable type in %s, but got: %s"
                            .formatted(call.name(), type.text()));
        }
        return ranking.by(
                rows -> {
                    var last = new Count();
                    return row -> {
                        if (row > 0 && !same(type, rows, row - 1, row)) {
                            last.number = row;
                        }
                        return (int) last.number;
                    };
                });
    }

    private static boolean same(Type type, WindowFunction.Partition rows, int one, int other) {
        return Order.compare(type, rows.arguments(one)[0], rows.arguments(other)[0]) == 0;
    }

    private static Resolved rank(Starts starts) {
        return new Resolved(
                Primitive.UINT64,
                rows -> {
                    IntUnaryOperator from = starts.of(rows);
                    return row -> Value.of(from.applyAsInt(row) + 1L);
                });
    }

    private static Resolved denseRank(Starts starts) {
        return new Resolved(
                Primitive.UINT64,
                rows -> {
                    IntUnaryOperator from = starts.of(rows);
                    var groups = new Count();
                    return row -> {
                        groups.rank += from.applyAsInt(row) == row ? 1 : 0;
                        return Value.of(groups.rank);
                    };
                });
    }

    private static Resolved percentRank(Starts starts) {
        return new Resolved(
                Primitive.DOUBLE,
                rows -> {
                    IntUnaryOperator from = starts.of(rows);
                    double others = Math.max(1, rows.size() - 1);
                    return row -> Value.of(from.applyAsInt(row) / others);
                });
    }

    private static Resolved cumulative(Call call) {
        call.expect(0, 0);
        return new Resolved(
                Primitive.DOUBLE,
                rows -> row -> Value.of(rows.peersTo(row) / (double) rows.size()));
    }

    /// `NTILE(count)`: if the tiles cannot have equal sizes, the first ones have one more row.
    private static Resolved tile(Call call) {
        call.expect(1, 1);
        call.expectInteger(0);
        return new Resolved(
                Primitive.UINT64,
                rows -> {
                    long count = rows.arguments(0)[0] instanceof Value.Int(long n) ? n : 0;
                    if (count <= 0) {
                        throw call.error("NTILE needs a positive number of tiles");
                    }
                    long size = rows.size() / count;
                    long larger = rows.size() % count;
                    long inLarger = larger * (size + 1);
                    return row -> {
                        long tile =
                                row < inLarger
                                        ? row / (size + 1)
                                        : larger + (row - inLarger) / size;
                        return Value.of(tile + 1);
                    };
                });
    }

    /// `LAG(value, distance)` and `LEAD`; the default distance is 1.
    private static Resolved neighbour(Call call, int direction) {
        call.expect(1, 2);
        call.expectInteger(1);
        return new Resolved(
                call.types().getFirst().optional(), rows -> row -> neighbour(rows, row, direction));
    }

    private static Value neighbour(WindowFunction.Partition rows, int row, int direction) {
        Value[] arguments = rows.arguments(row);
        long distance =
                arguments.length == 1
                        ? 1
                        : arguments[1] instanceof Value.Int(long n) ? n : Long.MAX_VALUE;
        if (Math.abs(distance) < rows.size()) {
            long other = row + direction * distance;
            if (other >= 0 && other < rows.size()) {
                return rows.arguments((int) other)[0];
            }
        }
        return Value.Null.NULL;
    }

    /// FIRST_VALUE and LAST_VALUE: the first value of the frame, counted from the side that
    /// `direction` gives. With IGNORE NULLS it is the first value that is not NULL.
    private static Resolved ofFrame(Call call, int direction) {
        call.expect(1, 1);
        boolean ignoreNulls = call.ignoreNulls();
        return new Resolved(
                frameType(call), rows -> row -> nthOf(rows, row, 1, direction, ignoreNulls));
    }

    private static Type frameType(Call call) {
        Type type = call.types().getFirst();
        return call.frame().mayBeEmpty() ? type.optional() : type;
    }

    private static Resolved nth(Call call) {
        call.expect(2, 2);
        call.expectInteger(1);
        boolean ignoreNulls = call.ignoreNulls();
        return new Resolved(
                call.types().getFirst().optional(),
                rows ->
                        row -> {
                            long number =
                                    rows.arguments(row)[1] instanceof Value.Int(long n) ? n : 0;
                            if (number <= 0) {
                                throw call.error("NTH_VALUE counts from 1");
                            }
                            return nthOf(rows, row, number, 1, ignoreNulls);
                        });
    }

    private static Value nthOf(
            WindowFunction.Partition rows,
            int row,
            long number,
            int direction,
            boolean ignoreNulls) {
        int from = rows.frameFrom(row);
        int to = rows.frameTo(row);
        long left = number;
        for (int at = direction > 0 ? from : to - 1; at >= from && at < to; at += direction) {
            Value value = rows.arguments(at)[0];
            if ((!ignoreNulls || !value.isNull()) && --left == 0) {
                return value;
            }
        }
        return Value.Null.NULL;
    }
}
