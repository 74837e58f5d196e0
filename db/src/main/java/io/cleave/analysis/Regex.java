package io.cleave.analysis;

import io.cleave.base.Issue.Position;
import io.cleave.base.Status;
import io.cleave.base.StatusException;

import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/// A regular expression that cannot run away: Java's may take exponential time, so the letters it
/// looks at are counted, and past [#MAX_STEPS] the query ends.
final class Regex {
    private static final int MAX_STEPS = 10_000_000;
    private static final int MAX_PATTERN_CHARS = 10_000;

    private final Position at;
    private final Pattern pattern;

    private Regex(Position at, Pattern pattern) {
        this.at = at;
        this.pattern = pattern;
    }

    static Regex compile(Position at, String pattern) {
        if (pattern.length() > MAX_PATTERN_CHARS) {
            throw new StatusException(
                    Status.GENERIC_ERROR,
                    "Regular expression is longer than %d".formatted(MAX_PATTERN_CHARS),
                    at);
        }
        try {
            return new Regex(at, Pattern.compile(pattern));
        } catch (PatternSyntaxException e) {
            throw new StatusException(
                    Status.GENERIC_ERROR,
                    "Invalid regular expression '%s': %s".formatted(pattern, e.getDescription()),
                    at);
        }
    }

    boolean found(String text) {
        return bounded(() -> matcher(text).find());
    }

    boolean matches(String text) {
        return bounded(() -> matcher(text).matches());
    }

    private Matcher matcher(String text) {
        return pattern.matcher(new Counted(text, 0, text.length(), new Steps(at)));
    }

    /// Java matches groups by recursion, so a long text may also take too much stack.
    private boolean bounded(BooleanSupplier search) {
        try {
            return search.getAsBoolean();
        } catch (StackOverflowError _) {
            throw new StatusException(
                    Status.PRECONDITION_FAILED,
                    "Regular expression needs too much memory: " + pattern.pattern(),
                    at);
        }
    }

    /// How often one text has been read. Used by one thread.
    private static final class Steps {
        private final Position at;
        private int count;

        Steps(Position at) {
            this.at = at;
        }

        void take() {
            if (++count > MAX_STEPS) {
                throw new StatusException(
                        Status.PRECONDITION_FAILED,
                        "Regular expression took more than %d steps".formatted(MAX_STEPS),
                        at);
            }
        }
    }

    /// A text that counts how often it is read.
    private record Counted(String text, int from, int to, Steps steps) implements CharSequence {
        @Override
        public int length() {
            return to - from;
        }

        @Override
        public char charAt(int index) {
            steps.take();
            return text.charAt(from + index);
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return new Counted(text, from + start, from + end, steps);
        }

        @Override
        public String toString() {
            return text.substring(from, to);
        }
    }
}
