package io.cleave.analysis;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A pattern of letters, "any one" and "any number": LIKE and GLOB. Matching takes at most pattern
/// times text steps, whatever they are, and passes by way of the run.
final class Wildcards {
    private static final int ANY_ONE = -1;
    private static final int ANY_NUMBER = -2;

    /// The run hears of so many steps at a time.
    private static final int STEPS = 4_096;

    /// Code points and the two wildcards.
    private final int[] parts;

    private Wildcards(List<Integer> parts) {
        this.parts = parts.stream().mapToInt(Integer::intValue).toArray();
    }

    /// `%` and `_`; the letter after `escape` stands for itself.
    static Wildcards like(String pattern, Optional<Character> escape) {
        return parse(pattern, '%', '_', escape);
    }

    /// `*` and `?`.
    static Wildcards glob(String pattern) {
        return parse(pattern, '*', '?', Optional.of('\\'));
    }

    private static Wildcards parse(
            String pattern, char anyNumber, char anyOne, Optional<Character> escape) {
        var parts = new ArrayList<Integer>();
        int[] points = pattern.codePoints().toArray();
        int index = 0;
        while (index < points.length) {
            int point = points[index++];
            if (escape.isPresent() && point == escape.get()) {
                if (index == points.length) {
                    throw new IllegalArgumentException("nothing behind the escape");
                }
                parts.add(points[index++]);
            } else if (point == anyNumber) {
                parts.add(ANY_NUMBER);
            } else {
                parts.add(point == anyOne ? ANY_ONE : point);
            }
        }
        return new Wildcards(parts);
    }

    /// The letters before the first wildcard.
    String prefix() {
        var prefix = new StringBuilder();
        for (int part : parts) {
            if (part < 0) {
                break;
            }
            prefix.appendCodePoint(part);
        }
        return prefix.toString();
    }

    boolean matches(String text, ScalarFunction.Run run) {
        int[] points = text.codePoints().toArray();
        int at = 0;
        int part = 0;
        // Where to try again: behind the last "any number", with one more letter given to it.
        int retryPart = -1;
        int retryAt = 0;
        int steps = 0;
        while (at < points.length) {
            if (part < parts.length && parts[part] == ANY_NUMBER) {
                retryPart = ++part;
                retryAt = at;
            } else if (part < parts.length
                    && (parts[part] == ANY_ONE || parts[part] == points[at])) {
                part++;
                at++;
            } else if (retryPart >= 0) {
                steps += at - retryAt + 1;
                if (steps >= STEPS) {
                    run.pass(steps);
                    steps = 0;
                }
                part = retryPart;
                at = ++retryAt;
            } else {
                return false;
            }
        }
        while (part < parts.length && parts[part] == ANY_NUMBER) {
            part++;
        }
        return part == parts.length;
    }

    /// The text for comparing without case.
    static String fold(String text) {
        return text.codePoints()
                .map(Character::toUpperCase)
                .map(Character::toLowerCase)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
