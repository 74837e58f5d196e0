package io.cleave.function.aggregate;

import io.cleave.base.Bytes;
import io.cleave.typed.AggregateFunction;
import io.cleave.typed.AggregateFunction.Accumulator;
import io.cleave.value.HashKey;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// `CountDistinctEstimate(value [, precision])`, also HyperLogLog and HLL: the approximate number
/// of distinct values. Small numbers are counted exactly; above that, HyperLogLog with 2^precision
/// registers estimates.
final class DistinctAggregates {
    private static final int DEFAULT_PRECISION = 14;
    private static final int MIN_PRECISION = 4;
    private static final int MAX_PRECISION = 18;

    private DistinctAggregates() {}

    static void register(Map<String, Aggregates.Resolver> resolvers) {
        for (String name : List.of("countdistinctestimate", "hyperloglog", "hll")) {
            resolvers.put(name, DistinctAggregates::estimate);
        }
    }

    private static AggregateFunction estimate(Aggregates.Call call) {
        call.expect(1, 2);
        call.expectInteger(1);
        Type type = call.bare();
        return Aggregates.nullable(
                call.types().subList(0, 1), Primitive.UINT64, () -> new Estimate(call, type));
    }

    private static final class Estimate implements Accumulator {
        private static final int MAX_EXACT = 4096;

        /// The size in memory of one hash in the set.
        private static final int HASH_BYTES = 56;

        private final Aggregates.Call call;
        private final Type type;
        private final Set<Long> exact = new HashSet<>();
        private int precision = DEFAULT_PRECISION;

        /// For each register, the longest run of zeros plus one. Empty while the count is exact.
        private byte[] registers = {};

        Estimate(Aggregates.Call call, Type type) {
            this.call = call;
            this.type = type;
        }

        @Override
        public void add(Value[] arguments) {
            if (arguments[0].isNull()) {
                return;
            }
            if (arguments.length == 2 && arguments[1] instanceof Value.Int(long asked)) {
                if (asked < MIN_PRECISION || asked > MAX_PRECISION) {
                    throw call.error(
                            "The precision of %s must be from %d to %d, given: %d"
                                    .formatted(call.name(), MIN_PRECISION, MAX_PRECISION, asked));
                }
                precision = registers.length == 0 ? (int) asked : precision;
            }
            long hash = hash(HashKey.ofGroup(type, arguments[0]));
            if (registers.length > 0) {
                register(hash);
            } else if (exact.add(hash) && exact.size() > MAX_EXACT) {
                registers = new byte[1 << precision];
                exact.forEach(this::register);
                exact.clear();
            }
        }

        @Override
        public long keptBytes() {
            return (long) exact.size() * HASH_BYTES + registers.length;
        }

        private void register(long hash) {
            int index = (int) (hash >>> (Long.SIZE - precision));
            long rest = hash << precision | 1L << (precision - 1);
            byte zeros = (byte) (Long.numberOfLeadingZeros(rest) + 1);
            if (zeros > registers[index]) {
                registers[index] = zeros;
            }
        }

        @Override
        public Value result() {
            if (registers.length == 0) {
                return exact.isEmpty() ? Value.Null.NULL : Value.of(exact.size());
            }
            double sum = 0;
            int empty = 0;
            for (byte register : registers) {
                sum += Math.scalb(1.0, -register);
                empty += register == 0 ? 1 : 0;
            }
            double count = registers.length;
            double raw = 0.7213 / (1 + 1.079 / count) * count * count / sum;
            boolean sparse = raw <= 2.5 * count && empty > 0;
            return Value.of(Math.round(sparse ? count * Math.log(count / empty) : raw));
        }
    }

    /// A well mixed 64-bit hash.
    private static long hash(Value value) {
        return switch (value) {
            case Value.Int(long number) -> mixed(number);
            case Value.Real(double number) -> mixed(Double.doubleToLongBits(number));
            case Value.Text(String text) -> hash(Bytes.utf8(text));
            case Value.Binary(Bytes bytes) -> hash(bytes);
            default -> hash(Bytes.utf8(value.toString()));
        };
    }

    private static long hash(Bytes bytes) {
        long hash = 0xcbf29ce484222325L;
        for (int index = 0; index < bytes.length(); index++) {
            hash = (hash ^ (bytes.at(index) & 0xFF)) * 0x100000001b3L;
        }
        return mixed(hash);
    }

    private static long mixed(long bits) {
        long first = (bits ^ (bits >>> 33) ^ 0x9e3779b97f4a7c15L) * 0xff51afd7ed558ccdL;
        long second = (first ^ (first >>> 33)) * 0xc4ceb9fe1a85ec53L;
        return second ^ (second >>> 33);
    }
}
