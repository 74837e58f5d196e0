package io.cleave.value;

import io.cleave.base.Issue;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.value.Type.Primitive;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Implicit conversions: for a write into a column, for a parameter, for the arguments of
/// operators. No implicit conversion turns a value into NULL.
///
/// A number converts to any later type in the sequence Uint8, Int8, Uint16, Int16 … Uint64, Int64,
/// Float, Double. Between integers the bits are kept, so a negative number becomes a large one if
/// the target is unsigned; like YDB, [#warning] warns about it. Dates convert to finer or wider
/// types. Literals, whose value is known, also convert to an earlier type in the sequence if they
/// fit, and from String to Utf8, Json and Yson if they are valid.
public final class Convert {
    private Convert() {}

    /// The conversion of an expression; empty if there is none.
    public static Optional<Caster> find(Type from, Type to) {
        return find(from, to, Optional.empty());
    }

    /// As [#find(Type, Type)]; `literal` is the value if the expression is a literal.
    public static Optional<Caster> find(Type from, Type to, Optional<Value> literal) {
        if (from.equals(to)) {
            return Optional.of(Caster.IDENTITY);
        }
        if (to instanceof Type.Optional(Type item)) {
            if (from == Type.Unit.NULL) {
                return Optional.of(Caster.IDENTITY);
            }
            Type source = from.unwrapped();
            boolean flat = !source.isOptional() && !item.isOptional();
            return flat ? find(source, item, literal) : Optional.empty();
        }
        return switch (to) {
            case Primitive target ->
                    from instanceof Primitive source
                            ? primitive(source, target, literal)
                            : Optional.empty();
            case Type.Decimal(int precision, int scale) -> {
                boolean wider =
                        from instanceof Type.Decimal source
                                && source.scale() == scale
                                && source.precision() <= precision;
                yield wider ? Optional.of(Caster.IDENTITY) : Optional.empty();
            }
            case Type.ListOf(Type item) -> {
                if (from == Type.Unit.EMPTY_LIST) {
                    yield Cast.find(from, to);
                }
                yield from instanceof Type.ListOf(Type source)
                        ? list(source, item, literal)
                        : Optional.empty();
            }
            case Type.Tuple(List<Type> items) -> {
                boolean same =
                        from instanceof Type.Tuple(List<Type> sources)
                                && sources.size() == items.size()
                                && allFound(sources, items, literal);
                yield same
                        ? Optional.of(tuple((Type.Tuple) from, items, literal))
                        : Optional.empty();
            }
            case Type.Struct struct ->
                    from instanceof Type.Struct source
                            ? struct(source, struct, literal)
                            : Optional.empty();
            case Type.Dict _ ->
                    from == Type.Unit.EMPTY_DICT ? Cast.find(from, to) : Optional.empty();
            case Type.Tagged _, Type.Variant _, Type.Unit _, Type.Optional _ -> Optional.empty();
        };
    }

    /// As [#find(Type, Type, Optional)], but throws if there is no conversion. `name` is the column
    /// or parameter.
    public static Caster require(String name, Type from, Type to, Optional<Value> literal) {
        return find(from, to, literal)
                .orElseThrow(
                        () ->
                                new StatusException(
                                        Status.GENERIC_ERROR,
                                        Issue.error(
                                                Issue.TYPE_ANNOTATION, failure(name, from, to))));
    }

    /// The message of YDB; tools and tests match on it.
    public static String failure(String name, Type from, Type to) {
        return "Failed to convert '" + name + "': " + from.text() + " to " + to.text();
    }

    /// A warning about a conversion that reinterprets the bits of an integer, which the user may
    /// not have intended.
    public static Optional<String> warning(Type from, Type to) {
        boolean bits =
                Ints.isInteger(from.unwrapped())
                        && Ints.isInteger(to.unwrapped())
                        && PrimitiveCast.find(from.unwrapped(), to.unwrapped())
                                .filter(Caster::mayFail)
                                .isPresent();
        return bits
                ? Optional.of(
                        "Consider using explicit CAST or BITCAST to convert from "
                                + from.unwrapped().text()
                                + " to "
                                + to.unwrapped().text())
                : Optional.empty();
    }

    /// The low bits of an integer as another integer type: BITCAST.
    public static Value bitcast(Primitive to, Value value) {
        long number = ((Value.Int) value).value();
        int unused = Long.SIZE - 8 * Ints.bytes(to);
        return Value.of(
                Ints.isSigned(to) ? number << unused >> unused : number << unused >>> unused);
    }

