package io.cleave.analysis;

import java.util.Arrays;

/// Looks for a part in a text. That takes at most one by the other, which is long where both are:
/// the run can be ended meanwhile.
final class Finding {
    /// So much of a part is compared in one step.
    private static final int LENGTH_A_STEP = 64;

    /// The run hears of so many steps at a time.
    private static final int STEPS = 4_096;

    private Finding() {}

    /// Where the part is first, not before `from`; -1 if it is not there.
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

    /// Where the part is last, not behind `from`; -1 if it is not there.
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
        // So many places at a time.
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

    /// The steps that the run has not heard of when a part of that length has been compared.
    static int passed(int steps, int length, ScalarFunction.Run run) {
        int now = steps + 1 + length / LENGTH_A_STEP;
        if (now < STEPS) {
            return now;
        }
        run.pass(now);
        return 0;
    }
}
