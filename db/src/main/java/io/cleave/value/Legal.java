package io.cleave.value;

import io.cleave.base.Bytes;
import io.cleave.value.Type.Primitive;

import java.util.List;
import java.util.Optional;

/// Checks which values are legal for a type. Values from outside are checked once, where they enter
/// the system.
public final class Legal {
    private static final Optional<String> OK = Optional.empty();

    private Legal() {}

    /// What is wrong with the value, as the end of a sentence that begins with the name of the
    /// value; empty if it is legal.
    public static Optional<String> check(Type type, Value value) {
        return switch (type) {
            case Primitive primitive -> checkPrimitive(primitive, value);
            case Type.Decimal decimal -> {
                if (!(value instanceof Value.Int128 wide)) {
                    yield mismatch(type);
                }
                yield DecimalMath.isLegal(decimal, wide) ? OK : outOfRange(type);
            }
            case Type.Optional(Type item) -> {
                if (value.isNull()) {
                    yield OK;
                }
                yield check(item, value instanceof Value.Just(Value inner) ? inner : value);
            }
            case Type.ListOf(Type item) ->
                    value instanceof Value.Items(List<Value> items)
                            ? checkList(item, items)
                            : mismatch(type);
            case Type.Tuple(List<Type> types) -> checkItems(type, types, value);
            case Type.Struct(List<Type.Member> members) ->
                    checkItems(type, members.stream().map(Type.Member::type).toList(), value);
            case Type.Dict(Type key, Type payload) -> {
                if (!(value instanceof Value.Pairs(List<Value.Pair> pairs))) {
                    yield mismatch(type);
                }
                for (Value.Pair pair : pairs) {
                    Optional<String> problem =
                            check(key, pair.key()).or(() -> check(payload, pair.payload()));
                    if (problem.isPresent()) {
                        yield problem;
                    }
                }
                yield OK;
            }
            case Type.Variant(Type choices) -> {
                List<Type> types =
                        choices instanceof Type.Struct(List<Type.Member> members)
                                ? members.stream().map(Type.Member::type).toList()
                                : ((Type.Tuple) choices).items();
                boolean known =
                        value instanceof Value.Choice(int index, _)
                                && index >= 0
                                && index < types.size();
                if (!known) {
                    yield mismatch(type);
                }
                var choice = (Value.Choice) value;
                yield check(types.get(choice.index()), choice.value());
            }
            case Type.Tagged(_, Type base) -> check(base, value);
            case Type.Unit _ -> value.isNull() ? OK : mismatch(type);
        };
    }

    private static Optional<String> checkPrimitive(Primitive type, Value value) {
        return switch (value) {
            case Value.Int(long number) -> {
                if (Ints.bytes(type) == 0) {
                    yield mismatch(type);
                }
                yield Ints.fits(type, number) ? OK : outOfRange(type);
            }
            case Value.Bool _ -> type == Primitive.BOOL ? OK : mismatch(type);
            case Value.Real(double real) -> {
                if (type == Primitive.DOUBLE) {
                    yield OK;
                }
                if (type != Primitive.FLOAT) {
                    yield mismatch(type);
                }
                yield Double.isNaN(real) || (float) real == real ? OK : outOfRange(type);
            }
            case Value.Int128 _ -> type == Primitive.UUID ? OK : mismatch(type);
            case Value.Binary(Bytes bytes) ->
                    switch (type) {
                        case STRING -> OK;
                        case YSON -> YsonReader.isValid(bytes) ? OK : invalid(type);
                        default -> mismatch(type);
                    };
            case Value.Text(String text) -> checkText(type, text);
            case Value.Null _ -> Optional.of("is NULL, but its type is " + type.text());
            case Value.Items _, Value.Pairs _, Value.Choice _, Value.Just _ -> mismatch(type);
        };
    }

    private static Optional<String> checkText(Primitive type, String text) {
        return switch (type) {
            case UTF8 -> isUnicode(text) ? OK : invalid(type);
            case JSON -> Json.isValid(text) ? OK : invalid(type);
            default -> {
                if (type.carrier() != Type.Carrier.TEXT) {
                    yield mismatch(type);
                }
                // All other types contain only their normal form.
                boolean normal =
                        ValueParser.parse(type, text).filter(Value.text(text)::equals).isPresent();
                yield normal ? OK : invalid(type);
            }
        };
    }

    /// Whether the text has no unpaired surrogate, which cannot be encoded in UTF-8.
    static boolean isUnicode(String text) {
        for (int index = 0; index < text.length(); index++) {
            if (Character.isSurrogate(text.charAt(index))) {
                return text.codePoints().noneMatch(c -> c >= 0xD800 && c <= 0xDFFF);
            }
        }
        return true;
    }

    private static Optional<String> checkItems(Type type, List<Type> types, Value value) {
        if (!(value instanceof Value.Items(List<Value> items)) || items.size() != types.size()) {
            return mismatch(type);
        }
        for (int index = 0; index < types.size(); index++) {
            Optional<String> problem = check(types.get(index), items.get(index));
            if (problem.isPresent()) {
                return problem;
            }
        }
        return OK;
    }

    private static Optional<String> checkList(Type type, List<Value> items) {
        for (Value item : items) {
            Optional<String> problem = check(type, item);
            if (problem.isPresent()) {
                return problem;
            }
        }
        return OK;
    }

    private static Optional<String> outOfRange(Type type) {
        return Optional.of("is out of the range of " + type.text());
    }

    private static Optional<String> invalid(Type type) {
        return Optional.of("is not a valid " + type.text());
    }

    private static Optional<String> mismatch(Type type) {
        return Optional.of("is not a value of " + type.text());
    }
}