    private static Optional<Caster> primitive(
            Primitive from, Primitive to, Optional<Value> literal) {
        if (literal.isPresent()) {
            Optional<Caster> known = literal(from, to, literal.get());
            if (known.isPresent()) {
                return known;
            }
        }
        if (CommonType.isNumber(from) && CommonType.isNumber(to)) {
            if (CommonType.level(to) < CommonType.level(from)) {
                return Optional.empty();
            }
            return Ints.isInteger(to)
                    ? Optional.of(Caster.total(value -> bitcast(to, value)))
                    : PrimitiveCast.find(from, to);
        }
        boolean cast =
                switch (to) {
                    case STRING ->
                            from == Primitive.UTF8
                                    || from == Primitive.JSON
                                    || from == Primitive.YSON;
                    case UTF8 -> from == Primitive.JSON;
                    case INTERVAL64 -> from == Primitive.INTERVAL;
                    default -> CommonType.isFinerMoment(from, to);
                };
        return cast ? PrimitiveCast.find(from, to) : Optional.empty();
    }

    /// The conversion that this literal value allows.
    private static Optional<Caster> literal(Primitive from, Primitive to, Value value) {
        boolean string = from == Primitive.STRING || from == Primitive.UTF8;
        boolean readable =
                switch (to) {
                    case UTF8 -> from == Primitive.STRING;
                    case JSON, YSON -> string;
                    default -> Ints.isInteger(from) && Ints.isInteger(to);
                };
        if (!readable) {
            return Optional.empty();
        }
        return PrimitiveCast.find(from, to).filter(caster -> !caster.apply(value).isNull());
    }

    private static Optional<Caster> list(Type from, Type to, Optional<Value> literal) {
        if (literal.isPresent() && literal.get() instanceof Value.Items(List<Value> items)) {
            // Each item must be convertible by itself.
            for (Value item : items) {
                if (find(from, to, Optional.of(item)).isEmpty()) {
                    return Optional.empty();
                }
            }
            return Optional.of(
                    Caster.total(
                            value -> {
                                var converted = new ArrayList<Value>();
                                for (Value item : ((Value.Items) value).items()) {
                                    converted.add(convert(from, to, item, literal.isPresent()));
                                }
                                return Value.items(converted);
                            }));
        }
        return find(from, to).map(caster -> Caster.total(value -> mapItems(caster, value)));
    }

    private static Value mapItems(Caster caster, Value list) {
        return Value.items(((Value.Items) list).items().stream().map(caster::apply).toList());
    }

    private static Value convert(Type from, Type to, Value value, boolean literal) {
        return find(from, to, literal ? Optional.of(value) : Optional.empty())
                .map(caster -> caster.apply(value))
                .orElseThrow();
    }

    private static boolean allFound(List<Type> from, List<Type> to, Optional<Value> literal) {
        for (int index = 0; index < to.size(); index++) {
            if (find(from.get(index), to.get(index), item(literal, index)).isEmpty()) {
                return false;
            }
        }
        return true;
    }

    private static Optional<Value> item(Optional<Value> literal, int index) {
        return literal.isPresent() && literal.get() instanceof Value.Items(List<Value> items)
                ? Optional.of(items.get(index))
                : Optional.empty();
    }

    private static Caster tuple(Type.Tuple from, List<Type> to, Optional<Value> literal) {
        var casters = new ArrayList<Caster>();
        for (int index = 0; index < to.size(); index++) {
            casters.add(
                    find(from.items().get(index), to.get(index), item(literal, index))
                            .orElseThrow());
        }
        return Caster.total(
                value -> {
                    List<Value> items = ((Value.Items) value).items();
                    var converted = new ArrayList<Value>(items.size());
                    for (int index = 0; index < items.size(); index++) {
                        converted.add(casters.get(index).apply(items.get(index)));
                    }
                    return Value.items(converted);
                });
    }

    /// Converts members by name. A member that the source lacks must be Optional. A member that the
    /// target lacks is an error; it is not dropped.
    private static Optional<Caster> struct(
            Type.Struct from, Type.Struct to, Optional<Value> literal) {
        var casters = new ArrayList<Caster>();
        var positions = new ArrayList<Integer>();
        int used = 0;
        for (Type.Member member : to.members()) {
            int position = from.indexOf(member.name());
            positions.add(position);
            if (position < 0) {
                if (!member.type().isOptional()) {
                    return Optional.empty();
                }
                casters.add(Caster.IDENTITY);
                continue;
            }
            used++;
            Optional<Caster> caster =
                    find(
                            from.members().get(position).type(),
                            member.type(),
                            item(literal, position));
            if (caster.isEmpty()) {
                return caster;
            }
            casters.add(caster.get());
        }
        if (used < from.members().size()) {
            return Optional.empty();
        }
        return Optional.of(
                Caster.total(
                        value -> {
                            List<Value> items = ((Value.Items) value).items();
                            var converted = new ArrayList<Value>(positions.size());
                            for (int index = 0; index < positions.size(); index++) {
                                int position = positions.get(index);
                                converted.add(
                                        position < 0
                                                ? Value.Null.NULL
                                                : casters.get(index).apply(items.get(position)));
                            }
                            return Value.items(converted);
                        }));
    }
}
