package io.cleave.function.text;

import io.cleave.typed.ScalarFunction;

import java.util.Arrays;

/// Searches for a substring. The time is at most proportional to the product of both lengths, which
/// is long if both are, so the search reports its steps and the run can be interrupted.
final class Finding {
    /// The number of bytes or characters compared in one step.
    private static final int LENGTH_A_STEP = 64;

    /// The number of steps that are reported to the run at a time.
    private static final int STEPS = 4_096;

    private Finding() {}

    /// The first position of the part at or after `from`; -1 if there is none.
    static int index(byte[] text, byte[] part, long from, ScalarFunction.Run run) {
        int steps = 0;
        for (long at = from; at <= text.length - part.length; at++) {
            steps = passed(steps, part.length, run);
            if (isAt(text, part, (int) at)) {
                return (int) at;
            }
        }
        return -1;
    }

    /// The last position of the part at or before `from`; -1 if there is none.
    static int lastIndex(byte[] text, byte[] part, long from, ScalarFunction.Run run) {
        int steps = 0;
        for (long at = Math.min(from, text.length - part.length); at >= 0; at--) {
            steps = passed(steps, part.length, run);
            if (isAt(text, part, (int) at)) {
                return (int) at;
            }
        }
        return -1;
    }

    static boolean isAt(byte[] text, byte[] part, int at) {
        return Arrays.equals(text, at, at + part.length, part, 0, part.length);
    }

    static int index(String text, String part, int from, ScalarFunction.Run run) {
        if (isQuick(text, part)) {
            return text.indexOf(part, from);
        }
        // The number of positions that are searched at a time.
        int width = Math.max(1, STEPS * LENGTH_A_STEP / part.length());
        for (int at = from; at <= text.length() - part.length(); at += width) {
            int to = (int) Math.min(text.length(), at + width - 1L + part.length());
            int found = text.indexOf(part, at, to);
            long places = found < 0 ? width : found - at + 1;
            run.pass((int) (1 + places * part.length() / LENGTH_A_STEP));
            if (found >= 0) {
                return found;
            }
        }
        return -1;
    }

    static int lastIndex(String text, String part, int from, ScalarFunction.Run run) {
        if (isQuick(text, part)) {
            return text.lastIndexOf(part, from);
        }
        int steps = 0;
        for (int at = Math.min(from, text.length() - part.length()); at >= 0; at--) {
            steps = passed(steps, part.length(), run);
            if (text.startsWith(part, at)) {
                return at;
            }
        }
        return -1;
    }

    private static boolean isQuick(String text, String part) {
        return (long) text.length() * part.length() <= STEPS * LENGTH_A_STEP;
    }

    /// Adds the steps for comparing a part of that length, and reports them to the run if they are
    /// enough. Returns the steps not yet reported.
    static int passed(int steps, int length, ScalarFunction.Run run) {
        int now = steps + 1 + length / LENGTH_A_STEP;
        if (now < STEPS) {
            return now;
        }
        run.pass(now);
        return 0;
    }
}
