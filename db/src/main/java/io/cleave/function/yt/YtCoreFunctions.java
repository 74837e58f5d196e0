package io.cleave.function.yt;

import static io.cleave.function.yt.Signature.anything;
import static io.cleave.function.yt.Signature.one;
import static io.cleave.function.yt.Signature.oneOf;
import static io.cleave.function.yt.Signature.parameter;
import static io.cleave.function.yt.YtType.ANY;
import static io.cleave.function.yt.YtType.BOOLEAN;
import static io.cleave.function.yt.YtType.DOUBLE;
import static io.cleave.function.yt.YtType.INT64;
import static io.cleave.function.yt.YtType.NULL;
import static io.cleave.function.yt.YtType.STRING;
import static io.cleave.function.yt.YtType.UINT64;

import io.cleave.typed.Typed;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.util.EnumSet;
import java.util.List;

/// Conditions, NULL and conversions.
final class YtCoreFunctions {
    private YtCoreFunctions() {}

    static void register(YtFunction.Registry registry) {
        registry.accept(
                new YtFunction(
                        "if",
                        Signature.of(anything(1), one(BOOLEAN), anything(1), anything(1)),
                        (a, result) -> choice(a.get(0), a.get(1), a.get(2), result)));
        registry.accept(
                new YtFunction(
                        "is_null",
                        Signature.of(one(BOOLEAN), anything(1)),
                        (a, _) -> isNull(a.getFirst())));
        registry.accept(
                new YtFunction(
                        "if_null",
                        Signature.of(anything(1), anything(1), anything(1)),
                        YtCoreFunctions::coalesce));
        registry.accept(
                new YtFunction(
                        "coalesce",
                        new Signature(parameter(1, notNull()), List.of(), parameter(1, notNull())),
                        YtCoreFunctions::coalesce));
        registry.accept(
                YtFunction.total(
                        "is_nan",
                        Signature.of(one(BOOLEAN), one(DOUBLE)),
                        a -> Value.bool(!a[0].isNull() && Double.isNaN(YtArithmetic.real(a[0])))));
        registry.accept(
                new YtFunction(
                        "sleep",
                        Signature.of(one(INT64), one(INT64)),
                        (_, _) -> {
                            throw YtQueryErrors.error(
                                            "Function \"sleep\" is not supported: it would block a"
                                                    + " thread of the server for every row")
                                    .exception();
                        }));
        registry.accept(conversion("int64", INT64, NULL, INT64, UINT64, DOUBLE, ANY));
        registry.accept(conversion("uint64", UINT64, NULL, INT64, UINT64, DOUBLE, ANY));
        registry.accept(conversion("double", DOUBLE, NULL, INT64, UINT64, DOUBLE, ANY));
        registry.accept(conversion("boolean", BOOLEAN, NULL, INT64, UINT64, BOOLEAN, ANY));
        registry.accept(conversion("string", STRING, STRING, ANY));
    }

    private static EnumSet<YtType> notNull() {
        return EnumSet.complementOf(EnumSet.of(NULL));
    }

    private static YtFunction conversion(String name, YtType result, YtType... arguments) {
        return new YtFunction(
                name,
                Signature.of(one(result), oneOf(arguments)),
                (a, _) -> YtCasts.cast(a.getFirst(), result));
    }

    static Typed isNull(Typed operand) {
        return YtComparison.mayBeNull(operand)
                ? new Typed.IsNull(Primitive.BOOL, operand)
                : new Typed.Constant(Primitive.BOOL, Value.bool(false));
    }

    private static Typed coalesce(List<Typed> arguments, YtType result) {
        Typed nothing = new Typed.Constant(result.type().optional(), Value.Null.NULL);
        if (arguments.isEmpty() || result == NULL) {
            return nothing;
        }
        boolean mayBeNull = arguments.stream().allMatch(YtComparison::mayBeNull);
        return new Typed.Coalesce(mayBeNull ? result.type().optional() : result.type(), arguments);
    }

    /// NULL if the condition is NULL.
    private static Typed choice(Typed condition, Typed yes, Typed no, YtType result) {
        boolean optional =
                YtComparison.mayBeNull(condition)
                        || YtComparison.mayBeNull(yes)
                        || YtComparison.mayBeNull(no);
        var type = optional ? result.type().optional() : result.type();
        if (!YtComparison.mayBeNull(condition)) {
            return new Typed.Choose(type, List.of(new Typed.Branch(condition, yes)), no);
        }
        YtTypes.requireSmall(condition);
        return new Typed.Choose(
                type,
                List.of(
                        new Typed.Branch(condition, yes),
                        new Typed.Branch(
                                isNull(condition), new Typed.Constant(type, Value.Null.NULL))),
                no);
    }
}
