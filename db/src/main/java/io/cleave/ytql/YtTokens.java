package io.cleave.ytql;

import io.cleave.function.yt.YtType;
import io.cleave.yt.error.YtException;
import io.cleave.ytql.YtExpression.Place;
import io.cleave.ytql.YtToken.Kind;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The tokens of a text, with the next one to be parsed.
final class YtTokens {
    private final String text;
    private final List<YtToken> tokens;
    private final Map<String, YtPlaceholder> placeholders;
    private int next;

    YtTokens(String text, int syntaxVersion, Map<String, YtPlaceholder> placeholders) {
        this.text = text;
        this.placeholders = placeholders;
        this.tokens = YtLexer.tokens(text, syntaxVersion, placeholders);
    }

    YtToken peek() {
        return tokens.get(next);
    }

    /// The token after the next one.
    YtToken peekSecond() {
        return tokens.get(Math.min(next + 1, tokens.size() - 1));
    }

    YtToken take() {
        YtToken token = tokens.get(next);
        if (next < tokens.size() - 1) {
            next++;
        }
        return token;
    }

    /// Takes a placeholder whose value is sent with the query, if it is next.
    Optional<YtExpression.Sent> trySent() {
        YtToken token = peek();
        if (token.kind() != Kind.PLACEHOLDER
                || !(placeholders.get(token.text()) instanceof YtPlaceholder.Sent(YtType type))) {
            return Optional.empty();
        }
        var _ = take();
        var place = new Place(token.from(), token.to());
        return Optional.of(new YtExpression.Sent(place, token.text(), type));
    }

    /// Takes a placeholder for the list of an IN, if it is next and its items are sent with the
    /// query.
    Optional<YtExpression> trySentList(YtToken first, List<YtExpression> operand) {
        YtToken token = peek();
        if (token.kind() != Kind.PLACEHOLDER
                || !(placeholders.get(token.text())
                        instanceof YtPlaceholder.SentList(YtType type))) {
            return Optional.empty();
        }
        var _ = take();
        return Optional.of(
                new YtExpression.InSent(
                        since(first),
                        operand,
                        token.text(),
                        type,
                        1 + YtExpression.deepest(operand)));
    }

    boolean tryKeyword(String words) {
        if (peek().isKeyword(words)) {
            var _ = take();
            return true;
        }
        return false;
    }

    boolean trySymbol(String symbol) {
        if (peek().isSymbol(symbol)) {
            var _ = take();
            return true;
        }
        return false;
    }

    void expectKeyword(String words) {
        if (!tryKeyword(words)) {
            throw unexpected(YtKeywords.shown(words));
        }
    }

    void expectSymbol(String symbol) {
        if (!trySymbol(symbol)) {
            throw unexpected("`" + symbol + "`");
        }
    }

    YtToken expect(Kind kind) {
        if (peek().kind() != kind) {
            throw unexpected(new YtToken(kind, "", null, 0, 0).shown());
        }
        return take();
    }

    YtToken expectIdentifier() {
        return expect(Kind.IDENTIFIER);
    }

    void expectEnd() {
        if (peek().kind() != Kind.END) {
            throw unexpected("end of stream");
        }
    }

    /// Whether the keyword follows a tuple. The tuple begins inside the next parenthesis. It is a
    /// value, or several values in parentheses of their own.
    boolean isKeywordAfterTuple(String words) {
        int at = next + 1;
        int open = 0;
        while (at < tokens.size() - 1) {
            YtToken token = tokens.get(at);
            open += token.isSymbol("(") ? 1 : token.isSymbol(")") ? -1 : 0;
            if (open < 0 || (open == 0 && token.isSymbol(","))) {
                return false;
            }
            if (open == 0 && token.kind() == Kind.KEYWORD && token.text().equals(words)) {
                return true;
            }
            at++;
        }
        return false;
    }

    /// The place from the start of this token to the end of the last token that was taken.
    Place since(YtToken first) {
        YtToken last = tokens.get(Math.max(0, next - 1));
        return new Place(first.from(), Math.max(first.to(), last.to()));
    }

    YtException unexpected() {
        return error("syntax error, unexpected " + peek().shown());
    }

    private YtException unexpected(String expected) {
        return error(
                "syntax error, unexpected %s, expecting %s".formatted(peek().shown(), expected));
    }

    /// An error at the next token.
    YtException error(String message) {
        return YtParser.error(text, peek(), message);
    }

    /// The bytes of the text at this place, as a text.
    String source(Place place) {
        String bytes = YtLexer.bytes(text);
        int from = Math.min(place.from(), bytes.length());
        return YtLexer.text(
                bytes.substring(from, Math.min(Math.max(place.to(), from), bytes.length())));
    }
}
