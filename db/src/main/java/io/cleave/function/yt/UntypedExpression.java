package io.cleave.function.yt;

import io.cleave.base.Bytes;
import io.cleave.typed.Typed;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/// An expression that can still have one of several types. `1` may be an int64, a uint64 or a
/// double, and `1 + x` has the type of `x`. The caller chooses one of [#types] and calls [#as]. If
/// it has no reason to choose another type, it chooses the [#preferred] one.
///
/// Expressions never change.
public final class UntypedExpression {
    private final Set<YtType> types;
    private final Function<YtType, Typed> maker;
    private final @Nullable YtLiteral literal;

    private UntypedExpression(
            Set<YtType> types, Function<YtType, Typed> maker, @Nullable YtLiteral literal) {
        this.types = Collections.unmodifiableSet(EnumSet.copyOf(types));
        this.maker = maker;
        this.literal = literal;
    }

    /// An expression with several possible types; `maker` is called with one of them.
    public static UntypedExpression of(Set<YtType> types, Function<YtType, Typed> maker) {
        return new UntypedExpression(types, maker, null);
    }

    /// An expression whose type is known. Types that the query language does not have, such as
    /// Int32 and Utf8, are converted to types of the language.
    public static UntypedExpression of(Typed expression) {
        Typed widened = YtTypes.widened(expression);
        return of(EnumSet.of(YtType.of(widened.type())), _ -> widened);
    }

    public static UntypedExpression of(YtLiteral literal) {
        return folded(literal.types(), literal);
    }

    /// A part of a query that was computed from literals. It may have fewer types than the literal.
    static UntypedExpression folded(Set<YtType> types, YtLiteral literal) {
        return new UntypedExpression(types, literal::typed, literal);
    }

    public static UntypedExpression nullLiteral() {
        return of(YtLiteral.NULL);
    }

    /// An integer literal without a suffix, given as 64 bits.
    public static UntypedExpression int64(long value) {
        return of(new YtLiteral(YtType.INT64, Value.of(value)));
    }

    /// An integer literal with the suffix `u`.
    public static UntypedExpression uint64(long bits) {
        return of(new YtLiteral(YtType.UINT64, Value.of(bits)));
    }

    public static UntypedExpression real(double value) {
        return of(new YtLiteral(YtType.DOUBLE, Value.of(value)));
    }

    public static UntypedExpression bool(boolean value) {
        return of(YtLiteral.bool(value));
    }

    public static UntypedExpression string(Bytes value) {
        return of(new YtLiteral(YtType.STRING, Value.binary(value)));
    }

    public Set<YtType> types() {
        return types;
    }

    /// The first of the possible types in YTsaurus' order.
    public YtType preferred() {
        return types.iterator().next();
    }

    /// The expression as one of its types.
    public Typed as(YtType type) {
        if (!types.contains(type)) {
            throw new IllegalArgumentException(type + " is not one of " + types);
        }
        return maker.apply(type);
    }

    /// The expression as its preferred type.
    public Typed typed() {
        return as(preferred());
    }

    /// The expression as a boolean, for WHERE and HAVING; empty if it cannot be one.
    public Optional<Typed> asBoolean() {
        return types.contains(YtType.BOOLEAN) ? Optional.of(as(YtType.BOOLEAN)) : Optional.empty();
    }

    /// The value if the expression is a literal or was computed from literals.
    public Optional<YtLiteral> literal() {
        return Optional.ofNullable(literal);
    }
}
