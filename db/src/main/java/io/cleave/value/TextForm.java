package io.cleave.value;

import io.cleave.base.Bytes;
import io.cleave.value.Type.Primitive;

import java.util.List;
import java.util.StringJoiner;

/// Prints values as text, for CAST to Utf8 and for shells. Containers look as in YQL: `[1,2]`,
/// `(1,"x")` without the quotes, `<|a:1|>`, `{k:v}`.
public final class TextForm {
    private TextForm() {}

    /// NULL prints as `NULL`. Bytes that are not UTF-8 print with replacement characters.
    public static String print(Type type, Value value) {
        if (value.isNull()) {
            return printUnit(type);
        }
        return switch (type) {
            case Primitive primitive -> printPrimitive(primitive, value);
            case Type.Decimal decimal -> DecimalMath.print(decimal, (Value.Int128) value);
            case Type.Optional(Type item) ->
                    print(item, value instanceof Value.Just(Value inner) ? inner : value);
            case Type.ListOf(Type item) -> {
                var out = new StringJoiner(",", "[", "]");
                items(value).forEach(element -> out.add(print(item, element)));
                yield out.toString();
            }
            case Type.Tuple(List<Type> types) -> {
                var out = new StringJoiner(",", "(", ")");
                List<Value> items = items(value);
                for (int index = 0; index < items.size(); index++) {
                    out.add(print(types.get(index), items.get(index)));
                }
                yield out.toString();
            }
            case Type.Struct(List<Type.Member> members) -> {
                var out = new StringJoiner(",", "<|", "|>");
                List<Value> items = items(value);
                for (int index = 0; index < items.size(); index++) {
                    Type.Member member = members.get(index);
                    out.add(member.name() + ":" + print(member.type(), items.get(index)));
                }
                yield out.toString();
            }
            case Type.Dict(Type key, Type payload) -> {
                var out = new StringJoiner(",", "{", "}");
                for (Value.Pair pair : ((Value.Pairs) value).pairs()) {
                    out.add(print(key, pair.key()) + ":" + print(payload, pair.payload()));
                }
                yield out.toString();
            }
            case Type.Variant(Type choices) -> {
                var choice = (Value.Choice) value;
                if (choices instanceof Type.Struct(List<Type.Member> members)) {
                    Type.Member member = members.get(choice.index());
                    yield member.name() + "=" + print(member.type(), choice.value());
                }
                Type chosen = ((Type.Tuple) choices).items().get(choice.index());
                yield choice.index() + "=" + print(chosen, choice.value());
            }
            case Type.Tagged(_, Type base) -> print(base, value);
            case Type.Unit _ -> printUnit(type);
        };
    }

    private static String printUnit(Type type) {
        return switch (type) {
            case Type.Unit.VOID -> "Void";
            case Type.Unit.EMPTY_LIST -> "[]";
            case Type.Unit.EMPTY_DICT -> "{}";
            default -> "NULL";
        };
    }

    private static String printPrimitive(Primitive type, Value value) {
        return switch (value) {
            case Value.Bool(boolean bool) -> bool ? "true" : "false";
            case Value.Int(long number) -> {
                if (PrimitiveCast.isMoment(type)) {
                    yield DateText.print(type, number);
                }
                if (PrimitiveCast.isInterval(type)) {
                    yield IntervalText.print(number);
                }
                yield type == Primitive.UINT64
                        ? Long.toUnsignedString(number)
                        : Long.toString(number);
            }
            case Value.Real(double real) ->
                    type == Primitive.FLOAT ? RealText.print((float) real) : RealText.print(real);
            case Value.Int128 wide -> UuidText.print(wide);
            case Value.Text(String text) -> text;
            case Value.Binary(Bytes bytes) -> bytes.utf8();
            default -> throw new IllegalArgumentException("not a value of " + type.text());
        };
    }

    private static List<Value> items(Value value) {
        return ((Value.Items) value).items();
    }
}
