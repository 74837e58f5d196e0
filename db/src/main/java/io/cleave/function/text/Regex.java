package io.cleave.function.text;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;

import io.cleave.base.Issue.Position;
import io.cleave.base.RegexSize;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.base.WatchedText;
import io.cleave.typed.ScalarFunction;
import io.cleave.typed.ValueSizes;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/// A regular expression of RE2. Matching takes time in proportion to the text and to the pattern,
/// whatever the pattern. If that is long, access to the text is counted, so that the run can be
/// interrupted.
public final class Regex {
    private static final int MAX_PATTERN_CHARS = 10_000;

    private static final Pattern LOOKS_AHEAD = Pattern.compile("\\$|\\\\[bBzZ]");

    private final Pattern pattern;
    private final int instructions;

    private Regex(Pattern pattern) {
        this.pattern = pattern;
        instructions = pattern.programSize();
    }

    public static Regex compile(Position at, String pattern) {
        return compile(at, pattern, 0);
    }

    /// `flags` are the flags of [Pattern].
    static Regex compile(Position at, String pattern, int flags) {
        if (pattern.length() > MAX_PATTERN_CHARS) {
            throw new StatusException(
                    Status.GENERIC_ERROR,
                    "Regular expression is longer than %d".formatted(MAX_PATTERN_CHARS),
                    at);
        }
        RegexSize.complaint(pattern)
                .ifPresent(
                        complaint -> {
                            throw failed(at, pattern, complaint);
                        });
        try {
            return new Regex(Pattern.compile(pattern, flags));
        } catch (PatternSyntaxException e) {
            throw failed(at, pattern, e.getDescription());
        }
    }

    private static StatusException failed(Position at, String pattern, String why) {
        return new StatusException(
                Status.GENERIC_ERROR,
                "Regexp compilation failed. Regexp: \"%s\". Original error: %s"
                        .formatted(pattern, why),
                at);
    }

    public boolean found(String text, ScalarFunction.Run run) {
        return searched(text, run).find();
    }

    public boolean matches(String text, ScalarFunction.Run run) {
        return searched(text, run).matches();
    }

    private Matcher searched(String text, ScalarFunction.Run run) {
        return pattern.matcher(WatchedText.forSearch(text, instructions, run::pass));
    }

    /// The names of the groups, the whole match first. Groups without a name are called `_0`, `_1`
    /// and so on, counted separately.
    List<String> groupNames() {
        var names = new ArrayList<String>(Collections.nCopies(pattern.groupCount() + 1, ""));
        pattern.namedGroups().forEach((name, group) -> names.set(group, name));
        int unnamed = 0;
        for (int group = 0; group < names.size(); group++) {
            if (names.get(group).isEmpty()) {
                names.set(group, "_" + unnamed++);
            }
        }
        return names;
    }

    /// The match that ends first; of those, the one that starts first. For a pattern that looks
    /// ahead, it is simply the first match.
    Optional<String> firstEnding(String text, ScalarFunction.Run run) {
        Matcher whole = matcher(text, run);
        if (!whole.find() || LOOKS_AHEAD.matcher(pattern.pattern()).find()) {
            return whole.find(0) ? Optional.of(whole.group()) : Optional.empty();
        }
        // A prefix of a text has no more matches than the text, so binary search works.
        int without = -1;
        int with = whole.end();
        while (without + 1 < with) {
            int middle = (without + with) >>> 1;
            if (found(text.substring(0, middle), run)) {
                with = middle;
            } else {
                without = middle;
            }
        }
        Matcher first = matcher(text.substring(0, with), run);
        return first.find() ? Optional.of(first.group()) : Optional.empty();
    }

    Matcher matcher(String text, ScalarFunction.Run run) {
        return pattern.matcher(WatchedText.forSearches(text, instructions, run::pass));
    }

    /// Replaces every match. In the replacement `\0` is the match, `\1` its first group, and `\\` a
    /// backslash.
    String replaced(Position at, String text, String replacement, ScalarFunction.Run run) {
        Matcher matcher = matcher(text, run);
        var out = new StringBuilder();
        int from = 0;
        while (matcher.find()) {
            out.append(text, from, matcher.start());
            rewrite(at, matcher, replacement, out);
            ValueSizes.requireBytes(out.length());
            from = matcher.end();
        }
        return out.append(text, from, text.length()).toString();
    }

    private static void rewrite(
            Position at, Matcher matcher, String replacement, StringBuilder out) {
        for (int index = 0; index < replacement.length(); index++) {
            char c = replacement.charAt(index);
            if (c != '\\') {
                out.append(c);
                continue;
            }
            char next = ++index < replacement.length() ? replacement.charAt(index) : ' ';
            int group = Character.digit(next, 10);
            if (next == '\\') {
                out.append(next);
            } else if (group >= 0 && group <= matcher.groupCount()) {
                String part = matcher.group(group);
                out.append(part == null ? "" : part);
            } else {
                throw new StatusException(
                        Status.GENERIC_ERROR,
                        "Invalid replacement of a regular expression: " + replacement,
                        at);
            }
        }
    }
}
