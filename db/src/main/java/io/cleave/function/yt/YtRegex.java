package io.cleave.function.yt;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;

import io.cleave.base.Bytes;
import io.cleave.base.RegexSize;
import io.cleave.base.WatchedText;
import io.cleave.typed.ScalarFunction;
import io.cleave.typed.ValueSizes;

import org.jspecify.annotations.Nullable;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/// A regular expression of RE2. Pattern and text are read as UTF-8. If the pattern or the text is
/// not UTF-8, each byte is one character.
final class YtRegex {
    private static final int MAX_PATTERN_CHARS = 10_000;

    private final Bytes source;
    private final Charset charset;
    private final Pattern pattern;
    private final int instructions;

    private YtRegex(Bytes source, Charset charset) {
        this.source = source;
        this.charset = charset;
        pattern = compiled(new String(source.array(), charset));
        instructions = pattern.programSize();
    }

    static YtRegex compile(Bytes pattern) {
        boolean valid = Utf8Bytes.firstInvalid(pattern) < 0;
        return new YtRegex(pattern, valid ? StandardCharsets.UTF_8 : StandardCharsets.ISO_8859_1);
    }

    private static Pattern compiled(String pattern) {
        String complaint =
                pattern.length() > MAX_PATTERN_CHARS
                        ? "pattern is longer than " + MAX_PATTERN_CHARS
                        : RegexSize.complaint(pattern).orElse(null);
        if (complaint == null) {
            try {
                return Pattern.compile(pattern);
            } catch (PatternSyntaxException e) {
                complaint = e.getDescription();
            }
        }
        throw YtQueryErrors.failure(
                "Error parsing regular expression \"%s\": %s"
                        .formatted(YtYson.escaped(Bytes.utf8(pattern)), complaint));
    }

    Bytes source() {
        return source;
    }

    boolean matches(Bytes text, ScalarFunction.Run run) {
        return search(text).matcher(run).matches();
    }

    boolean found(Bytes text, ScalarFunction.Run run) {
        return search(text).matcher(run).find();
    }

    /// The text with the first match rewritten; unchanged if the rewrite names a missing group.
    Bytes replacedFirst(Bytes text, Bytes rewrite, ScalarFunction.Run run) {
        Search search = search(text);
        String replacement = search.string(rewrite);
        Matcher matcher = search.matcher(run);
        if (!search.hasGroupsOf(replacement) || !matcher.find()) {
            return text;
        }
        var out = new StringBuilder();
        out.append(search.text, 0, matcher.start());
        if (!rewrite(matcher, replacement, out)) {
            return text;
        }
        out.append(search.text, matcher.end(), search.text.length());
        return search.bytes(out);
    }

    /// The text with every match rewritten. An empty match directly after another match does not
    /// count.
    Bytes replacedAll(Bytes text, Bytes rewrite, ScalarFunction.Run run) {
        Search search = search(text);
        String replacement = search.string(rewrite);
        if (!search.hasGroupsOf(replacement)) {
            return text;
        }
        Matcher matcher = search.matcher(run);
        var out = new StringBuilder();
        int copied = 0;
        int lastEnd = -1;
        while (matcher.find()) {
            if (matcher.start() == matcher.end() && matcher.start() == lastEnd) {
                continue;
            }
            out.append(search.text, copied, matcher.start());
            boolean _ = rewrite(matcher, replacement, out);
            ValueSizes.requireBytes(out.length());
            copied = matcher.end();
            lastEnd = matcher.end();
        }
        if (lastEnd < 0) {
            return text;
        }
        out.append(search.text, copied, search.text.length());
        return search.bytes(out);
    }

    /// The rewrite, filled in from the first match; the text itself if there is no match.
    Bytes extracted(Bytes text, Bytes rewrite, ScalarFunction.Run run) {
        Search search = search(text);
        String replacement = search.string(rewrite);
        Matcher matcher = search.matcher(run);
        if (!search.hasGroupsOf(replacement) || !matcher.find()) {
            return text;
        }
        var out = new StringBuilder();
        boolean _ = rewrite(matcher, replacement, out);
        return search.bytes(out);
    }

    private Search search(Bytes text) {
        boolean utf8 = charset.equals(StandardCharsets.UTF_8) && Utf8Bytes.firstInvalid(text) < 0;
        return new Search(text, utf8 ? StandardCharsets.UTF_8 : StandardCharsets.ISO_8859_1);
    }

    /// Appends the rewrite, in which `\1` is a group and `\\` a backslash. Returns false if a
    /// backslash is followed by anything else.
    private static boolean rewrite(Matcher matcher, String rewrite, StringBuilder out) {
        int index = 0;
        while (index < rewrite.length()) {
            char c = rewrite.charAt(index++);
            if (c != '\\') {
                out.append(c);
                continue;
            }
            char next = index < rewrite.length() ? rewrite.charAt(index++) : ' ';
            if (next == '\\') {
                out.append(next);
            } else if (isDigit(next)) {
                @Nullable String group = matcher.group(next - '0');
                out.append(group == null ? "" : group);
            } else {
                return false;
            }
        }
        return true;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    /// Escapes everything except letters, digits, underscores and bytes beyond ASCII.
    static Bytes escaped(Bytes text) {
        var out = new StringBuilder();
        for (byte b : text.array()) {
            boolean plain =
                    b < 0
                            || b == '_'
                            || isDigit((char) b)
                            || (b >= 'a' && b <= 'z')
                            || (b >= 'A' && b <= 'Z');
            if (b == 0) {
                out.append("\\x00");
            } else {
                out.append(plain ? "" : "\\").append((char) (b & 0xFF));
            }
        }
        return Bytes.wrap(out.toString().getBytes(StandardCharsets.ISO_8859_1));
    }

    /// One text to search, as characters.
    private final class Search {
        private final Charset letters;
        private final String text;

        Search(Bytes text, Charset letters) {
            this.letters = letters;
            this.text = string(text, letters);
        }

        private static String string(Bytes bytes, Charset letters) {
            return new String(bytes.array(), letters);
        }

        String string(Bytes bytes) {
            return string(bytes, letters);
        }

        Matcher matcher(ScalarFunction.Run run) {
            return pattern.matcher(WatchedText.forSearches(text, instructions, run::pass));
        }

        boolean hasGroupsOf(String rewrite) {
            int highest = 0;
            int index = 0;
            while (index + 1 < rewrite.length()) {
                if (rewrite.charAt(index++) == '\\') {
                    char next = rewrite.charAt(index++);
                    highest = isDigit(next) ? Math.max(highest, next - '0') : highest;
                }
            }
            return highest <= pattern.groupCount();
        }

        Bytes bytes(CharSequence out) {
            ValueSizes.requireBytes(out.length());
            return Bytes.wrap(out.toString().getBytes(letters));
        }
    }
}
