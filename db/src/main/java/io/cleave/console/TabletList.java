package io.cleave.console;

import io.cleave.console.Operations.TabletRow;
import io.cleave.value.Json;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;

/// Formats tablets as a table for a terminal or as JSON for a program.
final class TabletList {
    private static final List<String> TITLES =
            List.of(
                    "tablet",
                    "cell",
                    "epoch",
                    "from",
                    "to",
                    "rows",
                    "bytes",
                    "reads/s",
                    "writes/s",
                    "age");

    /// The columns with text, which are left-aligned.
    private static final List<Integer> TEXTS = List.of(3, 4);

    private TabletList() {}

    static String text(List<TabletRow> tablets) {
        List<List<String>> lines = new ArrayList<>(List.of(TITLES));
        tablets.forEach(tablet -> lines.add(cells(tablet)));
        int[] widths = new int[TITLES.size()];
        for (List<String> line : lines) {
            for (int column = 0; column < widths.length; column++) {
                widths[column] = Math.max(widths[column], line.get(column).length());
            }
        }
        var text = new StringBuilder();
        for (List<String> line : lines) {
            var row = new StringBuilder();
            for (int column = 0; column < widths.length; column++) {
                String cell = line.get(column);
                String space = " ".repeat(widths[column] - cell.length());
                row.append(column == 0 ? "" : "  ");
                row.append(TEXTS.contains(column) ? cell + space : space + cell);
            }
            text.append(row.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }

    private static List<String> cells(TabletRow tablet) {
        return List.of(
                Long.toString(tablet.tabletId()),
                Long.toString(tablet.cellId()),
                Long.toString(tablet.epoch()),
                bound(tablet.from()),
                bound(tablet.to()),
                Long.toString(tablet.rows()),
                Long.toString(tablet.bytes()),
                rate(tablet.readsPerSecond()),
                rate(tablet.writesPerSecond()),
                age(tablet.ageSeconds()));
    }

    private static String bound(@Nullable String key) {
        return key == null ? "-" : key;
    }

    private static String rate(double perSecond) {
        return String.format(Locale.ROOT, "%.1f", perSecond);
    }

    /// Shows only the two greatest units.
    static String age(long seconds) {
        long minutes = seconds / 60;
        long hours = minutes / 60;
        long days = hours / 24;
        if (days > 0) {
            return days + "d" + hours % 24 + "h";
        }
        if (hours > 0) {
            return hours + "h" + minutes % 60 + "m";
        }
        return minutes > 0 ? minutes + "m" + seconds % 60 + "s" : seconds + "s";
    }

    static Json json(List<TabletRow> tablets) {
        return new Json.Array(tablets.stream().map(TabletList::json).toList());
    }

    private static Json json(TabletRow tablet) {
        var members = new LinkedHashMap<String, Json>();
        members.put("tablet", new Json.Numeral(tablet.tabletId()));
        members.put("cell", new Json.Numeral(tablet.cellId()));
        members.put("epoch", new Json.Numeral(tablet.epoch()));
        members.put("from", orNull(tablet.from()));
        members.put("to", orNull(tablet.to()));
        members.put("rows", new Json.Numeral(tablet.rows()));
        members.put("bytes", new Json.Numeral(tablet.bytes()));
        members.put("reads_per_second", new Json.Numeral(tablet.readsPerSecond()));
        members.put("writes_per_second", new Json.Numeral(tablet.writesPerSecond()));
        members.put("age_seconds", new Json.Numeral(tablet.ageSeconds()));
        return new Json.Members(members);
    }

    private static Json orNull(@Nullable String key) {
        return key == null ? Json.Constant.NULL : new Json.Text(key);
    }
}
