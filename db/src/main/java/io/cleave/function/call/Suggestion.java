package io.cleave.function.call;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;

/// Suggests a known name for a misspelled one.
public final class Suggestion {
    private Suggestion() {}

    /// Returns ` Did you mean key?`, or an empty string if no name is close.
    public static String of(String name, Collection<String> names) {
        int near = Math.max(1, name.length() / 3);
        return names.stream()
                .filter(candidate -> distance(name, candidate) <= near)
                .min(Comparator.comparingInt(candidate -> distance(name, candidate)))
                .map(best -> " Did you mean " + best + "?")
                .orElse("");
    }

    /// The Levenshtein distance, ignoring case.
    private static int distance(String left, String right) {
        String from = left.toLowerCase(Locale.ROOT);
        String to = right.toLowerCase(Locale.ROOT);
        int[] previous = new int[to.length() + 1];
        for (int column = 0; column <= to.length(); column++) {
            previous[column] = column;
        }
        for (int row = 1; row <= from.length(); row++) {
            int[] current = new int[to.length() + 1];
            current[0] = row;
            for (int column = 1; column <= to.length(); column++) {
                int replaced = from.charAt(row - 1) == to.charAt(column - 1) ? 0 : 1;
                current[column] =
                        Math.min(
                                previous[column - 1] + replaced,
                                1 + Math.min(previous[column], current[column - 1]));
            }
            previous = current;
        }
        return previous[to.length()];
    }
}
