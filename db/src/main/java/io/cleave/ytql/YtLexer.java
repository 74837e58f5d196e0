package io.cleave.ytql;

import io.cleave.base.Bytes;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtError;
import io.cleave.yt.error.YtException;
import io.cleave.ytql.YtToken.Kind;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Splits a text into tokens. The text is processed as bytes, with one char for each byte. So
/// positions are byte offsets, as in YTsaurus.
///
/// In syntax version 1 brackets quote a name, which may contain pairs of brackets. In version 2
/// they are symbols. Backticks quote names in both versions.
///
/// A placeholder `{name}` is replaced by the tokens of its text. They have the position of the
/// placeholder. A placeholder whose value is sent with the query is a single token.
final class YtLexer {
    private static final int NEWER_SYNTAX = 2;

    private static final List<String> LONG_SYMBOLS =
            List.of("<=", ">=", "!=", "<>", "<<", ">>", "||");

    private static final String SYMBOLS = "()*,<=>+-/%.|&~#";

    private final String text;
    private final int syntaxVersion;
    private final Map<String, YtPlaceholder> placeholders;
    private int at;

    /// `text` has one char for each byte.
    private YtLexer(String text, int syntaxVersion, Map<String, YtPlaceholder> placeholders) {
        this.text = text;
        this.syntaxVersion = syntaxVersion;
        this.placeholders = placeholders;
    }

    /// The tokens of a text; the last one is END or FAILURE.
    static List<YtToken> tokens(
            String text, int syntaxVersion, Map<String, YtPlaceholder> placeholders) {
        return new YtLexer(bytes(text), syntaxVersion, placeholders).all();
    }

    /// The UTF-8 bytes of a text, with one char for each byte.
    static String bytes(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }

