package io.cleave.function.text;

import io.cleave.typed.ScalarFunction;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A LIKE or GLOB pattern: letters, "any one" and "any number". Matching takes at most as many
/// steps as the product of pattern and text length. The steps are reported to the run, so that it
/// can be interrupted.
public final class Wildcards {
    private static final int ANY_ONE = -1;
    private static final int ANY_NUMBER = -2;

    /// The number of steps that are reported to the run at a time.
    private static final int STEPS = 4_096;

    /// Code points, and the two wildcards as negative numbers.
    private final int[] parts;

    private Wildcards(List<Integer> parts) {
        this.parts = parts.stream().mapToInt(Integer::intValue).toArray();
    }

    /// `%` and `_`; the character after `escape` stands for itself.
    public static Wildcards like(String pattern, Optional<Character> escape) {
        return parse(pattern, '%', '_', escape);
    }

    /// `*` and `?`; the character after a backslash stands for itself.
    public static Wildcards glob(String pattern) {
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

    /// The literal prefix before the first wildcard.
    public String prefix() {
        var prefix = new StringBuilder();
        for (int part : parts) {
            if (part < 0) {
                break;
            }
            prefix.appendCodePoint(part);
        }
        return prefix.toString();
    }

    public boolean matches(String text, ScalarFunction.Run run) {
        int[] points = text.codePoints().toArray();
        int at = 0;
        int part = 0;
        // Where to retry: after the last "any number", which then takes one more letter.
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

    /// The text for comparisons that ignore case.
    public static String fold(String text) {
        return text.codePoints()
                .map(Character::toUpperCase)
                .map(Character::toLowerCase)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
