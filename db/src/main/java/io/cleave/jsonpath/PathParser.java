package io.cleave.jsonpath;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;

import io.cleave.base.RegexSize;
import io.cleave.jsonpath.PathNode.Comparison;
import io.cleave.jsonpath.PathNode.MethodName;
import io.cleave.jsonpath.PathNode.Operator;
import io.cleave.jsonpath.PathToken.Kind;
import io.cleave.value.Json;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// Parses a path by recursive descent. From the loosest to the tightest binding: `||`, `&&`, `!`,
/// predicates and comparisons, `+ -`, `* / %`, signs, steps.
final class PathParser {
    /// Deeper paths are refused, because parsing and evaluation are recursive.
    private static final int MAX_DEPTH = 100;

    private static final Map<String, Comparison> COMPARISONS =
            Map.of(
                    "==", Comparison.EQUAL,
                    "!=", Comparison.NOT_EQUAL,
                    "<>", Comparison.NOT_EQUAL,
                    "<", Comparison.LESS,
                    "<=", Comparison.LESS_OR_EQUAL,
                    ">", Comparison.GREATER,
                    ">=", Comparison.GREATER_OR_EQUAL);

    private final List<PathToken> tokens;
    private int at;
    private int depth;

    PathParser(String text) throws JsonPathException {
        this.tokens = PathLexer.tokens(text);
    }

    /// Reads the optional mode, and returns whether it is `strict`.
    boolean mode() {
        boolean strict = peek().isWord("strict");
        if (strict || peek().isWord("lax")) {
            at++;
        }
        return strict;
    }

    PathNode whole() throws JsonPathException {
        PathNode path = expression();
        if (peek().kind() != Kind.END) {
            throw unexpected();
        }
        return path;
    }

    private PathToken peek() {
        return tokens.get(at);
    }

    private PathToken next() {
        return tokens.get(peek().kind() == Kind.END ? at : at++);
    }

    private boolean take(String symbol) {
        boolean is = peek().is(symbol);
        if (is) {
            at++;
        }
        return is;
    }

    private boolean takeWord(String word) {
        boolean is = peek().isWord(word);
        if (is) {
            at++;
        }
        return is;
    }

    private void require(String symbol) throws JsonPathException {
        if (!take(symbol)) {
            throw unexpected();
        }
    }

    private JsonPathException unexpected() {
        PathToken token = peek();
        return new JsonPathException(
                token.kind() == Kind.END
                        ? "Unexpected end of the path"
                        : "Unexpected '%s' at %d".formatted(token.text(), token.at() + 1));
    }

    private PathNode expression() throws JsonPathException {
        if (++depth > MAX_DEPTH) {
            throw new JsonPathException("The path is nested too deep");
        }
        PathNode left = conjunction();
        while (take("||")) {
            left = new PathNode.Or(left, conjunction());
        }
        depth--;
        return left;
    }

    private PathNode conjunction() throws JsonPathException {
        PathNode left = predicate();
        while (take("&&")) {
            left = new PathNode.And(left, predicate());
        }
        return left;
    }

    private PathNode predicate() throws JsonPathException {
        if (take("!")) {
            if (++depth > MAX_DEPTH) {
                throw new JsonPathException("The path is nested too deep");
            }
            PathNode operand = predicate();
            depth--;
            return new PathNode.Not(operand);
        }
        PathNode left = sum();
        if (peek().kind() == Kind.SYMBOL) {
            Comparison comparison = COMPARISONS.get(peek().text());
            if (comparison != null) {
                at++;
                return new PathNode.Compare(comparison, left, sum());
            }
        }
        if (takeWord("starts")) {
            word("with");
            return new PathNode.StartsWith(left, sum());
        }
        if (takeWord("like_regex")) {
            return new PathNode.LikeRegex(left, pattern());
        }
        return left;
    }

    private void word(String word) throws JsonPathException {
        if (!takeWord(word)) {
            throw unexpected();
        }
    }

    /// `"pattern" flag "i"`.
    private Pattern pattern() throws JsonPathException {
        String pattern = string();
        int flags = 0;
        if (takeWord("flag")) {
            for (int flag : string().codePoints().toArray()) {
                flags |=
                        switch (flag) {
                            case 'i' -> Pattern.CASE_INSENSITIVE;
                            case 's' -> Pattern.DOTALL;
                            case 'm' -> Pattern.MULTILINE;
                            default ->
                                    throw new JsonPathException(
                                            "Unsupported regex flag '%c'".formatted(flag));
                        };
            }
        }
        Optional<String> complaint = RegexSize.complaint(pattern);
        if (complaint.isPresent()) {
            throw new JsonPathException("Invalid regex: " + complaint.get());
        }
        try {
            return Pattern.compile(pattern, flags);
        } catch (PatternSyntaxException e) {
            throw new JsonPathException("Invalid regex: " + e.getDescription());
        }
    }

    private String string() throws JsonPathException {
        if (peek().kind() != Kind.STRING) {
            throw unexpected();
        }
        return next().text();
    }

