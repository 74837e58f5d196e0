package io.cleave.base;

import java.util.function.IntConsumer;

/// The input of a regular expression search, which cannot be interrupted otherwise. It reports the
/// steps of the search to a callback, which may throw to end the search. Threads: one.
public final class WatchedText implements CharSequence {
    /// For each character, the search runs at most all instructions of the pattern. This many count
    /// as one step.
    private static final int INSTRUCTIONS_A_STEP = 16;

    /// If the length of the text times the number of instructions is at most this, the plain text
    /// is used, which is a little faster.
    private static final int MOST_UNWATCHED = 1 << 16;

    /// The limit for a text that is searched again after each match, each time possibly to its end.
    private static final int MOST_UNWATCHED_AGAIN = 1 << 12;

    /// The number of steps after which the callback is called.
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

    /// The input for one search with a pattern of this many instructions; `pass` is called with the
    /// number of steps since its last call.
    public static CharSequence forSearch(String text, int instructions, IntConsumer pass) {
        return watched(text, instructions, MOST_UNWATCHED, pass);
    }

    /// The input for repeated searches, each of which starts after the last match.
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

    /// Reads of the result are not reported.
    @Override
    public CharSequence subSequence(int from, int to) {
        return text.substring(from, to);
    }

    @Override
    public String toString() {
        return text;
    }
}
