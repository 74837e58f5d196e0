package io.cleave.yt.table.query;

import io.cleave.query.Compiled;
import io.cleave.query.Database;
import io.cleave.query.QueryText;
import io.cleave.query.Session;
import io.cleave.value.YsonNode;
import io.cleave.yt.command.CommandCall;
import io.cleave.yt.command.CommandParameters;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;
import io.cleave.ytql.YtQueryOptions;
import io.cleave.ytql.YtSelectTyping;

import java.util.Map;
import java.util.Optional;

/// Makes the text of a query, with everything that its plan depends on, from the parameters of a
/// call.
///
/// Threads: any.
final class QueryTexts {
    /// The number of links and ids that a query may name.
    private static final int MAX_PATHS = 256;

    private final Database database;
    private final QueryPaths paths;

    QueryTexts(Database database, QueryPaths paths) {
        this.database = database;
        this.paths = paths;
    }

    /// A text that was compiled.
    record Ready(QueryText text, Compiled compiled) {}

    /// Compiles the query of the call. Tables that are not found at their paths are looked for as
    /// links and ids.
    Ready compiled(CommandCall call, Session session) {
        String text = call.parameters().requireText("query");
        YtQueryOptions options = options(call.parameters());
        for (int count = 0; ; count++) {
            QueryText query = QueryText.ofYt(text, options);
            try {
                return new Ready(query, database.compile(session, query));
            } catch (YtException e) {
                Optional<String> path = missingPath(e);
                if (path.isEmpty()
                        || options.paths().containsKey(path.get())
                        || count == MAX_PATHS) {
                    throw e;
                }
                options = options.withPath(path.get(), paths.resolve(call, path.get()));
            }
        }
    }

    private static Optional<String> missingPath(YtException e) {
        return e.error().code() == YtCodes.RESOLVE_ERROR
                ? e.error().attributes().member(YtSelectTyping.PATH).flatMap(YsonNode::string)
                : Optional.empty();
    }

    private static YtQueryOptions options(CommandParameters parameters) {
        refuse(parameters, "versioned_read_options");
        refuse(parameters, "retention_timestamp");
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
                PlaceholderValues.of(parameters),
                Map.of());
    }

    private static void refuse(CommandParameters parameters, String name) {
        if (parameters.find(name).isPresent()) {
            throw new YtException(
                    YtCodes.GENERIC,
                    "The parameter \"%s\" of queries is not supported".formatted(name));
        }
    }
}
