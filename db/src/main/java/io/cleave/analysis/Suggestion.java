package io.cleave.analysis;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;

/// The name that somebody who wrote another one may have meant.
final class Suggestion {
    private Suggestion() {}

    /// ` Did you mean key?`, or nothing when no name is near.
    static String of(String name, Collection<String> names) {
        int near = Math.max(1, name.length() / 3);
        return names.stream()
                .filter(candidate -> distance(name, candidate) <= near)
                .min(Comparator.comparingInt(candidate -> distance(name, candidate)))
                .map(best -> " Did you mean " + best + "?")
                .orElse("");
    }

    /// How many letters have to be put in, left out or replaced; case does not count.
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
