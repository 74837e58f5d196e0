package io.cleave.control;

import io.cleave.balance.Decision.Leave;
import io.cleave.balance.Figure;
import io.cleave.balance.Rule;
import io.cleave.schema.ObjectId;
import io.cleave.schema.ObjectType;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Logs why a round of YTsaurus' rules left tablets alone, in the form of YTsaurus' log: a
/// sentence, and attributes in parentheses. It is asked only about tables whose settings, or those
/// of their bundle, have `enable_verbose_logging`.
final class VerboseLog {
    /// Limit of the lines about a table in one round.
    static final int MOST_LINES = 1000;

    private static final System.Logger LOGGER = System.getLogger(VerboseLog.class.getName());

    private VerboseLog() {}

    /// @param path of the table in the tree, such as `//home/t`
    static void log(String path, String bundle, List<Leave> left) {
        left.stream()
                .limit(MOST_LINES)
                .forEach(leave -> LOGGER.log(System.Logger.Level.INFO, line(path, bundle, leave)));
        if (left.size() > MOST_LINES) {
            LOGGER.log(
                    System.Logger.Level.INFO,
                    "More tablets are left alone (TablePath: %s, BundleName: %s, TabletCount: %d)"
                            .formatted(path, bundle, left.size() - MOST_LINES));
        }
    }

    static String line(String path, String bundle, Leave leave) {
        List<String> attributes = new ArrayList<>();
        attributes.add("TablePath: " + path);
        attributes.add("BundleName: " + bundle);
        attributes.add("TabletId: " + ObjectId.of(ObjectType.TABLET, leave.tabletId()).text());
        for (Figure figure : leave.figures()) {
            attributes.add(name(figure.name()) + ": " + figure.valueText());
        }
        return "Tablet is not %s: %s (%s)"
                .formatted(
                        isMove(leave.rule()) ? "moved" : "resharded",
                        leave.why(),
                        String.join(", ", attributes));
    }

    private static boolean isMove(Rule rule) {
        return rule.text().startsWith("move");
    }

    /// `mean of the cells` becomes `MeanOfTheCells`.
    private static String name(String words) {
        var name = new StringBuilder();
        for (String word : words.split("[^a-zA-Z0-9]+")) {
            if (!word.isEmpty()) {
                name.append(word.substring(0, 1).toUpperCase(Locale.ROOT))
                        .append(word.substring(1));
            }
        }
        return name.toString();
    }
}
