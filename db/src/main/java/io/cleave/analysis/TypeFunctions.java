package io.cleave.analysis;

import io.cleave.base.Bytes;
import io.cleave.base.Issue.Position;
import io.cleave.value.Ints;
import io.cleave.value.Pickle;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;

/// FormatType, and the functions that go from a value to its bytes and back.
final class TypeFunctions {
    /// Types that are not here, values as code, and what a query is not told about itself.
    private static final List<String> REFUSED =
            List.of(
                    "EvaluateCode",
                    "EvaluateAtom",
                    "StreamTypeHandle",
                    "ResourceTypeTag",
                    "ResourceTypeHandle",
                    "PgTypeName",
                    "PgTypeHandle",
                    "CallableTypeComponents",
                    "CallableArgument",
                    "CallableTypeHandle",
                    "CallableArgumentType",
                    "CallableResultType",
                    "GenericType",
                    "UnitType",
                    "StreamItemType",
                    "CallableType",
                    "ResourceType",
                    "StreamType",
                    "Callable",
                    "FormatTypeDiff",
                    "ReprCode",
                    "SessionWindow",
                    "SessionState",
                    "FileContent",
                    "FilePath",
                    "FolderPath",
                    "JsonPath");

    private TypeFunctions() {}

    static void register(Functions.Registry registry) {
        registry.add("FormatType", TypeFunctions::format);
        registry.add("ToBytes", TypeFunctions::toBytes);
        registry.add("FromBytes", TypeFunctions::fromBytes);
        registry.add("Pickle", call -> pickle(call, Pickle::write));
        registry.add("StablePickle", call -> pickle(call, Pickle::writeStable));
        registry.add("Unpickle", TypeFunctions::unpickle);
        registry.add("EvaluateExpr", TypeFunctions::evaluate);
        registry.add("InstanceOf", TypeFunctions::instance);
        TypeHandles.register(registry);
        for (String name : TypeExpressions.NAMES) {
            registry.add(
                    name,
                    call -> {
                        throw Errors.unsupported(
                                call.at(), call.name() + " where a value stands: a type");
                    });
        }
        for (String name : REFUSED) {
            registry.refuse(name);
        }
    }

    /// `FormatType(TypeOf(x))`: a type is no value here, so the two go together. A handle of a type
    /// is one.
    private static Typed format(FunctionCall call) {
        call.expect(1);
        if (call.findType(0).isEmpty() && call.bare(0).equals(TypeHandles.HANDLE)) {
            return call.strict(Primitive.STRING, List.of(call.value(0)), a -> a[0]);
        }
        return new Typed.Constant(
                Primitive.STRING, Value.binary(Bytes.utf8(call.typeArgument(0).text())));
    }

    /// `InstanceOf(Type)`: only its type is of use, in TypeOf; there is no value to work with.
    private static Typed instance(FunctionCall call) {
        call.expect(1);
        Position at = call.at();
        return new Typed.Apply(
                call.typeArgument(0),
                ScalarFunction.random(
                        "InstanceOf",
                        (_, _) -> {
                            throw Errors.failure(at, "Can't execute InstanceOf");
                        }),
                List.of());
    }

    private static Primitive primitive(FunctionCall call, Type type) {
        if (type instanceof Primitive primitive
                && (Ints.bytes(primitive) > 0
                        || primitive == Primitive.BOOL
                        || primitive == Primitive.FLOAT
                        || primitive == Primitive.DOUBLE
                        || primitive == Primitive.UUID
                        || StringFunctions.isString(primitive))) {
            return primitive;
        }
        throw call.error("%s of type %s has no bytes".formatted(call.name(), type.text()));
    }

    /// The bytes of a primitive as a machine has them, the lowest first.
    private static Typed toBytes(FunctionCall call) {
        call.expect(1);
        Primitive type = primitive(call, call.bare(0));
        return call.strict(
                Primitive.STRING, List.of(call.value(0)), a -> Value.binary(bytes(type, a[0])));
    }

