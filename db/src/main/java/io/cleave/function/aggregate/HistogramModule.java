package io.cleave.function.aggregate;

import io.cleave.base.Bytes;
import io.cleave.base.Issue.Position;
import io.cleave.function.call.FunctionCall;
import io.cleave.function.call.Numbers;
import io.cleave.function.call.Registry;
import io.cleave.typed.Errors;
import io.cleave.typed.ScalarFunction;
import io.cleave.typed.Typed;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.util.ArrayList;
import java.util.List;

/// The module `Histogram`: functions on the result of HISTOGRAM.
public final class HistogramModule {
    private static final String MODULE = "Histogram";
    private static final int DEFAULT_BAR_WIDTH = 25;
    private static final double DEFAULT_AREA = 100;

    @FunctionalInterface
    private interface Question {
        double ask(Histogram histogram, double first, double second);
    }

    private HistogramModule() {}

    public static void register(Registry registry) {
        registry.add(MODULE, "Print", HistogramModule::print);
        registry.add(MODULE, "Normalize", HistogramModule::normalize);
        registry.add(MODULE, "ToCumulativeDistributionFunction", HistogramModule::cumulative);
        ask(registry, "GetSumAboveBound", 1, (h, bound, _) -> h.above(bound));
        ask(registry, "GetSumBelowBound", 1, (h, bound, _) -> h.below(bound));
        ask(registry, "GetSumInRange", 2, Histogram::inRange);
        ask(registry, "CalcUpperBound", 1, (h, sum, _) -> h.upperBound(sum));
        ask(registry, "CalcLowerBound", 1, (h, sum, _) -> h.lowerBound(sum));
        ask(registry, "CalcUpperBoundSafe", 1, (h, sum, _) -> h.upperBound(atLeastBin(h, 0, sum)));
        ask(
                registry,
                "CalcLowerBoundSafe",
                1,
                (h, sum, _) -> h.lowerBound(atLeastBin(h, h.bins().size() - 1, sum)));
    }

    /// The sum, but at least the weight of the bin.
    private static double atLeastBin(Histogram histogram, int index, double sum) {
        return histogram.bins().isEmpty()
                ? sum
                : Math.max(histogram.bins().get(index).weight(), sum);
    }

    private static Typed histogram(FunctionCall call) {
        if (!call.bare(0).equals(Histogram.TYPE) && call.bare(0) != Type.Unit.NULL) {
            throw call.error(
                    "Mismatch type argument #1 of %s, type diff: %s!=%s"
                            .formatted(call.name(), call.type(0).text(), Histogram.TYPE.text()));
        }
        return call.value(0);
    }

    private static void ask(Registry registry, String name, int bounds, Question question) {
        registry.add(
                MODULE,
                name,
                call -> {
                    call.expect(1 + bounds);
                    List<Typed> arguments = new ArrayList<>(List.of(histogram(call)));
                    for (int index = 1; index <= bounds; index++) {
                        arguments.add(call.as(index, Primitive.DOUBLE));
                    }
                    Position at = call.at();
                    boolean sum = name.startsWith("Calc");
                    return call.strict(
                            Primitive.DOUBLE,
                            arguments,
                            a -> {
                                double first = ((Value.Real) a[1]).value();
                                if (sum && !(first >= 0)) {
                                    throw Errors.failure(at, "Sum must be >= 0");
                                }
                                double second = bounds == 2 ? ((Value.Real) a[2]).value() : 0;
                                return Value.of(question.ask(Histogram.of(a[0]), first, second));
                            });
                });
    }

    /// `Print(histogram [, width of the bars])`.
    private static Typed print(FunctionCall call) {
        call.expect(1, 2);
        Typed histogram = histogram(call);
        List<Typed> arguments =
                call.count() == 1
                        ? List.of(histogram)
                        : List.of(histogram, Numbers.of(call, 1, Primitive.UINT8));
        return optional(
                call,
                Primitive.STRING,
                arguments,
                a -> {
                    int width = DEFAULT_BAR_WIDTH;
                    if (a.length > 1 && a[1] instanceof Value.Int(long given)) {
                        width = (int) given;
                    }
                    return Value.binary(Bytes.utf8(Histogram.of(a[0]).print(width)));
                });
    }

    /// `Normalize(histogram [, area [, cumulative]])`.
    private static Typed normalize(FunctionCall call) {
        call.expect(1, 3);
        List<Typed> arguments = new ArrayList<>(List.of(histogram(call)));
        if (call.count() > 1) {
            arguments.add(call.as(1, Primitive.DOUBLE));
        }
        if (call.count() > 2) {
            arguments.add(call.as(2, Primitive.BOOL));
        }
        return optional(
                call,
                Histogram.TYPE,
                arguments,
                a -> {
                    double area =
                            a.length > 1 && a[1] instanceof Value.Real(double given)
                                    ? given
                                    : DEFAULT_AREA;
                    boolean cumulative = a.length > 2 && a[2].equals(Value.Bool.TRUE);
                    return Histogram.of(a[0]).normalized(area, cumulative).value();
                });
    }

    private static Typed cumulative(FunctionCall call) {
        call.expect(1);
        return call.strict(
                Histogram.TYPE,
                List.of(histogram(call)),
                a -> Histogram.of(a[0]).cumulative().value());
    }

    /// Returns NULL if the histogram is NULL. NULL in another argument means its default.
    private static Typed optional(
            FunctionCall call, Type type, List<Typed> arguments, ScalarFunction.Body body) {
        Type first = arguments.getFirst().type();
        boolean maybe = first.isOptional() || first == Type.Unit.NULL;
        return call.apply(
                maybe ? type.optional() : type,
                arguments,
                a -> a[0].isNull() ? Value.Null.NULL : body.apply(a));
    }
}
