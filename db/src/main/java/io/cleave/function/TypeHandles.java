package io.cleave.function;

import io.cleave.base.Bytes;
import io.cleave.base.Issue.Position;
import io.cleave.base.StatusException;
import io.cleave.function.call.FunctionCall;
import io.cleave.function.call.Lists;
import io.cleave.function.call.Registry;
import io.cleave.function.call.Texts;
import io.cleave.function.call.TypeExpressions;
import io.cleave.typed.Errors;
import io.cleave.typed.Typed;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;
import io.cleave.yql.Expression;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/// Types as values. YDB has a resource for a type; Cleave uses a tagged String with the text of the
/// type. Functions split and combine handles. EvaluateType converts a handle that is known at
/// compile time to a type.
final class TypeHandles {
    private static final Type STRINGS = new Type.ListOf(Primitive.STRING);
    private static final Type.Struct MEMBER =
            new Type.Struct(
                    List.of(
                            new Type.Member("Name", Primitive.STRING),
                            new Type.Member("Type", TypeExpressions.HANDLE)));
    private static final Type.Struct DICT =
            new Type.Struct(
                    List.of(
                            new Type.Member("Key", TypeExpressions.HANDLE),
                            new Type.Member("Payload", TypeExpressions.HANDLE)));
    private static final Type.Struct TAGGED =
            new Type.Struct(
                    List.of(
                            new Type.Member("Base", TypeExpressions.HANDLE),
                            new Type.Member("Tag", Primitive.STRING)));

    private TypeHandles() {}

    static void register(Registry registry) {
        registry.add("TypeHandle", TypeHandles::handle);
        registry.add("ParseTypeHandle", TypeHandles::parse);
        registry.add("TypeKind", c -> of(c, Primitive.STRING, type -> text(kind(type))));
        registry.add("DataTypeComponents", c -> of(c, STRINGS, type -> components(c, type)));
        registry.add("TupleTypeComponents", c -> of(c, handles(), type -> items(c, type)));
        registry.add(
                "StructTypeComponents", c -> of(c, new Type.ListOf(MEMBER), t -> members(c, t)));
        registry.add("DictTypeComponents", c -> of(c, DICT, type -> dict(c, type)));
        registry.add("TaggedTypeComponents", c -> of(c, TAGGED, type -> tagged(c, type)));
        registry.add(
                "OptionalTypeHandle",
                c -> of(c, TypeExpressions.HANDLE, t -> value(new Type.Optional(t))));
        registry.add(
                "ListTypeHandle",
                c -> of(c, TypeExpressions.HANDLE, t -> value(new Type.ListOf(t))));
        registry.add("VariantTypeHandle", c -> of(c, TypeExpressions.HANDLE, t -> variant(c, t)));
        registry.add("VoidTypeHandle", c -> unit(c, Type.Unit.VOID));
        registry.add("NullTypeHandle", c -> unit(c, Type.Unit.NULL));
        registry.add("EmptyListTypeHandle", c -> unit(c, Type.Unit.EMPTY_LIST));
        registry.add("EmptyDictTypeHandle", c -> unit(c, Type.Unit.EMPTY_DICT));
        registry.add("DataTypeHandle", TypeHandles::dataType);
        registry.add("TupleTypeHandle", TypeHandles::tuple);
        registry.add("StructTypeHandle", TypeHandles::struct);
        registry.add("DictTypeHandle", TypeHandles::dictOf);
        registry.add("TaggedTypeHandle", TypeHandles::taggedOf);
        registry.add("LambdaArgumentsCount", c -> lambdaCount(c, l -> l.parameters().size()));
        registry.add(
                "LambdaOptionalArgumentsCount",
                c -> lambdaCount(c, Expression.Lambda::optionalCount));
    }

    private static Type handles() {
        return new Type.ListOf(TypeExpressions.HANDLE);
    }

    private static Value text(String text) {
        return Value.binary(Bytes.utf8(text));
    }

    static Value value(Type type) {
        return text(type.text());
    }

    /// Like [#value], but refuses a type whose text would be parsed as another type because of its
    /// names.
    private static Value checked(Position at, Type type) {
        Value handle = value(type);
        if (!type(at, handle).equals(type)) {
            throw Errors.unsupported(at, "A handle of " + type.text());
        }
        return handle;
    }

    /// The type that a handle is of.
    static Type type(Position at, Value handle) {
        return TypeExpressions.parsed(at, Texts.of(handle));
    }

    private static Typed lambdaCount(
            FunctionCall call, Function<Expression.Lambda, Integer> count) {
        call.expect(1);
        Expression.Lambda lambda =
                call.writtenLambda(0)
                        .orElseThrow(() -> call.error("Expected lambda in " + call.name()));
        return new Typed.Constant(Primitive.UINT32, Value.of(count.apply(lambda)));
    }

    private static Typed handle(FunctionCall call) {
        call.expect(1);
        return new Typed.Constant(TypeExpressions.HANDLE, checked(call.at(), call.typeArgument(0)));
    }

    private static Typed unit(FunctionCall call, Type type) {
        call.expect(0);
        return new Typed.Constant(TypeExpressions.HANDLE, value(type));
    }

    private static Typed parse(FunctionCall call) {
        call.expect(1);
        var at = call.at();
        return call.strict(
                TypeExpressions.HANDLE,
                List.of(call.as(0, Primitive.STRING)),
                a -> value(TypeExpressions.parsed(at, Texts.of(a[0]))));
    }

