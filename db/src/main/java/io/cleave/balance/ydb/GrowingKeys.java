package io.cleave.balance.ydb;

import io.cleave.balance.BalanceSettings;
import io.cleave.balance.Figure;
import io.cleave.balance.KeyFacts.Access;
import io.cleave.balance.KeyFacts.KeySample;
import io.cleave.base.Bytes;
import io.cleave.value.Ints;
import io.cleave.value.KeyCodec;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Keys that steadily grow or fall: most of the later writes go beyond all earlier ones, so they
/// all go to one tablet wherever it is split. A short bulk load in key order does not count,
/// because it is over before a split would help. Therefore the writes must be spread over several
/// parts of the load window.
///
/// @param frontier the furthest key so far
/// @param share the share of the later writes that went beyond the earlier ones
/// @param ahead where the keys will be after `tailHorizon`; empty if that cannot be predicted
record GrowingKeys(Way way, Bytes frontier, double share, Optional<Bytes> ahead) {
    /// The load window is divided into PARTS; at least LEAST_PARTS of them must have writes.
    private static final int PARTS = 10;

    private static final int LEAST_PARTS = 3;

    /// The direction in which the keys move.
    enum Way {
        UP,
        DOWN;

        /// Whether a key is further in this direction than another.
        boolean isBeyond(Bytes key, Bytes other) {
            return order().compare(key, other) > 0;
        }

        private Comparator<Bytes> order() {
            return switch (this) {
                case UP -> Comparator.naturalOrder();
                case DOWN -> Comparator.reverseOrder();
            };
        }

        /// The direction as a verb, for messages.
        String verb() {
            return switch (this) {
                case UP -> "grow";
                case DOWN -> "fall";
            };
        }
    }

    Figure figure() {
        String where =
                switch (way) {
                    case UP -> "beyond";
                    case DOWN -> "below";
                };
        return Figure.share("writes " + where + " all earlier keys", share, Thresholds.TAIL_SHARE);
    }

    /// Empty if the keys do not grow, or if most samples are not writes.
    static Optional<GrowingKeys> find(
            List<Type> types, List<KeySample> samples, BalanceSettings settings) {
        List<KeySample> writes =
                samples.stream()
                        .filter(sample -> sample.access() == Access.WRITE)
                        .sorted(Comparator.comparingLong(KeySample::micros))
                        .toList();
        if (writes.size() < Thresholds.MIN_SAMPLES || writes.size() * 2 < samples.size()) {
            return Optional.empty();
        }
        if (parts(writes, settings.loadWindow()) < LEAST_PARTS) {
            return Optional.empty();
        }
        Duration horizon = settings.tailHorizon();
        return find(Way.UP, types, writes, horizon)
                .or(() -> find(Way.DOWN, types, writes, horizon));
    }

    /// The number of parts of the load window that have writes.
    private static long parts(List<KeySample> writes, Duration window) {
        long partMicros = Math.max(1, window.toNanos() / 1000 / PARTS);
        long first = writes.getFirst().micros();
        return writes.stream()
                .mapToLong(write -> (write.micros() - first) / partMicros)
                .distinct()
                .count();
    }

    private static Optional<GrowingKeys> find(
            Way way, List<Type> types, List<KeySample> writes, Duration horizon) {
        List<KeySample> earlier = writes.subList(0, writes.size() / 2);
        List<KeySample> later = writes.subList(writes.size() / 2, writes.size());
        Bytes before = furthest(way, earlier);
        long beyond = later.stream().filter(s -> way.isBeyond(s.key(), before)).count();
        double share = (double) beyond / later.size();
        if (share <= Thresholds.TAIL_SHARE) {
            return Optional.empty();
        }
        Bytes frontier = furthest(way, later);
        long micros = later.getLast().micros() - earlier.getLast().micros();
        double times = micros <= 0 ? 1 : (double) horizon.toNanos() / 1000 / micros;
        return Optional.of(
                new GrowingKeys(
                        way,
                        frontier,
                        share,
                        Optional.ofNullable(
                                        ahead(way, new KeyColumns(types), before, frontier, times))
                                .filter(key -> !way.isBeyond(frontier, key))));
    }

    private static Bytes furthest(Way way, List<KeySample> samples) {
        return samples.stream().map(KeySample::key).max(way.order()).orElseThrow();
    }

    /// Extrapolates the first column that changed, by `times` the distance it has moved. A text
    /// cannot be extrapolated: the cut is right at the last one.
    private static @Nullable Bytes ahead(
            Way way, KeyColumns columns, Bytes before, Bytes frontier, double times) {
        Value[] from = columns.decode(before).orElse(null);
        Value[] to = columns.decode(frontier).orElse(null);
        if (from == null || to == null) {
            return null;
        }
        int column = 0;
        int count = Math.min(from.length, to.length);
        while (column < count && from[column].equals(to[column])) {
            column++;
        }
        if (column == count) {
            return null;
        }
        Value next =
                further(
                        way,
                        columns.types().get(column).unwrapped(),
                        from[column],
                        to[column],
                        times);
        if (next == null) {
            return null;
        }
        Value[] values = Arrays.copyOf(to, column + 1);
        values[column] = next;
        return KeyCodec.encode(columns.types(), values);
    }

    private static @Nullable Value further(Way way, Type type, Value from, Value to, double times) {
        return switch (to) {
            case Value.Int(long number) when type instanceof Primitive primitive -> {
                long start = from instanceof Value.Int(long known) ? known : number;
                yield further(way, primitive, start, number, times);
            }
            case Value.Text(String text) when type == Primitive.UTF8 ->
                    way == Way.UP ? Value.text(text + '\0') : to;
            case Value.Binary(Bytes bytes) -> way == Way.UP ? Value.binary(bytes.successor()) : to;
            default -> null;
        };
    }

    private static @Nullable Value further(
            Way way, Primitive type, long from, long to, double times) {
        // A long shows the upper half of Uint64 as negative numbers.
        boolean unsigned = !Ints.isSigned(type);
        BigInteger at = Ints.number(unsigned, to);
        BigInteger moved = at.subtract(Ints.number(unsigned, from)).abs();
        BigInteger step =
                new BigDecimal(moved)
                        .multiply(BigDecimal.valueOf(times))
                        .toBigInteger()
                        .max(BigInteger.ONE);
        BigInteger next =
                switch (way) {
                    case UP -> at.add(step);
                    case DOWN -> at.subtract(step);
                };
        boolean isLegal =
                next.compareTo(Ints.number(unsigned, Ints.min(type))) > 0
                        && next.compareTo(Ints.number(unsigned, Ints.max(type))) < 0;
        return isLegal ? Value.of(next.longValue()) : null;
    }
}