    private PathNode sum() throws JsonPathException {
        PathNode left = product();
        while (peek().is("+") || peek().is("-")) {
            Operator operator = next().is("+") ? Operator.ADD : Operator.SUBTRACT;
            left = new PathNode.Arithmetic(operator, left, product());
        }
        return left;
    }

    private PathNode product() throws JsonPathException {
        PathNode left = signed();
        while (peek().is("*") || peek().is("/") || peek().is("%")) {
            Operator operator =
                    switch (next().text()) {
                        case "*" -> Operator.MULTIPLY;
                        case "/" -> Operator.DIVIDE;
                        default -> Operator.MODULO;
                    };
            left = new PathNode.Arithmetic(operator, left, signed());
        }
        return left;
    }

    private PathNode signed() throws JsonPathException {
        int from = at;
        while (peek().is("+") || peek().is("-")) {
            at++;
        }
        int to = at;
        if (to - from > MAX_DEPTH) {
            throw new JsonPathException("The path is nested too deep");
        }
        PathNode operand = steps(primary());
        for (int index = to - 1; index >= from; index--) {
            operand =
                    tokens.get(index).is("-")
                            ? new PathNode.Negate(operand)
                            : new PathNode.Positive(operand);
        }
        return operand;
    }

    private PathNode primary() throws JsonPathException {
        PathToken token = next();
        return switch (token.kind()) {
            case VARIABLE -> new PathNode.Variable(token.text());
            case NUMBER -> new PathNode.Literal(new Json.Numeral(number(token)));
            case STRING -> new PathNode.Literal(new Json.Text(token.text()));
            case NAME -> named(token);
            case SYMBOL ->
                    switch (token.text()) {
                        case "$" -> new PathNode.Document();
                        case "@" -> new PathNode.Filtered();
                        case "(" -> parenthesized();
                        default -> {
                            at--;
                            throw unexpected();
                        }
                    };
            case END -> throw unexpected();
        };
    }

    private static double number(PathToken token) throws JsonPathException {
        double number = Double.parseDouble(token.text());
        if (Double.isInfinite(number)) {
            throw new JsonPathException("Number is infinity: " + token.text());
        }
        return number;
    }

    private PathNode named(PathToken token) throws JsonPathException {
        return switch (token.text()) {
            case "last" -> new PathNode.Last();
            case "null" -> new PathNode.Literal(Json.Constant.NULL);
            case "true" -> new PathNode.Literal(Json.Constant.TRUE);
            case "false" -> new PathNode.Literal(Json.Constant.FALSE);
            case "exists" -> {
                require("(");
                PathNode operand = expression();
                require(")");
                yield new PathNode.Exists(operand);
            }
            default -> {
                at--;
                throw unexpected();
            }
        };
    }

    /// `(…)`, optionally followed by `is unknown`.
    private PathNode parenthesized() throws JsonPathException {
        PathNode inner = expression();
        require(")");
        if (takeWord("is")) {
            word("unknown");
            return new PathNode.IsUnknown(inner);
        }
        return inner;
    }

    private PathNode steps(PathNode first) throws JsonPathException {
        PathNode input = first;
        int steps = 0;
        while (true) {
            if (take(".")) {
                input = member(input);
            } else if (take("[")) {
                input = elements(input);
            } else if (take("?")) {
                require("(");
                PathNode predicate = expression();
                require(")");
                input = new PathNode.Filter(input, predicate);
            } else {
                return input;
            }
            if (++steps > MAX_DEPTH) {
                throw new JsonPathException("The path has too many steps");
            }
        }
    }

    private PathNode member(PathNode input) throws JsonPathException {
        if (take("*")) {
            return new PathNode.EveryMember(input);
        }
        PathToken token = peek();
        if (token.kind() == Kind.VARIABLE) {
            // `$.$name`: in a member name, the dollar is an ordinary character.
            at++;
            return new PathNode.Member(input, "$" + token.text());
        }
        if (token.kind() != Kind.NAME && token.kind() != Kind.STRING) {
            throw unexpected();
        }
        at++;
        if (token.kind() == Kind.NAME && take("(")) {
            require(")");
            return new PathNode.Method(input, method(token));
        }
        return new PathNode.Member(input, token.text());
    }

    private static MethodName method(PathToken token) throws JsonPathException {
        for (MethodName method : MethodName.values()) {
            if (method.name().toLowerCase(Locale.ROOT).equals(token.text())) {
                return method;
            }
        }
        throw new JsonPathException(
                "Unknown method '%s' at %d".formatted(token.text(), token.at() + 1));
    }

    private PathNode elements(PathNode input) throws JsonPathException {
        if (take("*")) {
            require("]");
            return new PathNode.EveryElement(input);
        }
        var subscripts = new ArrayList<PathNode.Subscript>();
        do {
            PathNode from = sum();
            subscripts.add(new PathNode.Subscript(from, takeWord("to") ? sum() : null));
        } while (take(","));
        require("]");
        return new PathNode.Elements(input, List.copyOf(subscripts));
    }
}
