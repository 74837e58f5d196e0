package io.cleave.function;

import io.cleave.base.Bytes;
import io.cleave.base.Issue.Position;
import io.cleave.function.call.FunctionCall;
import io.cleave.function.call.Registry;
import io.cleave.function.call.Texts;
import io.cleave.function.call.TypeExpressions;
import io.cleave.typed.Errors;
import io.cleave.typed.ScalarFunction;
import io.cleave.typed.Typed;
import io.cleave.typed.TypedTree;
import io.cleave.typed.ValueSizes;
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

/// FormatType, and the functions that convert values to bytes and back.
final class TypeFunctions {
    /// Functions on types that are not supported, on code, and on the compilation of the query.
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

    static void register(Registry registry) {
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
                                call.at(), "A type as a value (" + call.name() + ")");
                    });
        }
        for (String name : REFUSED) {
            registry.refuse(name);
        }
    }

    /// `FormatType(TypeOf(x))`. A type is not a value, so its argument is a type expression; a type
    /// handle is a value and is also accepted.
    private static Typed format(FunctionCall call) {
        call.expect(1);
        if (call.findType(0).isEmpty() && call.bare(0).equals(TypeExpressions.HANDLE)) {
            return call.strict(Primitive.STRING, List.of(call.value(0)), a -> a[0]);
        }
        return new Typed.Constant(
                Primitive.STRING, Value.binary(Bytes.utf8(call.typeArgument(0).text())));
    }

    /// `InstanceOf(Type)`: has only a type, for use in TypeOf. Evaluating it fails.
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
                        || Texts.isString(primitive))) {
            return primitive;
        }
        throw call.error("%s of type %s has no bytes".formatted(call.name(), type.text()));
    }

    /// The bytes of a primitive value in little-endian order.
    private static Typed toBytes(FunctionCall call) {
        call.expect(1);
        Primitive type = primitive(call, call.bare(0));
        return call.strict(
                Primitive.STRING, List.of(call.value(0)), a -> Value.binary(bytes(type, a[0])));
    }

    private static Bytes bytes(Primitive type, Value value) {
        if (Texts.isString(type)) {
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
        return Bytes.copyOf(out.array(), 0, Ints.fixedBytes(type));
    }

    /// `FromBytes(bytes, Type)`; NULL if the number of bytes is wrong or they are not a valid
    /// value.
    private static Typed fromBytes(FunctionCall call) {
        call.expect(2);
        Primitive type = primitive(call, call.typeArgument(1));
        return call.strict(
                type.optional(),
                List.of(call.as(0, Primitive.STRING)),
                a -> value(type, Texts.bytes(a[0])));
    }

    private static Value value(Primitive type, Bytes bytes) {
        if (Texts.isString(type)) {
            return Texts.value(type, bytes);
        }
        if (bytes.length() != Ints.fixedBytes(type)) {
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
                int shift = Long.SIZE - Ints.fixedBytes(type) * Byte.SIZE;
                long number =
                        Ints.isSigned(type) ? bits << shift >> shift : bits << shift >>> shift;
                yield type == Primitive.UINT64 || Ints.fits(type, number)
                        ? Value.of(number)
                        : Value.Null.NULL;
            }
        };
    }

    /// Serializes a value of any type, including NULL.
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
                                                        "Unpickle: the bytes are not a pickled "
                                                                + type.text())));
    }

    /// Constants are evaluated when the query is compiled anyway, so this returns its argument.
    private static Typed evaluate(FunctionCall call) {
        call.expect(1, 2);
        if (!TypedTree.isFixedInRun(call.value(0))) {
            throw call.error("EvaluateExpr of what is not known before the query runs");
        }
        return call.value(0);
    }
}