    /// Decodes a text from its UTF-8 bytes, which are given as chars.
    static String text(String bytes) {
        return new String(bytes.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }

    private List<YtToken> all() {
        List<YtToken> tokens = new ArrayList<>();
        while (true) {
            YtToken token = next();
            if (token.kind() == Kind.PLACEHOLDER) {
                addValue(token, tokens);
                continue;
            }
            tokens.add(token);
            if (token.kind() == Kind.END || token.kind() == Kind.FAILURE) {
                return tokens;
            }
        }
    }

    private void addValue(YtToken placeholder, List<YtToken> tokens) {
        YtPlaceholder value = placeholders.get(placeholder.text());
        if (value == null) {
            throw YtError.of(YtCodes.GENERIC, "Placeholder was not found")
                    .with("name", placeholder.text())
                    .exception();
        }
        switch (value) {
            case YtPlaceholder.Sent _, YtPlaceholder.SentList _ -> tokens.add(placeholder);
            case YtPlaceholder.Text(String inside) -> addText(placeholder, inside, tokens);
        }
    }

    private void addText(YtToken placeholder, String value, List<YtToken> tokens) {
        for (YtToken token : new YtLexer(bytes(value), syntaxVersion, Map.of()).plain()) {
            if (token.kind() == Kind.PLACEHOLDER) {
                throw new YtException(
                        YtCodes.GENERIC, "Unexpected placeholder inside of another placeholder");
            }
            if (token.kind() != Kind.END) {
                tokens.add(
                        new YtToken(
                                token.kind(),
                                token.text(),
                                token.bytes(),
                                placeholder.from(),
                                placeholder.to()));
            }
        }
    }

    private List<YtToken> plain() {
        List<YtToken> tokens = new ArrayList<>();
        do {
            tokens.add(next());
        } while (tokens.getLast().kind() != Kind.END
                && tokens.getLast().kind() != Kind.FAILURE
                && tokens.getLast().kind() != Kind.PLACEHOLDER);
        return tokens;
    }

    private YtToken next() {
        skipSpace();
        int from = at;
        if (at == text.length()) {
            return new YtToken(Kind.END, "", null, from, from);
        }
        char c = text.charAt(at);
        if (isLetter(c)) {
            return word(from);
        }
        if (isDigit(c) || (c == '.' && at + 1 < text.length() && isDigit(text.charAt(at + 1)))) {
            return number(from);
        }
        return switch (c) {
            case '\'', '"' -> string(from, c);
            case '`' -> quoted(from);
            case '{' -> placeholder(from);
            case '[' -> syntaxVersion >= NEWER_SYNTAX ? symbol(from, 1) : bracketed(from);
            case ']' -> syntaxVersion >= NEWER_SYNTAX ? symbol(from, 1) : failure(from, from + 1);
            case '%' -> percent(from);
            default -> symbols(from);
        };
    }

    private void skipSpace() {
        while (at < text.length() && isSpace(text.charAt(at))) {
            at++;
        }
    }

    private static boolean isSpace(char c) {
        return c == ' ' || (c >= '\t' && c <= '\r');
    }

    private static boolean isLetter(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private String readWord() {
        int from = at;
        while (at < text.length() && (isLetter(text.charAt(at)) || isDigit(text.charAt(at)))) {
            at++;
        }
        return text.substring(from, at);
    }

    private YtToken word(int from) {
        String word = readWord();
        int end = at;
        skipSpace();
        if (at > end) {
            String second = readWord();
            if (YtKeywords.isPair(word, second)) {
                String pair = (word + " " + second).toLowerCase(Locale.ROOT);
                return new YtToken(Kind.KEYWORD, pair, null, from, at);
            }
        }
        at = end;
        return YtKeywords.isWord(word)
                ? new YtToken(Kind.KEYWORD, word.toLowerCase(Locale.ROOT), null, from, at)
                : new YtToken(Kind.IDENTIFIER, word, null, from, at);
    }

    /// After `%`, `true` and `false` are words of YSON. Any other `%` is an operator.
    private YtToken percent(int from) {
        for (String word : List.of("true", "false")) {
            int end = from + 1 + word.length();
            if (text.regionMatches(true, from + 1, word, 0, word.length())) {
                at = end;
                return new YtToken(Kind.KEYWORD, word, null, from, at);
            }
        }
        return symbol(from, 1);
    }

    private YtToken number(int from) {
        digits();
        boolean real = false;
        if (at < text.length() && text.charAt(at) == '.') {
            real = true;
            at++;
            digits();
        }
        int beforeExponent = at;
        if (at < text.length() && (text.charAt(at) == 'e' || text.charAt(at) == 'E')) {
            at++;
            if (at < text.length() && (text.charAt(at) == '+' || text.charAt(at) == '-')) {
                at++;
            }
            int exponent = at;
            digits();
            if (at == exponent) {
                at = beforeExponent;
            } else {
                real = true;
            }
        }
        String number = text.substring(from, at);
        if (real) {
            return new YtToken(Kind.DOUBLE, number, null, from, at);
        }
        if (at < text.length() && text.charAt(at) == 'u') {
            at++;
            return new YtToken(Kind.UINT64, number, null, from, at);
        }
        return new YtToken(Kind.INT64, number, null, from, at);
    }

    private void digits() {
        while (at < text.length() && isDigit(text.charAt(at))) {
            at++;
        }
    }

    /// The end of a quoted text that begins at `from`, or -1.
    private int closing(int from, char quote) {
        for (int index = from + 1; index < text.length(); index++) {
            char c = text.charAt(index);
            if (c == '\\') {
                index++;
            } else if (c == quote) {
                return index;
            }
        }
        return -1;
    }

    private YtToken string(int from, char quote) {
        int end = closing(from, quote);
        if (end < 0) {
            return failure(from, text.length());
        }
        at = end + 1;
        Bytes value = YtEscapes.unescaped(text.substring(from + 1, end));
        return new YtToken(Kind.STRING, "", value, from, at);
    }

    private YtToken quoted(int from) {
        int end = closing(from, '`');
        if (end < 0) {
            return failure(from, text.length());
        }
        at = end + 1;
        String name = YtEscapes.unescaped(text.substring(from + 1, end)).utf8();
        return new YtToken(Kind.IDENTIFIER, name, null, from, at);
    }

    private YtToken bracketed(int from) {
        int depth = 0;
        for (int index = from; index < text.length(); index++) {
            char c = text.charAt(index);
            depth += c == '[' ? 1 : c == ']' ? -1 : 0;
            if (depth == 0) {
                at = index + 1;
                String name = text(text.substring(from + 1, index));
                return new YtToken(Kind.IDENTIFIER, name, null, from, at);
            }
        }
        return failure(from, text.length());
    }

    private YtToken placeholder(int from) {
        at++;
        String name = at < text.length() && isLetter(text.charAt(at)) ? readWord() : "";
        if (name.isEmpty() || at == text.length() || text.charAt(at) != '}') {
            return failure(from, Math.min(at + 1, text.length()));
        }
        at++;
        return new YtToken(Kind.PLACEHOLDER, name, null, from, at);
    }

    private YtToken symbols(int from) {
        for (String symbol : LONG_SYMBOLS) {
            if (text.startsWith(symbol, from)) {
                return symbol(from, symbol.length());
            }
        }
        return SYMBOLS.indexOf(text.charAt(from)) >= 0 ? symbol(from, 1) : failure(from, from + 1);
    }

    private YtToken symbol(int from, int length) {
        at = from + length;
        return new YtToken(Kind.SYMBOL, text.substring(from, at), null, from, at);
    }

    private static YtToken failure(int from, int to) {
        return new YtToken(Kind.FAILURE, "", null, from, to);
    }
}
