package io.cleave.balance;

import java.util.Locale;

/// A number that a decision is based on, with the threshold it was compared with; the threshold is
/// NaN if there is none.
public record Figure(String name, double value, double threshold, Unit unit) {
    public enum Unit {
        BYTES,
        CORES,
        COUNT,
        SECONDS,
        SHARE
    }

    public static Figure bytes(String name, long value, long threshold) {
        return new Figure(name, (double) value, (double) threshold, Unit.BYTES);
    }

    public static Figure bytes(String name, long value) {
        return new Figure(name, (double) value, Double.NaN, Unit.BYTES);
    }

    public static Figure cores(String name, double value, double threshold) {
        return new Figure(name, value, threshold, Unit.CORES);
    }

    public static Figure count(String name, double value, double threshold) {
        return new Figure(name, value, threshold, Unit.COUNT);
    }

    public static Figure count(String name, double value) {
        return new Figure(name, value, Double.NaN, Unit.COUNT);
    }

    public static Figure seconds(String name, double value, double threshold) {
        return new Figure(name, value, threshold, Unit.SECONDS);
    }

    public static Figure share(String name, double value, double threshold) {
        return new Figure(name, value, threshold, Unit.SHARE);
    }

    /// `size 104.2 MB (threshold 100.0 MB)`.
    public String text() {
        String limit = Double.isNaN(threshold) ? "" : " (threshold " + print(threshold) + ")";
        return name + " " + print(value) + limit;
    }

    /// The value without its name.
    public String valueText() {
        return print(value);
    }

    private String print(double number) {
        return switch (unit) {
            case BYTES -> bytes(number);
            case CORES -> String.format(Locale.ROOT, "%.1f %% of a core", number * 100);
            case COUNT ->
                    number == Math.rint(number)
                            ? Long.toString((long) number)
                            : String.format(Locale.ROOT, "%.2f", number);
            case SECONDS ->
                    number == Math.rint(number)
                            ? (long) number + " s"
                            : String.format(Locale.ROOT, "%.1f s", number);
            case SHARE -> String.format(Locale.ROOT, "%.0f %%", number * 100);
        };
    }

    private static String bytes(double number) {
        return number < 1 << 20
                ? (long) number + " B"
                : String.format(Locale.ROOT, "%.1f MB", number / (1 << 20));
    }
}
