package io.cleave.base;

import java.util.function.IntConsumer;

/// A text for a regular expression, whose search cannot be interrupted: who gave it hears of the
/// steps that the search takes, and may throw. Threads: one.
public final class WatchedText implements CharSequence {
    /// A letter meets at most all instructions of the pattern, so many in one step.
    private static final int INSTRUCTIONS_A_STEP = 16;

    /// A text is given as it is, which is a little faster, if its letters by the instructions are
    /// not more than this.
    private static final int MOST_UNWATCHED = 1 << 16;

    /// The same where it is searched again behind each match, and each time perhaps to its end.
    private static final int MOST_UNWATCHED_AGAIN = 1 << 12;

    /// So many steps are told of at a time.
    private static final int STEPS = 1_024;

    private final String text;
    private final int stepsALetter;
    private final IntConsumer pass;
    private int steps;

    private WatchedText(String text, int instructions, IntConsumer pass) {
        this.text = text;
        this.stepsALetter = 1 + instructions / INSTRUCTIONS_A_STEP;
        this.pass = pass;
    }

    /// For one search with a pattern of so many instructions; `pass` is told of some steps at a
    /// time.
    public static CharSequence forSearch(String text, int instructions, IntConsumer pass) {
        return watched(text, instructions, MOST_UNWATCHED, pass);
    }

    /// The same for searches that go on behind each match.
    public static CharSequence forSearches(String text, int instructions, IntConsumer pass) {
        return watched(text, instructions, MOST_UNWATCHED_AGAIN, pass);
    }

    private static CharSequence watched(String text, int instructions, int most, IntConsumer pass) {
        return (long) text.length() * instructions <= most
                ? text
                : new WatchedText(text, instructions, pass);
    }

    @Override
    public char charAt(int index) {
        steps += stepsALetter;
        if (steps >= STEPS) {
            int told = steps;
            steps = 0;
            pass.accept(told);
        }
        return text.charAt(index);
    }

    @Override
    public int length() {
        return text.length();
    }

    /// Nobody hears of who reads that.
    @Override
    public CharSequence subSequence(int from, int to) {
        return text.substring(from, to);
    }

    @Override
    public String toString() {
        return text;
    }
}
