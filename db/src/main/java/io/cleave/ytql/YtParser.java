package io.cleave.ytql;

import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtError;
import io.cleave.yt.error.YtException;
import io.cleave.ytql.YtExpression.Place;
import io.cleave.ytql.YtQuery.Order;
import io.cleave.ytql.YtQuery.Source;
import io.cleave.ytql.YtQuery.TableName;
import io.cleave.ytql.YtQuery.Totals;
import io.cleave.ytql.YtToken.Kind;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Parses a query by recursive descent. Expressions are parsed by [YtExpressionParser].
final class YtParser {
    private static final int MAX_SUBQUERY_DEPTH = 50;

    private final YtTokens tokens;
    private final int depth;

    /// The aliases of the query, in the order in which they were written.
    private final Map<String, YtExpression> aliases = new LinkedHashMap<>();

    private final YtExpressionParser expressions;

    private YtParser(YtTokens tokens, int depth) {
        this.tokens = tokens;
        this.depth = depth;
        this.expressions = new YtExpressionParser(tokens, aliases);
    }

    static YtQuery query(String text, int syntaxVersion, Map<String, YtPlaceholder> placeholders) {
        var tokens = new YtTokens(text, syntaxVersion, placeholders);
        YtQuery query = new YtParser(tokens, 1).query();
        tokens.expectEnd();
        return query;
    }

    static YtExpression expression(String text) {
        var tokens = new YtTokens(text, 1, Map.of());
        List<YtExpression> parsed =
                new YtExpressionParser(tokens, new LinkedHashMap<>()).expression();
        tokens.expectEnd();
        if (parsed.size() != 1) {
            throw new YtException(
                    YtCodes.GENERIC, "Expected scalar expression, got \"%s\"".formatted(text));
        }
        YtExpressionTyping.checkDepth(parsed);
        return parsed.getFirst();
    }

    private YtQuery query() {
        var _ = tokens.tryKeyword("select");
        Optional<List<YtExpression>> items = items();
        tokens.expectKeyword("from");
        Source source = source();
        Optional<TableName> index = index();
        hint();
        List<YtQuery.Join> joins = joins();
        Optional<List<YtExpression>> where =
                tokens.tryKeyword("where") ? Optional.of(expressions.or()) : Optional.empty();
        Optional<List<YtExpression>> groupBy =
                tokens.tryKeyword("group by")
                        ? Optional.of(expressions.commaList())
                        : Optional.empty();
        Totals totals = totals(Totals.BEFORE_HAVING, groupBy.isPresent());
        Optional<List<YtExpression>> having =
                tokens.tryKeyword("having") ? Optional.of(expressions.or()) : Optional.empty();
        if (totals == Totals.NONE && having.isPresent()) {
            totals = totals(Totals.AFTER_HAVING, groupBy.isPresent());
        }
        List<Order> orderBy = tokens.tryKeyword("order by") ? orders() : List.of();
        Optional<Long> offset = count("offset");
        Optional<Long> limit = count("limit");
        return new YtQuery(
                items, source, index, joins, where, groupBy, totals, having, orderBy, offset, limit,
                aliases);
    }

    private Optional<List<YtExpression>> items() {
        if (tokens.trySymbol("*")) {
            return Optional.empty();
        }
        return Optional.of(expressions.commaList());
    }

    private Source source() {
        YtToken first = tokens.peek();
        if (tokens.trySymbol("(")) {
            if (depth >= MAX_SUBQUERY_DEPTH) {
                throw new YtException(YtCodes.GENERIC, "Maximum subquery depth exceeded");
            }
            YtQuery nested = new YtParser(tokens, depth + 1).query();
            tokens.expectSymbol(")");
            return new YtQuery.Nested(tokens.since(first), nested, alias());
        }
        return table();
    }

    private TableName table() {
        YtToken path = tokens.expectIdentifier();
        return new TableName(new Place(path.from(), path.to()), path.text(), alias());
    }

