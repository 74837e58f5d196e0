package io.cleave.bench;

import java.io.PrintStream;
import java.util.Locale;

/// The results of a benchmark, one figure on each line, printed as soon as they are known. A figure
/// may have a bar.
public final class Figures {
    private final PrintStream out;
    private final StringBuilder all = new StringBuilder();
    private int met;
    private int missed;

    public Figures(PrintStream out) {
        this.out = out;
    }

    public void print(String name, double value, String unit) {
        say(line(name, value, unit));
    }

    /// Prints a line of text.
    public void say(String line) {
        out.println(line);
        all.append(line).append('\n');
    }

    /// Everything that was printed so far.
    public String text() {
        return all.toString();
    }

    public void printWithBarAtMost(double bar, String name, double value, String unit) {
        print(value <= bar, bar, name, value, unit);
    }

    public void printWithBarAtLeast(double bar, String name, double value, String unit) {
        print(value >= bar, bar, name, value, unit);
    }

    /// How many bars were missed so far.
    public int missed() {
        return missed;
    }

    private void print(boolean good, double bar, String name, double value, String unit) {
        met += good ? 1 : 0;
        missed += good ? 0 : 1;
        String verdict = good ? "met" : "missed";
        say(line(name, value, unit) + "  bar " + number(bar).strip() + " " + verdict);
    }

    /// Prints the sum, if there were bars, and returns whether all were met.
    public boolean finish() {
        if (met + missed > 0) {
            say("bars: " + met + " met, " + missed + " missed");
        }
        return missed == 0;
    }

    private static String line(String name, double value, String unit) {
        return "%-44s %s %s".formatted(name, number(value), unit);
    }

    /// Three significant digits are enough for a measurement.
    private static String number(double value) {
        String format = value >= 100 ? "%,12.0f" : "%,12.2f";
        return String.format(Locale.ROOT, format, value);
    }
}
