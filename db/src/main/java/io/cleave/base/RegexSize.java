package io.cleave.base;

import java.util.ArrayDeque;
import java.util.Optional;

/// How large a regular expression is before anything is made of it: with repetitions inside of
/// repetitions a short one may stand for more instructions than there is memory, and making it
/// cannot be interrupted. The bounds are those of RE2.
///
/// It reads only what says how often a part is repeated, and leaves to the engine what is wrong
/// otherwise.
public final class RegexSize {
    /// The most instructions, as RE2 has them: its 8 MB less a third, by four, by 16 bytes.
    private static final long MAX_INSTRUCTIONS = (8L << 20) * 2 / 3 / 4 / 16;

    /// How often a part may be there, by all repetitions around it.
    private static final int MAX_REPETITIONS = 1_000;

    private static final int MAX_DEPTH = 1_000;

    /// About what a class of letters by their kind takes, such as `\pL`, in instructions of RE2.
    private static final int KIND_INSTRUCTIONS = 300;

    /// What is between two brackets, or in the whole expression.
    private static final class Group {
        private long instructions;

        /// Of the part read last, which what follows may repeat.
        private long last;

        /// How often the most repeated part of it is there.
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

    /// Why the expression is refused, if it is too large.
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
        // Where there is nothing to close, the engine will complain.
        if (!groups.isEmpty()) {
            group = groups.pop();
            // One instruction for each bracket.
            group.add(inner.instructions + 2, inner.repetitions);
        }
    }

    /// The instructions of a class in brackets, of which the first is passed.
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

    /// Whether the bracket just read stands right behind `[^`, where it is a letter.
    private boolean isNegation(int from) {
        return at - 1 == from + 1 && pattern.charAt(from) == '^';
    }

    /// The instructions of what follows a backslash.
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

    /// `{n}`, `{n,}` or `{n,m}` of the last part; anything else is letters.
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
        // Where it need not be there so often, each time takes a branch.
        group.last = Math.max(1, most) * (group.last + (most > least ? 1 : 0)) + (isOpen ? 1 : 0);
        group.lastRepetitions *= Math.max(1, most);
    }

    /// One of more digits is refused by the engine.
    private static boolean isCount(String text) {
        return !text.isEmpty()
                && text.length() <= 6
                && text.chars().allMatch(c -> c >= '0' && c <= '9');
    }
}
