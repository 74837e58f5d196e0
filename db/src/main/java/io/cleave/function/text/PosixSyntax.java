package io.cleave.function.text;

import io.cleave.base.Issue.Position;
import io.cleave.base.Status;
import io.cleave.base.StatusException;

/// Checks that a pattern uses only the extended syntax of POSIX. The regex engine accepts more, and
/// everything beyond POSIX is refused here.
final class PosixSyntax {
    /// Letters that stand for a control character after a backslash.
    private static final String CONTROLS = "afnrtvx";

    private static final String PERL_CLASSES = "dDsSwW";
    private static final String WORD_BOUNDARIES = "bB";

    private final Position at;
    private final String pattern;
    private final String letters;

    private PosixSyntax(Position at, String pattern, String letters) {
        this.at = at;
        this.pattern = pattern;
        this.letters = letters;
    }

    static void check(Position at, String pattern, boolean perlClasses, boolean wordBoundary) {
        String letters =
                CONTROLS
                        + (perlClasses ? PERL_CLASSES : "")
                        + (wordBoundary ? WORD_BOUNDARIES : "");
        new PosixSyntax(at, pattern, letters).check();
    }

    private void check() {
        boolean inSet = false;
        boolean repeated = false;
        for (int index = 0; index < pattern.length(); index++) {
            char c = pattern.charAt(index);
            char next = index + 1 < pattern.length() ? pattern.charAt(index + 1) : 0;
            boolean repetition = false;
            if (c == '\\') {
                if (Character.isLetter(next) && letters.indexOf(next) < 0) {
                    throw error("invalid escape sequence: `\\" + next + "`");
                }
                index++;
            } else if (inSet) {
                if (c == '[' && next == ':') {
                    index = Math.max(index, pattern.indexOf(":]", index + 2) + 1);
                } else {
                    inSet = c != ']';
                }
            } else if (c == '[') {
                inSet = true;
                index = afterFirst(index);
            } else if (c == '(' && next == '?') {
                throw error("missing argument to repetition operator: `?`");
            } else {
                repetition = c == '*' || c == '+' || c == '?';
                if (repetition && repeated) {
                    throw error("bad repetition operator: `" + pattern.charAt(index - 1) + c + "`");
                }
                repetition |= c == '}';
            }
            repeated = repetition;
        }
    }

    /// A closing bracket that comes first in a set is a member of the set.
    private int afterFirst(int open) {
        int index = open;
        if (pattern.startsWith("^", index + 1)) {
            index++;
        }
        return pattern.startsWith("]", index + 1) ? index + 1 : index;
    }

    private StatusException error(String what) {
        return new StatusException(
                Status.GENERIC_ERROR,
                "Regexp compilation failed. Regexp: \"%s\". Original error: %s"
                        .formatted(pattern, what),
                at);
    }
}
