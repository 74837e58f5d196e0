package io.cleave.bench;

import java.util.List;
import java.util.Locale;

/// Markdown tables that are also readable on a terminal.
public final class TableText {
    private static final String RULE = "---";

    private TableText() {}

    /// The first line is the header.
    public static String aligned(List<List<String>> lines) {
        int[] widths = new int[lines.getFirst().size()];
        for (List<String> line : lines) {
            for (int column = 0; column < widths.length; column++) {
                widths[column] = Math.max(widths[column], line.get(column).length());
            }
        }
        for (int column = 0; column < widths.length; column++) {
            widths[column] = Math.max(widths[column], RULE.length());
        }
        var text = new StringBuilder();
        append(text, lines.getFirst(), widths, " ");
        append(text, lines.getFirst().stream().map(_ -> RULE).toList(), widths, "-");
        lines.stream().skip(1).forEach(line -> append(text, line, widths, " "));
        return text.toString();
    }

    private static void append(StringBuilder text, List<String> line, int[] widths, String fill) {
        text.append('|');
        for (int column = 0; column < widths.length; column++) {
            String cell = line.get(column);
            text.append(' ').append(cell);
            text.append(fill.repeat(widths[column] - cell.length())).append(" |");
        }
        text.append('\n');
    }

    /// Three significant digits are enough for a measurement.
    public static String number(double value) {
        String format = value >= 100 ? "%,.0f" : value >= 10 ? "%.1f" : "%.2f";
        return String.format(Locale.ROOT, value < 1 ? "%.3f" : format, value);
    }
}
