package io.cleave.yt.table.query;

import io.cleave.function.yt.YtLiteral;
import io.cleave.query.Compiled;
import io.cleave.query.Database;
import io.cleave.query.QueryText;
import io.cleave.query.Session;
import io.cleave.schema.TableDefinition.TypedValue;
import io.cleave.value.YsonNode;
import io.cleave.yt.command.CommandCall;
import io.cleave.yt.command.CommandParameters;
import io.cleave.yt.command.NeedsThreadException;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;
import io.cleave.ytql.YtPlaceholder;
import io.cleave.ytql.YtQueryOptions;
import io.cleave.ytql.YtSelectTyping;
import io.cleave.ytql.YtSentValues;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Builds the text of a query, and the options on which its plan depends, from the parameters of a
/// call.
///
/// Threads: any.
final class QueryTexts {
    /// The maximum number of links and ids that a query may name.
    private static final int MAX_PATHS = 256;

    /// Limits of the queries that are remembered because they need the values of placeholders in
    /// their text: the number of such queries, and the length of each.
    private static final int MAX_REMEMBERED = 256;

    private static final int MAX_REMEMBERED_CHARS = 16 << 10;

    private final Database database;
    private final QueryPaths paths;
    private final Set<QueryText> inText = ConcurrentHashMap.newKeySet();

    QueryTexts(Database database, QueryPaths paths) {
        this.database = database;
        this.paths = paths;
    }

    /// A compiled text, and the values of its program's parameters.
    record Ready(QueryText text, Compiled compiled, Map<String, TypedValue> values) {}

    /// Compiles the query of the call. If a table is not found at its path, the path is resolved as
    /// a link or an id.
    ///
    /// Values of placeholders are sent apart from the program where that is possible. Otherwise
    /// they are put into the text, as YTsaurus does. This is also done if the query has a mistake.
    Ready compiled(CommandCall call, Session session) {
        PlaceholderValues values = PlaceholderValues.of(call.parameters());
        if (values.literals().isEmpty()) {
            return compiledAsText(call, session, values);
        }
        String text = call.parameters().requireText("query");
        QueryText sent = QueryText.ofYt(text, options(call.parameters(), values.asSent()));
        if (inText.isEmpty() || !inText.contains(sent)) {
            try {
                return resolved(call, session, sent, values.literals());
            } catch (YtException _) {
                // With the values in it, the text compiles, or fails with the error that the client
                // gets.
                Ready ready = compiledAsText(call, session, values);
                remember(sent);
                return ready;
            }
        }
        return compiledAsText(call, session, values);
    }

    /// Compiles the query of the call with all values in the text.
    Ready compiledAsText(CommandCall call, Session session) {
        return compiledAsText(call, session, PlaceholderValues.of(call.parameters()));
    }

    private Ready compiledAsText(CommandCall call, Session session, PlaceholderValues values) {
        String text = call.parameters().requireText("query");
        QueryText query = QueryText.ofYt(text, options(call.parameters(), values.asTexts()));
        return resolved(call, session, query, Map.of());
    }

    private void remember(QueryText query) {
        if (query.expandedChars() <= MAX_REMEMBERED_CHARS) {
            if (inText.size() >= MAX_REMEMBERED) {
                inText.clear();
            }
            inText.add(query);
        }
    }

    /// Compiles the query after its links and ids were resolved.
    private Ready resolved(
            CommandCall call,
            Session session,
            QueryText written,
            Map<String, List<YtLiteral>> literals) {
        QueryText query = written;
        YtQueryOptions options = written.yt().orElseThrow();
        for (int count = 0; ; count++) {
            try {
                Compiled compiled = compiled(call, session, query);
                return new Ready(
                        query,
                        compiled,
                        YtSentValues.bound(compiled.program().parameters(), literals));
            } catch (YtException e) {
                Optional<String> path = missingPath(e);
                if (path.isEmpty()
                        || options.paths().containsKey(path.get())
                        || count == MAX_PATHS) {
                    throw e;
                }
                options = options.withPath(path.get(), paths.resolve(call, path.get()));
                query = QueryText.ofYt(written.text(), options);
            }
        }
    }

    /// A new query is not compiled on a network thread.
    private Compiled compiled(CommandCall call, Session session, QueryText query) {
        return call.mayWait()
                ? database.compile(session, query)
                : database.cached(session, query).orElseThrow(NeedsThreadException::new);
    }

    private static Optional<String> missingPath(YtException e) {
        return e.error().code() == YtCodes.RESOLVE_ERROR
                ? e.error().attributes().member(YtSelectTyping.PATH).flatMap(YsonNode::string)
                : Optional.empty();
    }

    private static YtQueryOptions options(
            CommandParameters parameters, Map<String, YtPlaceholder> placeholders) {
        QueryLimits.refuseUnsupported(parameters);
        long syntax = parameters.number("syntax_version").orElse(1L);
        if (syntax != 1 && syntax != 2) {
            throw new YtException(
                    YtCodes.GENERIC, "Unsupported syntax version %d".formatted(syntax));
        }
        long limit =
                parameters
                        .number("range_expansion_limit")
                        .orElse(YtQueryOptions.DEFAULT_RANGE_EXPANSION_LIMIT);
        return new YtQueryOptions(
                (int) syntax,
                parameters.flag("use_canonical_null_relations", false),
                parameters.flag("allow_full_scan", true),
                parameters.flag("allow_join_without_index", false),
                Math.max(limit, 1),
                placeholders,
                Map.of());
    }
}