    /// The argument; throws if it does not have the given type.
    private static Typed argument(FunctionCall call, int index, Type type) {
        Typed value = call.value(index);
        if (!value.type().unwrapped().equals(type)) {
            throw call.error(
                    "Expected %s as argument %d of %s, but got: %s"
                            .formatted(
                                    type.equals(TypeExpressions.HANDLE)
                                            ? "a type handle"
                                            : type.text(),
                                    index + 1,
                                    call.name(),
                                    value.type().text()));
        }
        return value;
    }

    private static Typed of(FunctionCall call, Type result, Function<Type, Value> step) {
        call.expect(1);
        var at = call.at();
        return call.strict(
                result,
                List.of(argument(call, 0, TypeExpressions.HANDLE)),
                a -> step.apply(type(at, a[0])));
    }

    private static String kind(Type type) {
        return switch (type) {
            case Primitive _, Type.Decimal _ -> "Data";
            case Type.Optional _ -> "Optional";
            case Type.ListOf _ -> "List";
            case Type.Tuple _ -> "Tuple";
            case Type.Struct _ -> "Struct";
            case Type.Dict _ -> "Dict";
            case Type.Variant _ -> "Variant";
            case Type.Tagged _ -> "Tagged";
            case Type.Unit unit -> unit.text();
        };
    }

    private static StatusException another(FunctionCall call, Type type) {
        return Errors.failure(
                call.at(), "%s of another type: %s".formatted(call.name(), type.text()));
    }

    private static Value components(FunctionCall call, Type type) {
        return switch (type) {
            case Type.Decimal(int precision, int scale) ->
                    Value.items(
                            List.of(
                                    text("Decimal"),
                                    text(Integer.toString(precision)),
                                    text(Integer.toString(scale))));
            case Primitive primitive -> Value.items(List.of(text(primitive.text())));
            default -> throw another(call, type);
        };
    }

    private static Value items(FunctionCall call, Type type) {
        if (type instanceof Type.Tuple(List<Type> types)) {
            return Value.items(types.stream().map(TypeHandles::value).toList());
        }
        throw another(call, type);
    }

    private static Value members(FunctionCall call, Type type) {
        if (type instanceof Type.Struct(List<Type.Member> members)) {
            return Value.items(
                    members.stream()
                            .map(m -> Value.items(List.of(text(m.name()), value(m.type()))))
                            .toList());
        }
        throw another(call, type);
    }

    private static Value dict(FunctionCall call, Type type) {
        if (type instanceof Type.Dict(Type key, Type payload)) {
            return Value.items(List.of(value(key), value(payload)));
        }
        throw another(call, type);
    }

    private static Value tagged(FunctionCall call, Type type) {
        if (type instanceof Type.Tagged(String tag, Type base)) {
            return Value.items(List.of(value(base), text(tag)));
        }
        throw another(call, type);
    }

    private static Value variant(FunctionCall call, Type type) {
        if (type instanceof Type.Tuple || type instanceof Type.Struct) {
            return value(new Type.Variant(type));
        }
        throw another(call, type);
    }

    /// `DataTypeHandle(["Decimal", "22", "9"])`.
    private static Typed dataType(FunctionCall call) {
        call.expect(1);
        var at = call.at();
        return call.strict(
                TypeExpressions.HANDLE,
                List.of(argument(call, 0, STRINGS)),
                a -> {
                    List<String> parts = Lists.items(a[0]).stream().map(Texts::of).toList();
                    if (parts.isEmpty()) {
                        throw Errors.failure(at, "DataTypeHandle: the argument is empty");
                    }
                    String rest = String.join(",", parts.subList(1, parts.size()));
                    Type type =
                            TypeExpressions.parsed(
                                    at,
                                    parts.getFirst() + (rest.isEmpty() ? "" : "(" + rest + ")"));
                    if (!(type instanceof Primitive) && !(type instanceof Type.Decimal)) {
                        throw another(call, type);
                    }
                    return value(type);
                });
    }

    private static Typed tuple(FunctionCall call) {
        call.expect(1);
        var at = call.at();
        return call.strict(
                TypeExpressions.HANDLE,
                List.of(argument(call, 0, handles())),
                a -> {
                    var types = new ArrayList<Type>();
                    Lists.items(a[0]).forEach(item -> types.add(type(at, item)));
                    return value(new Type.Tuple(types));
                });
    }

    private static Typed struct(FunctionCall call) {
        call.expect(1);
        var at = call.at();
        return call.strict(
                TypeExpressions.HANDLE,
                List.of(argument(call, 0, new Type.ListOf(MEMBER))),
                a -> {
                    var members = new ArrayList<Type.Member>();
                    for (Value item : Lists.items(a[0])) {
                        List<Value> parts = Lists.items(item);
                        members.add(
                                new Type.Member(
                                        Texts.of(parts.getFirst()), type(at, parts.get(1))));
                    }
                    return checked(at, new Type.Struct(members));
                });
    }

    private static Typed dictOf(FunctionCall call) {
        call.expect(2);
        var at = call.at();
        return call.strict(
                TypeExpressions.HANDLE,
                List.of(
                        argument(call, 0, TypeExpressions.HANDLE),
                        argument(call, 1, TypeExpressions.HANDLE)),
                a -> value(new Type.Dict(type(at, a[0]), type(at, a[1]))));
    }

    private static Typed taggedOf(FunctionCall call) {
        call.expect(2);
        var at = call.at();
        return call.strict(
                TypeExpressions.HANDLE,
                List.of(argument(call, 0, TypeExpressions.HANDLE), call.as(1, Primitive.STRING)),
                a -> checked(at, new Type.Tagged(Texts.of(a[1]), type(at, a[0]))));
    }
}
