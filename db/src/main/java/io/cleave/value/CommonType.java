package io.cleave.value;

import io.cleave.value.Type.Primitive;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The common type of two expressions: branches of CASE and COALESCE, items of a list, columns of
/// UNION, operands of arithmetic.
public final class CommonType {
    /// In ascending order: the wider type wins; of types with the same width, the signed one.
    private static final List<Primitive> LADDER =
            List.of(
                    Primitive.UINT8,
                    Primitive.INT8,
                    Primitive.UINT16,
                    Primitive.INT16,
                    Primitive.UINT32,
                    Primitive.INT32,
                    Primitive.UINT64,
                    Primitive.INT64,
                    Primitive.FLOAT,
                    Primitive.DOUBLE);

    private CommonType() {}

    /// The type to which both convert by [Convert]; empty if there is none.
    public static Optional<Type> of(Type left, Type right) {
        if (left.equals(right)) {
            return Optional.of(left);
        }
        if (left == Type.Unit.NULL || right == Type.Unit.NULL) {
            return Optional.of((left == Type.Unit.NULL ? right : left).optional());
        }
        if (left.isOptional() || right.isOptional()) {
            return of(left.unwrapped(), right.unwrapped()).map(Type::optional);
        }
        if (left instanceof Primitive l && right instanceof Primitive r) {
            return ofPrimitives(l, r);
        }
        if (left instanceof Type.ListOf(Type l) && right instanceof Type.ListOf(Type r)) {
            return of(l, r).map(Type.ListOf::new);
        }
        if (left instanceof Type.Tuple(List<Type> l) && right instanceof Type.Tuple(List<Type> r)) {
            return ofAll(l, r).map(Type.Tuple::new);
        }
        if (left instanceof Type.Struct l && right instanceof Type.Struct r) {
            return ofStructs(l, r);
        }
        if (Convert.find(left, right).isPresent()) {
            return Optional.of(right);
        }
        return Convert.find(right, left).map(_ -> left);
    }

    /// The common type of all types; empty if there is none, or if the list is empty.
    public static Optional<Type> of(List<Type> types) {
        return types.stream()
                .map(Optional::of)
                .reduce((left, right) -> left.flatMap(l -> right.flatMap(r -> of(l, r))))
                .flatMap(type -> type);
    }

    /// The type of `+`, `-` and `*` between two numbers, which must not be Optional. Empty unless
    /// both are integers or floating-point numbers, or both have the same Decimal type.
    public static Optional<Type> arithmetic(Type left, Type right) {
        if (left instanceof Primitive l && right instanceof Primitive r) {
            return isNumber(l) && isNumber(r)
                    ? Optional.of(level(l) >= level(r) ? l : r)
                    : Optional.empty();
        }
        return left instanceof Type.Decimal && left.equals(right)
                ? Optional.of(left)
                : Optional.empty();
    }

    private static Optional<Type> ofPrimitives(Primitive left, Primitive right) {
        if (isNumber(left) && isNumber(right)) {
            return arithmetic(left, right);
        }
        if (isDate(left) && isDate(right)) {
            Primitive moment = finest(withoutZone(left), withoutZone(right));
            boolean zoned = TzText.isTz(left) || TzText.isTz(right);
            return Optional.of(zoned ? TzText.withZone(moment) : moment);
        }
        if (Convert.find(left, right).isPresent()) {
            return Optional.of(right);
        }
        return Convert.find(right, left).map(_ -> left);
    }

    private static Primitive finest(Primitive left, Primitive right) {
        long micros = Math.min(Order.unitMicros(left), Order.unitMicros(right));
        boolean wide = Ints.isSigned(left) || Ints.isSigned(right);
        if (micros == Ints.DAY_MICROS) {
            return wide ? Primitive.DATE32 : Primitive.DATE;
        }
        if (micros == Ints.SECOND_MICROS) {
            return wide ? Primitive.DATETIME64 : Primitive.DATETIME;
        }
        return wide ? Primitive.TIMESTAMP64 : Primitive.TIMESTAMP;
    }

    private static Optional<List<Type>> ofAll(List<Type> left, List<Type> right) {
        if (left.size() != right.size()) {
            return Optional.empty();
        }
        var common = new ArrayList<Type>();
        for (int index = 0; index < left.size(); index++) {
            Optional<Type> type = of(left.get(index), right.get(index));
            if (type.isEmpty()) {
                return Optional.empty();
            }
            common.add(type.get());
        }
        return Optional.of(common);
    }

    /// The common type of two structs: members are matched by name, and keep the order of the left
    /// one.
    private static Optional<Type> ofStructs(Type.Struct left, Type.Struct right) {
        if (left.members().size() != right.members().size()) {
            return Optional.empty();
        }
        var members = new ArrayList<Type.Member>();
        for (Type.Member member : left.members()) {
            int position = right.indexOf(member.name());
            Optional<Type> type =
                    position < 0
                            ? Optional.empty()
                            : of(member.type(), right.members().get(position).type());
            if (type.isEmpty()) {
                return Optional.empty();
            }
            members.add(new Type.Member(member.name(), type.get()));
        }
        return Optional.of(new Type.Struct(members));
    }

    /// Whether the type is an integer or floating-point type; Decimal and DyNumber are not.
    public static boolean isNumber(Type type) {
        return type instanceof Primitive primitive && LADDER.contains(primitive);
    }

    static int level(Primitive type) {
        return LADDER.indexOf(type);
    }

    /// Whether `to` can represent every moment of `from`, and also the zone if `from` has one.
    static boolean isFinerMoment(Primitive from, Primitive to) {
        if (!isDate(from) || !isDate(to) || (TzText.isTz(from) && !TzText.isTz(to))) {
            return false;
        }
        Primitive source = withoutZone(from);
        Primitive target = withoutZone(to);
        return Order.unitMicros(target) <= Order.unitMicros(source)
                && (Ints.isSigned(target) || !Ints.isSigned(source));
    }

    private static boolean isDate(Primitive type) {
        return PrimitiveCast.isMoment(type) || TzText.isTz(type);
    }

    private static Primitive withoutZone(Primitive type) {
        return TzText.isTz(type) ? TzText.moment(type) : type;
    }
}
