package io.cleave.function.container;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.Bytes;
import io.cleave.typed.CompileTimeRun;
import io.cleave.typed.ScalarFunction;
import io.cleave.value.HashKey;
import io.cleave.value.Order;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/// A dict that is hashed finds what one finds by looking at its pairs one after the other, also
/// between types that compare.
class DictSearchTest {
    private static final List<List<Type>> COMPARABLE =
            List.of(
                    List.of(
                            Primitive.INT8,
                            Primitive.INT64,
                            Primitive.UINT64,
                            Primitive.DOUBLE,
                            Primitive.INT32.optional()),
                    List.of(Primitive.UTF8, Primitive.STRING, Primitive.UTF8.optional()),
                    List.of(Primitive.DATE, Primitive.TIMESTAMP, Primitive.DATETIME.optional()),
                    List.of(
                            new Type.Tuple(List.of(Primitive.INT32, Primitive.DOUBLE)),
                            new Type.Tuple(List.of(Primitive.UINT64.optional(), Primitive.INT8))));

    /// Remembers, as a query does.
    private static final class Remembering implements ScalarFunction.Run {
        private final Map<Object, Object> known = new HashMap<>();
        private final CompileTimeRun other = new CompileTimeRun();

        @Override
        public long nowMicros() {
            return other.nowMicros();
        }

        @Override
        public String user() {
            return other.user();
        }

        @Override
        public double randomDouble() {
            return other.randomDouble();
        }

        @Override
        public long randomLong() {
            return other.randomLong();
        }

        @Override
        public void pass(int steps) {}

        @Override
        public <T> T remember(Object owner, Class<T> kind, Supplier<T> maker) {
            return kind.cast(known.computeIfAbsent(owner, _ -> maker.get()));
        }
    }

    @Test
    void findsTheSameByHash() {
        long seed = Long.getLong("seed", new Random().nextLong());
        var random = new SplittableRandom(seed);
        for (int round = 0; round < 300; round++) {
            List<Type> types = COMPARABLE.get(random.nextInt(COMPARABLE.size()));
            Type keyType = types.get(random.nextInt(types.size()));
            Type wantedType = types.get(random.nextInt(types.size()));
            Value dict = dict(keyType, random);
            var run = new Remembering();
            var search = new DictSearch(keyType, wantedType);
            for (int asked = 0; asked < 60; asked++) {
                Value wanted = value(wantedType, random);
                assertThat(search.find(dict, wanted, run))
                        .as("-Dseed=%d: %s in %s", seed, wanted, dict)
                        .isSameAs(byOne(dict, keyType, wanted, wantedType));
            }
        }
    }

    @Test
    void eachRowMayHaveADictOfItsOwn() {
        var run = new Remembering();
        var search = new DictSearch(Primitive.INT32, Primitive.INT32);
        var random = new SplittableRandom(1);
        List<Value> dicts = List.of(dict(Primitive.INT32, random), dict(Primitive.INT32, random));
        for (int row = 0; row < 400; row++) {
            Value dict = dicts.get(row / 3 % 2);
            Value wanted = value(Primitive.INT32, random);
            assertThat(search.find(dict, wanted, run))
                    .isSameAs(byOne(dict, Primitive.INT32, wanted, Primitive.INT32));
        }
    }

    private static Value.Pair byOne(Value dict, Type keyType, Value wanted, Type wantedType) {
        for (Value.Pair pair : ((Value.Pairs) dict).pairs()) {
            if (Order.compare(keyType, pair.key(), wantedType, wanted) == 0) {
                return pair;
            }
        }
        return null;
    }

    private static Value dict(Type keyType, SplittableRandom random) {
        var pairs = new ArrayList<Value.Pair>();
        var seen = new HashSet<Value>();
        for (int index = 0; index < 30; index++) {
            Value key = value(keyType, random);
            if (seen.add(HashKey.ofGroup(keyType, key))) {
                pairs.add(new Value.Pair(key, Value.of(index)));
            }
        }
        return new Value.Pairs(pairs);
    }

    private static Value value(Type type, SplittableRandom random) {
        if (type.isOptional() && random.nextInt(8) == 0) {
            return Value.Null.NULL;
        }
        return switch (type.unwrapped()) {
            case Type.Tuple(List<Type> items) ->
                    Value.items(items.stream().map(item -> value(item, random)).toList());
            case Primitive.UTF8 -> Value.text("w" + random.nextInt(40));
            case Primitive.STRING -> Value.binary(Bytes.utf8("w" + random.nextInt(40)));
            case Primitive.DATE -> Value.of(random.nextInt(3));
            case Primitive.DATETIME -> Value.of(random.nextInt(5) * 43_200L);
            case Primitive.TIMESTAMP -> Value.of(random.nextInt(5) * 43_200_000_000L);
            case Primitive.DOUBLE ->
                    switch (random.nextInt(20)) {
                        case 0 -> Value.of(Double.NaN);
                        case 1 -> Value.of(-0.0);
                        case 2 -> Value.of(0x1p63);
                        case 3 -> Value.of(0.5);
                        default -> Value.of((double) random.nextInt(-20, 20));
                    };
            case Primitive.UINT64 ->
                    Value.of(random.nextInt(8) == 0 ? Long.MIN_VALUE : random.nextInt(20));
            default -> Value.of(random.nextInt(-20, 20));
        };
    }
}