    private static int size(Primitive type) {
        return switch (type) {
            case BOOL -> 1;
            case FLOAT -> Float.BYTES;
            case DOUBLE -> Double.BYTES;
            case UUID -> 2 * Long.BYTES;
            default -> Ints.bytes(type);
        };
    }

    private static Bytes bytes(Primitive type, Value value) {
        if (StringFunctions.isString(type)) {
            return Texts.bytes(value);
        }
        ByteBuffer out = ByteBuffer.allocate(2 * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        switch (value) {
            case Value.Bool(boolean bool) -> out.put((byte) (bool ? 1 : 0));
            case Value.Int(long number) -> out.putLong(number);
            case Value.Real(double number) -> {
                if (type == Primitive.FLOAT) {
                    out.putFloat((float) number);
                } else {
                    out.putDouble(number);
                }
            }
            case Value.Int128(long high, long low) -> out.putLong(low).putLong(high);
            default -> throw new IllegalArgumentException(type.text());
        }
        return Bytes.copyOf(out.array(), 0, size(type));
    }

    /// `FromBytes(bytes, Type)`; NULL if they are not as many as the type has, or no value of it.
    private static Typed fromBytes(FunctionCall call) {
        call.expect(2);
        Primitive type = primitive(call, call.typeArgument(1));
        return call.strict(
                type.optional(),
                List.of(call.as(0, Primitive.STRING)),
                a -> value(type, Texts.bytes(a[0])));
    }

    private static Value value(Primitive type, Bytes bytes) {
        if (StringFunctions.isString(type)) {
            return Texts.value(type, bytes);
        }
        if (bytes.length() != size(type)) {
            return Value.Null.NULL;
        }
        byte[] all = Arrays.copyOf(bytes.array(), 2 * Long.BYTES);
        ByteBuffer in = ByteBuffer.wrap(all).order(ByteOrder.LITTLE_ENDIAN);
        return switch (type) {
            case BOOL -> Value.bool(in.get() != 0);
            case FLOAT -> Value.of((double) in.getFloat());
            case DOUBLE -> Value.of(in.getDouble());
            case UUID -> {
                long low = in.getLong();
                yield new Value.Int128(in.getLong(), low);
            }
            default -> {
                long bits = in.getLong();
                int shift = Long.SIZE - size(type) * Byte.SIZE;
                long number =
                        Ints.isSigned(type) ? bits << shift >> shift : bits << shift >>> shift;
                yield type == Primitive.UINT64 || Ints.fits(type, number)
                        ? Value.of(number)
                        : Value.Null.NULL;
            }
        };
    }

    /// A value of any type, NULL too, as bytes.
    private static Typed pickle(FunctionCall call, BiFunction<Type, Value, Bytes> writer) {
        call.expect(1);
        Type type = call.type(0);
        return call.apply(
                Primitive.STRING,
                List.of(call.value(0)),
                a -> ValueSizes.checked(Value.binary(writer.apply(type, a[0]))));
    }

    /// `Unpickle(Type, bytes)`.
    private static Typed unpickle(FunctionCall call) {
        call.expect(2);
        Type type = call.typeArgument(0);
        Position at = call.at();
        return call.strict(
                type,
                List.of(call.as(1, Primitive.STRING)),
                a ->
                        Pickle.read(type, Texts.bytes(a[0]))
                                .orElseThrow(
                                        () ->
                                                Errors.failure(
                                                        at,
                                                        "Unpickle of bytes that are not a pickled "
                                                                + type.text())));
    }

    /// Everything constant is worked out when the query is compiled anyway.
    private static Typed evaluate(FunctionCall call) {
        call.expect(1, 2);
        if (!TypedTree.isFixedInRun(call.value(0))) {
            throw call.error("EvaluateExpr of what is not known before the query runs");
        }
        return call.value(0);
    }
}