    private Optional<String> alias() {
        if (tokens.tryKeyword("as")) {
            return Optional.of(tokens.expectIdentifier().text());
        }
        return tokens.peek().kind() == Kind.IDENTIFIER
                ? Optional.of(tokens.take().text())
                : Optional.empty();
    }

    private Optional<TableName> index() {
        return tokens.tryKeyword("with index") ? Optional.of(table()) : Optional.empty();
    }

    /// Parses a hint. A hint tells a cluster how to run the query, and never changes the result.
    private void hint() {
        if (tokens.tryKeyword("with hint")) {
            var _ = tokens.expect(Kind.STRING);
        }
    }

    private List<YtQuery.Join> joins() {
        List<YtQuery.Join> joins = new ArrayList<>();
        while (true) {
            boolean left = tokens.tryKeyword("left");
            if (tokens.tryKeyword("array")) {
                tokens.expectKeyword("join");
                joins.add(arrayJoin(left));
            } else if (left) {
                tokens.expectKeyword("join");
                joins.add(tableJoin(true));
            } else if (tokens.tryKeyword("join")) {
                joins.add(tableJoin(false));
            } else {
                return joins;
            }
        }
    }

    private YtQuery.TableJoin tableJoin(boolean left) {
        TableName table = table();
        hint();
        if (tokens.tryKeyword("using")) {
            List<YtExpression.Reference> columns = new ArrayList<>();
            do {
                columns.add(expressions.column());
            } while (tokens.trySymbol(","));
            return new YtQuery.TableJoin(
                    left, table, columns, List.of(), List.of(), joinPredicate());
        }
        tokens.expectKeyword("on");
        List<YtExpression> leftKeys = expressions.bitOr();
        tokens.expectSymbol("=");
        List<YtExpression> rightKeys = expressions.bitOr();
        return new YtQuery.TableJoin(left, table, List.of(), leftKeys, rightKeys, joinPredicate());
    }

    private Optional<List<YtExpression>> joinPredicate() {
        return tokens.tryKeyword("and") ? Optional.of(expressions.and()) : Optional.empty();
    }

    private YtQuery.ArrayJoin arrayJoin(boolean left) {
        List<YtExpression.Alias> arrays = new ArrayList<>();
        do {
            arrays.add(expressions.unlistedAlias());
        } while (tokens.trySymbol(","));
        return new YtQuery.ArrayJoin(left, arrays, joinPredicate());
    }

    private Totals totals(Totals found, boolean grouped) {
        return grouped && tokens.tryKeyword("with totals") ? found : Totals.NONE;
    }

    private List<Order> orders() {
        List<Order> orders = new ArrayList<>();
        do {
            List<YtExpression> keys = expressions.expression();
            boolean descending = tokens.tryKeyword("desc");
            if (!descending) {
                var _ = tokens.tryKeyword("asc");
            }
            orders.add(new Order(keys, descending));
        } while (tokens.trySymbol(","));
        return orders;
    }

    private Optional<Long> count(String keyword) {
        return tokens.tryKeyword(keyword)
                ? Optional.of(YtLiteralParser.number(tokens.expect(Kind.INT64)))
                : Optional.empty();
    }

    /// The error of a parser, with its position in the text.
    static YtException error(String text, YtToken token, String message) {
        String source = YtLexer.bytes(text);
        int from = Math.min(token.from(), source.length());
        int to = Math.min(Math.max(token.to(), from), source.length());
        int before = Math.max(from, 16) - 16;
        int after = Math.min(to + 16, source.length());
        return YtError.of(YtCodes.GENERIC, "Error while parsing query: " + message)
                .with("position", from + "-" + to)
                .with(
                        "query",
                        YtLexer.text(
                                source.substring(before, from)
                                        + " >>>>> "
                                        + source.substring(from, to)
                                        + " <<<<< "
                                        + source.substring(to, after)))
                .exception();
    }
}
