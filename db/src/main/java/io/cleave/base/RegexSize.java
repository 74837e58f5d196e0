package io.cleave.base;

import java.util.ArrayDeque;
import java.util.Optional;

/// Estimates the size of a regular expression before it is compiled. With nested repetitions, a
/// short expression may stand for more instructions than fit in memory, and compiling it cannot be
/// interrupted. The limits are those of RE2.
///
/// It parses only what determines the number of repetitions; other errors are left to the engine.
public final class RegexSize {
    /// The maximum number of instructions, as in RE2: two thirds of its 8 MB, divided by 4 and by
    /// the 16 bytes of an instruction.
    private static final long MAX_INSTRUCTIONS = (8L << 20) * 2 / 3 / 4 / 16;

    /// The maximum number of copies of a part, by all repetitions around it together.
    private static final int MAX_REPETITIONS = 1_000;

    private static final int MAX_DEPTH = 1_000;

    /// The estimated number of RE2 instructions of a Unicode class such as `\pL`.
    private static final int KIND_INSTRUCTIONS = 300;

    /// The content of a group in parentheses, or the whole expression.
    private static final class Group {
        private long instructions;

        /// The instructions of the last part, which the next operator may repeat.
        private long last;

        /// The number of copies of the most repeated part within the last part.
        private long lastRepetitions = 1;

        private long repetitions = 1;

        void add(long part, long times) {
            end();
            last = part;
            lastRepetitions = times;
        }

        void end() {
            instructions += last;
            repetitions = Math.max(repetitions, lastRepetitions);
            last = 0;
            lastRepetitions = 1;
        }
    }

    private final String pattern;
    private final ArrayDeque<Group> groups = new ArrayDeque<>();
    private Group group = new Group();
    private int at;

    private RegexSize(String pattern) {
        this.pattern = pattern;
    }

    /// The reason why the expression is too large; empty if it is not.
    public static Optional<String> complaint(String pattern) {
        return new RegexSize(pattern).complaint();
    }

    private Optional<String> complaint() {
        while (at < pattern.length()) {
            char c = pattern.charAt(at++);
            switch (c) {
                case '(' -> {
                    if (groups.size() == MAX_DEPTH) {
                        return Optional.of("expression nests too deeply");
                    }
                    groups.push(group);
                    group = new Group();
                }
                case ')' -> close();
                case '[' -> group.add(bracket(), 1);
                case '\\' -> group.add(escape(), 1);
                case '{' -> repeat();
                case '*', '+', '?', '|' -> group.last++;
                default -> group.add(1, 1);
            }
            if (group.lastRepetitions > MAX_REPETITIONS) {
                return Optional.of("invalid repetition size");
            }
            if (group.instructions + group.last > MAX_INSTRUCTIONS) {
                return Optional.of("pattern too large - compile failed");
            }
        }
        return Optional.empty();
    }

    private void close() {
        Group inner = group;
        inner.end();
        // If there is nothing to close, the engine will report it.
        if (!groups.isEmpty()) {
            group = groups.pop();
            // One instruction for each parenthesis.
            group.add(inner.instructions + 2, inner.repetitions);
        }
    }

    /// The instructions of a character class, whose opening bracket was read already.
    private long bracket() {
        long kinds = 0;
        int from = at;
        while (at < pattern.length()) {
            char c = pattern.charAt(at++);
            if (c == '\\') {
                kinds += escape() - 1;
            } else if (c == '[' && at < pattern.length() && pattern.charAt(at) == ':') {
                int to = pattern.indexOf(":]", at);
                at = to < 0 ? at : to + 2;
            } else if (c == ']' && at - 1 > from && !isNegation(from)) {
                break;
            }
        }
        return 1 + kinds;
    }

    /// Whether the bracket just read follows `[^` directly, where it is a literal character.
    private boolean isNegation(int from) {
        return at - 1 == from + 1 && pattern.charAt(from) == '^';
    }

    /// The instructions of an escape sequence, whose backslash was read already.
    private long escape() {
        if (at == pattern.length()) {
            return 1;
        }
        char c = pattern.charAt(at++);
        if (c == 'Q') {
            int to = pattern.indexOf("\\E", at);
            int length = (to < 0 ? pattern.length() : to) - at;
            at = to < 0 ? pattern.length() : to + 2;
            return length;
        }
        boolean isKind = c == 'p' || c == 'P';
        if ((isKind || c == 'x') && at < pattern.length() && pattern.charAt(at) == '{') {
            int to = pattern.indexOf('}', at);
            at = to < 0 ? pattern.length() : to + 1;
        } else if (isKind && at < pattern.length()) {
            at++;
        }
        return isKind ? KIND_INSTRUCTIONS : 1;
    }

    /// Handles `{n}`, `{n,}` or `{n,m}` after the last part; anything else is literal text.
    private void repeat() {
        int to = pattern.indexOf('}', at);
        String[] counts = to < 0 ? new String[0] : pattern.substring(at, to).split(",", 2);
        if (counts.length == 0 || !isCount(counts[0])) {
            group.add(1, 1);
            return;
        }
        long least = Long.parseLong(counts[0]);
        boolean isOpen = counts.length == 2 && counts[1].isEmpty();
        if (counts.length == 2 && !isOpen && !isCount(counts[1])) {
            group.add(1, 1);
            return;
        }
        long most = counts.length == 2 && !isOpen ? Long.parseLong(counts[1]) : least;
        at = to + 1;
        // Each optional copy takes a branch.
        group.last = Math.max(1, most) * (group.last + (most > least ? 1 : 0)) + (isOpen ? 1 : 0);
        group.lastRepetitions *= Math.max(1, most);
    }

    /// The engine refuses a count with more digits.
    private static boolean isCount(String text) {
        return !text.isEmpty()
                && text.length() <= 6
                && text.chars().allMatch(c -> c >= '0' && c <= '9');
    }
}
