package io.cleave.function.aggregate;

import io.cleave.base.Bytes;
import io.cleave.function.call.Texts;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// The result of HISTOGRAM and related functions: bins with a position and a weight. Between two
/// bins the weight is interpolated linearly; half of a bin's weight lies on each side of its
/// position.
record Histogram(String kind, double min, double max, double weight, List<Bin> bins) {
    record Bin(double place, double weight) {}

    private static final Type.Struct BIN =
            new Type.Struct(
                    List.of(
                            new Type.Member("Frequency", Primitive.DOUBLE),
                            new Type.Member("Position", Primitive.DOUBLE)));

    static final Type.Struct TYPE =
            new Type.Struct(
                    List.of(
                            new Type.Member("Bins", new Type.ListOf(BIN)),
                            new Type.Member("Kind", Primitive.STRING),
                            new Type.Member("Max", Primitive.DOUBLE),
                            new Type.Member("Min", Primitive.DOUBLE),
                            new Type.Member("WeightsSum", Primitive.DOUBLE)));

    Histogram {
        bins = List.copyOf(bins);
    }

    static Histogram of(String kind, double min, double max, double weight, Map<Double, Double> m) {
        List<Bin> bins = new ArrayList<>();
        m.forEach((place, binWeight) -> bins.add(new Bin(place, binWeight)));
        return new Histogram(kind, min, max, weight, bins);
    }

    /// Reads a value of [#TYPE], whose members are sorted by name.
    static Histogram of(Value value) {
        List<Value> members = ((Value.Items) value).items();
        List<Bin> bins = new ArrayList<>();
        for (Value bin : ((Value.Items) members.get(0)).items()) {
            List<Value> parts = ((Value.Items) bin).items();
            bins.add(new Bin(real(parts.get(1)), real(parts.get(0))));
        }
        return new Histogram(
                Texts.of(members.get(1)),
                real(members.get(3)),
                real(members.get(2)),
                real(members.get(4)),
                bins);
    }

    private static double real(Value value) {
        return ((Value.Real) value).value();
    }

    Value value() {
        List<Value> items = new ArrayList<>();
        for (Bin bin : bins) {
            items.add(Value.items(List.of(Value.of(bin.weight()), Value.of(bin.place()))));
        }
        return Value.items(
                List.of(
                        Value.items(items),
                        Value.binary(Bytes.utf8(kind)),
                        Value.of(max),
                        Value.of(min),
                        Value.of(weight)));
    }

    /// Scales the bins so that their total weight is `area`. In a cumulative histogram the last bin
    /// is the total.
    Histogram normalized(double area, boolean cumulative) {
        double whole = 0;
        for (Bin bin : bins) {
            whole = cumulative ? bin.weight() : whole + bin.weight();
        }
        List<Bin> scaled = new ArrayList<>();
        double total = 0;
        for (Bin bin : bins) {
            var next = new Bin(bin.place(), area * bin.weight() / whole);
            total += next.weight();
            scaled.add(next);
        }
        return new Histogram(kind + (cumulative ? "Cdf" : ""), min, max, total, scaled);
    }

    /// The cumulative histogram: each bin has the sum of its own weight and those of all bins
    /// before it.
    Histogram cumulative() {
        List<Bin> sums = new ArrayList<>();
        double sum = 0;
        double total = 0;
        for (Bin bin : bins) {
            sum += bin.weight();
            total += sum;
            sums.add(new Bin(bin.place(), sum));
        }
        return new Histogram(kind + "Cdf", min, max, total, sums);
    }

    /// The weight below the bound.
    double below(double bound) {
        if (bins.isEmpty() || bound < min) {
            return 0;
        }
        if (bound > max) {
            return total();
        }
        int right = firstFrom(bound);
        Bin before = binOr(right - 1, min);
        Bin behind = binOr(right, max);
        double between = (before.weight() + behind.weight()) / 2;
        double width = behind.place() - before.place();
        double sum =
                before.weight() / 2
                        + (width == 0 ? between : between * (bound - before.place()) / width);
        for (Bin bin : bins.subList(0, Math.max(0, right - 1))) {
            sum += bin.weight();
        }
        return sum;
    }

