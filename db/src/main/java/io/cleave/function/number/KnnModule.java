package io.cleave.function.number;

import io.cleave.base.Bytes;
import io.cleave.function.call.FunctionCall;
import io.cleave.function.call.Lists;
import io.cleave.function.call.Numbers;
import io.cleave.function.call.Registry;
import io.cleave.function.call.Texts;
import io.cleave.typed.Typed;
import io.cleave.value.CommonType;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.util.ArrayList;
import java.util.List;

/// The module `Knn`: vectors stored in Strings, and their distances and similarities.
public final class KnnModule {
    private static final String MODULE = "Knn";

    private static final Type FLOATS = new Type.ListOf(Primitive.FLOAT);

    @FunctionalInterface
    private interface Measure {
        double of(KnnVector left, KnnVector right);
    }

    private KnnModule() {}

    public static void register(Registry registry) {
        write(registry, "ToBinaryStringFloat", Primitive.FLOAT, KnnVector.Format.FLOAT);
        write(registry, "ToBinaryStringUint8", Primitive.UINT8, KnnVector.Format.UINT8);
        write(registry, "ToBinaryStringInt8", Primitive.INT8, KnnVector.Format.INT8);
        registry.add(MODULE, "ToBinaryStringBit", KnnModule::writeBits);
        registry.add(MODULE, "FloatFromBinaryString", KnnModule::read);
        measure(registry, "InnerProductSimilarity", KnnVector::product);
        measure(registry, "CosineSimilarity", KnnVector::cosine);
        measure(registry, "CosineDistance", (left, right) -> 1 - left.cosine(right));
        measure(registry, "ManhattanDistance", KnnVector::manhattan);
        measure(registry, "EuclideanDistance", KnnVector::euclidean);
    }

    private static void write(
            Registry registry, String name, Primitive item, KnnVector.Format format) {
        registry.add(
                MODULE,
                name,
                call -> {
                    call.expect(1);
                    return written(call, call.as(0, new Type.ListOf(item)), format);
                });
    }

    private static Typed writeBits(FunctionCall call) {
        call.expect(1);
        boolean numbers =
                call.bare(0) instanceof Type.ListOf(Type item) && CommonType.isNumber(item);
        Typed list = numbers ? call.value(0) : call.as(0, FLOATS);
        return written(call, list, KnnVector.Format.BIT);
    }

    private static Typed written(FunctionCall call, Typed list, KnnVector.Format format) {
        return call.strict(
                new Type.Tagged(format.tag(), Primitive.STRING),
                List.of(list),
                a -> Value.binary(KnnVector.write(format, numbers(a[0]))));
    }

    private static double[] numbers(Value list) {
        List<Value> items = Lists.items(list);
        double[] numbers = new double[items.size()];
        for (int index = 0; index < numbers.length; index++) {
            numbers[index] = Numbers.real(items.get(index), false);
        }
        return numbers;
    }

    /// NULL for bit vectors, for empty vectors, and for invalid ones.
    private static Typed read(FunctionCall call) {
        call.expect(1);
        return call.strict(
                FLOATS.optional(),
                List.of(vector(call, 0)),
                a -> {
                    Bytes bytes = Texts.bytes(a[0]);
                    KnnVector vector = KnnVector.read(bytes).orElse(KnnVector.NONE);
                    if (vector.format() == KnnVector.Format.BIT || vector.size() == 0) {
                        return Value.Null.NULL;
                    }
                    var items = new ArrayList<Value>();
                    for (int index = 0; index < vector.size(); index++) {
                        items.add(Value.of(vector.at(index)));
                    }
                    return Value.items(items);
                });
    }

    /// The result is NULL for vectors of different formats or lengths.
    private static void measure(Registry registry, String name, Measure measure) {
        registry.add(
                MODULE,
                name,
                call -> {
                    call.expect(2);
                    List<Typed> arguments = List.of(vector(call, 0), vector(call, 1));
                    refuseDifferentTags(call);
                    return call.strict(
                            Primitive.FLOAT.optional(),
                            arguments,
                            a -> {
                                KnnVector left =
                                        KnnVector.read(Texts.bytes(a[0])).orElse(KnnVector.NONE);
                                KnnVector right =
                                        KnnVector.read(Texts.bytes(a[1])).orElse(KnnVector.NONE);
                                return left.isLike(right)
                                        ? Value.of((double) (float) measure.of(left, right))
                                        : Value.Null.NULL;
                            });
                });
    }

    private static void refuseDifferentTags(FunctionCall call) {
        if (call.bare(0) instanceof Type.Tagged(String left, _)
                && call.bare(1) instanceof Type.Tagged(String right, _)
                && !left.equals(right)) {
            throw call.error(
                    "Arguments should have same tags, but '%s' is not equal to '%s'"
                            .formatted(left, right));
        }
    }

    /// A String argument, with or without the tag of a vector.
    private static Typed vector(FunctionCall call, int index) {
        return call.bare(index) instanceof Type.Tagged(_, Type base) && base == Primitive.STRING
                ? call.value(index)
                : call.as(index, Primitive.STRING);
    }
}
