package io.cleave.function.call;

import java.util.Collection;
import java.util.Optional;
import java.util.function.IntConsumer;

/// Finds the known name that a misspelled name probably means.
public final class NameSuggestion {
    /// As in YDB, the maximum number of changed letters.
    private static final int MAX_DISTANCE = 3;

    private NameSuggestion() {}

    /// The known name closest to `name`, if one is close enough.
    public static Optional<String> closest(String name, Collection<String> known) {
        Optional<String> best = Optional.empty();
        int bestDistance = MAX_DISTANCE + 1;
        for (String candidate : known) {
            int distance = distance(name, candidate);
            if (distance < bestDistance) {
                bestDistance = distance;
                best = Optional.of(candidate);
            }
        }
        return best;
    }

    /// The Levenshtein distance: the number of letters to insert, delete or replace to get from one
    /// name to the other.
    public static int distance(String left, String right) {
        return distance(left, right, _ -> {});
    }

    /// Like `distance` above, for long texts: calls `pass` before each row with the number of steps
    /// that follow.
    public static int distance(String left, String right, IntConsumer pass) {
        int[] l = left.codePoints().toArray();
        int[] r = right.codePoints().toArray();
        int[] above = new int[r.length + 1];
        int[] current = new int[r.length + 1];
        for (int column = 0; column <= r.length; column++) {
            above[column] = column;
        }
        for (int row = 1; row <= l.length; row++) {
            pass.accept(r.length);
            current[0] = row;
            for (int column = 1; column <= r.length; column++) {
                int change = l[row - 1] == r[column - 1] ? 0 : 1;
                current[column] =
                        Math.min(
                                above[column - 1] + change,
                                Math.min(above[column], current[column - 1]) + 1);
            }
            int[] free = above;
            above = current;
            current = free;
        }
        return above[r.length];
    }
}