    /// The weight above the bound.
    double above(double bound) {
        if (bins.isEmpty() || bound > max) {
            return 0;
        }
        if (bound < min) {
            return total();
        }
        int right = firstFrom(bound);
        Bin before = binOr(right - 1, min);
        Bin behind = binOr(right, max);
        double between = (before.weight() + behind.weight()) / 2;
        double width = behind.place() - before.place();
        double sum =
                behind.weight() / 2
                        + (width == 0 ? between : between * (behind.place() - bound) / width);
        for (Bin bin : bins.subList(Math.min(right + 1, bins.size()), bins.size())) {
            sum += bin.weight();
        }
        return sum;
    }

    double inRange(double from, double to) {
        return from > to ? 0 : above(from) + below(to) - total();
    }

    /// The bound that has the weight `sum` below it.
    double upperBound(double sum) {
        if (sum == 0 || bins.isEmpty()) {
            return sum == 0 ? min : max;
        }
        double gathered = 0;
        for (int index = 0; index < bins.size(); index++) {
            Bin bin = bins.get(index);
            gathered += bin.weight();
            if (gathered < sum) {
                continue;
            }
            Bin before = binOr(index - 1, min);
            Bin behind = binOr(index + 1, max);
            double rest = sum - (gathered - bin.weight() - before.weight() / 2);
            double half = (bin.weight() + before.weight()) / 2;
            return rest <= half
                    ? before.place() + rest * (bin.place() - before.place()) / half
                    : bin.place()
                            + 2
                                    * (rest - half)
                                    * (behind.place() - bin.place())
                                    / (behind.weight() + bin.weight());
        }
        return max;
    }

    /// The bound that has the weight `sum` above it.
    double lowerBound(double sum) {
        if (sum == 0 || bins.isEmpty()) {
            return sum == 0 ? max : min;
        }
        double gathered = 0;
        for (int index = bins.size() - 1; index >= 0; index--) {
            Bin bin = bins.get(index);
            gathered += bin.weight();
            if (gathered < sum) {
                continue;
            }
            Bin before = binOr(index - 1, min);
            Bin behind = binOr(index + 1, max);
            double rest = sum - (gathered - bin.weight() - behind.weight() / 2);
            double half = (bin.weight() + behind.weight()) / 2;
            return rest <= half
                    ? behind.place() - rest * (behind.place() - bin.place()) / half
                    : bin.place()
                            - 2
                                    * (rest - half)
                                    * (bin.place() - before.place())
                                    / (before.weight() + bin.weight());
        }
        return min;
    }

    /// The bin with this index; if there is none, an empty bin at `place`.
    private Bin binOr(int index, double place) {
        return index >= 0 && index < bins.size() ? bins.get(index) : new Bin(place, 0);
    }

    private int firstFrom(double bound) {
        int index = 0;
        while (index < bins.size() && bins.get(index).place() < bound) {
            index++;
        }
        return index;
    }

    private double total() {
        return bins.stream().mapToDouble(Bin::weight).sum();
    }

    /// Prints a line for each bin, with a bar of at most `barWidth` characters.
    String print(int barWidth) {
        var out = new StringBuilder();
        out.append("Kind: ").append(kind).append(" Bins: ").append(bins.size());
        out.append(" WeightsSum: ").append(fixed(weight));
        out.append(" Min: ").append(fixed(min)).append(" Max: ").append(fixed(max));
        double most = 0;
        int placeWidth = 0;
        int weightWidth = 0;
        for (Bin bin : bins) {
            most = Math.max(most, bin.weight());
            placeWidth = Math.max(placeWidth, fixed(bin.place()).length());
            weightWidth = Math.max(weightWidth, fixed(bin.weight()).length());
        }
        for (Bin bin : bins) {
            out.append('\n');
            if (barWidth > 0 && most > 0) {
                int filled = (int) (barWidth * bin.weight() / most);
                out.append("█".repeat(filled)).append("░".repeat(barWidth - filled));
            }
            out.append(" P: ");
            pad(out, fixed(bin.place()), placeWidth);
            out.append(" F: ");
            pad(out, fixed(bin.weight()), weightWidth);
        }
        return out.toString();
    }

    private static void pad(StringBuilder out, String text, int width) {
        out.append(" ".repeat(width - text.length())).append(text);
    }

    private static String fixed(double number) {
        return String.format(Locale.ROOT, "%.3f", number);
    }
}
