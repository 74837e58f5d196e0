package io.cleave.ytql;

import static java.util.Objects.requireNonNull;

import io.cleave.function.yt.YtOperators;
import io.cleave.function.yt.YtTypes;
import io.cleave.schema.Column;
import io.cleave.schema.Index;
import io.cleave.schema.Table;
import io.cleave.schema.Tables;
import io.cleave.typed.AnalyzedText;
import io.cleave.typed.GeneratedColumn;
import io.cleave.typed.GeneratedColumns;
import io.cleave.typed.Relation;
import io.cleave.typed.Relation.Field;
import io.cleave.typed.Relation.SortKey;
import io.cleave.typed.Typed;
import io.cleave.typed.TypedStatement;
import io.cleave.typed.WarningPolicy;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtError;
import io.cleave.yt.error.YtException;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// Types a whole query. The clauses are processed in this order: FROM and joins, WHERE, GROUP BY,
/// HAVING, ORDER BY, LIMIT, SELECT list.
///
/// Unless ORDER BY says otherwise, rows come in the key order of the table in FROM. So LIMIT
/// without ORDER BY has a defined result.
///
/// Threads: one, for one text.
public final class YtSelectTyping {
    /// The attribute of an error that contains the path of a table that was not found.
    public static final String PATH = "path";

    private static final int MAX_JOINS = 200;

    private final YtQueryOptions options;
    private final String database;
    private final Tables tables;
    private final GeneratedColumns generated;
    private final Map<Long, Long> tableVersions = new HashMap<>();
    private final YtSentValues sent = new YtSentValues();

    /// The number of relations whose rows are kept.
    private int keptCount;

    /// The number of the group of each join that was typed.
    private final IdentityHashMap<YtQuery.TableJoin, Integer> joinGroups = new IdentityHashMap<>();

    private YtSelectTyping(
            YtQueryOptions options, String database, Tables tables, GeneratedColumns generated) {
        this.options = options;
        this.database = database;
        this.tables = tables;
        this.generated = generated;
    }

    /// Types a query on the tables of the database at `database`. The path `//` is the root of the
    /// database.
    public static AnalyzedText analyze(
            String text,
            YtQueryOptions options,
            String database,
            Tables tables,
            GeneratedColumns generated) {
        YtQuery query = YtParser.query(text, options.syntaxVersion(), options.placeholders());
        var typing = new YtSelectTyping(options, database, tables, generated);
        Relation rows = typing.relation(query);
        return new AnalyzedText(
                List.of(new TypedStatement.Select(rows, false, List.of())),
                typing.sent.parameters(),
                typing.tableVersions,
                0,
                List.of(),
                WarningPolicy.NONE,
                false,
                Optional.empty(),
                0,
                options.rangeExpansionLimit());
    }

    /// What `explain_query` says about a query, without its key ranges.
    public static YtQueryFacts facts(
            String text,
            YtQueryOptions options,
            String database,
            Tables tables,
            GeneratedColumns generated) {
        YtQuery query = YtParser.query(text, options.syntaxVersion(), options.placeholders());
        var typing = new YtSelectTyping(options, database, tables, generated);
        return typing.facts(query);
    }

    private YtQueryFacts facts(YtQuery query) {
        var _ = relation(query);
        var joins = new TreeMap<Integer, List<YtQueryFacts.Join>>();
        Optional<Table> main =
                query.source() instanceof YtQuery.TableName name
                        ? Optional.of(table(name.path()))
                        : Optional.empty();
        Optional<String> alias =
                query.source() instanceof YtQuery.TableName name ? name.alias() : Optional.empty();
        for (YtQuery.Join join : query.joins()) {
            if (join instanceof YtQuery.TableJoin tableJoin) {
                joins.computeIfAbsent(
                                requireNonNull(joinGroups.get(tableJoin)), _ -> new ArrayList<>())
                        .add(
                                YtJoins.facts(
                                        main, alias, table(tableJoin.table().path()), tableJoin));
            }
        }
        return new YtQueryFacts(
                query.where().map(YtExpressionText::tuple),
                query.limit().isPresent() && query.orderBy().isEmpty(),
                main.flatMap(table -> commonPrefix(query, table, alias)),
                List.copyOf(joins.values()),
                query.source() instanceof YtQuery.Nested nested
                        ? Optional.of(facts(nested.query()))
                        : Optional.empty());
    }

    void joinsInGroup(YtQuery.TableJoin join, int group) {
        joinGroups.put(join, group);
    }

    /// The number of key columns, if GROUP BY has all of them except computed ones.
    private static Optional<Integer> commonPrefix(
            YtQuery query, Table table, Optional<String> alias) {
        Set<String> grouped = new HashSet<>();
        for (YtExpression key : query.groupBy().orElse(List.of())) {
            YtExpression value = key instanceof YtExpression.Alias named ? named.expression() : key;
            if (value instanceof YtExpression.Reference reference
                    && reference.table().equals(alias)) {
                grouped.add(reference.column());
            }
        }
        boolean covered =
                table.key().stream()
                        .allMatch(
                                column ->
                                        GeneratedColumn.isGenerated(column)
                                                || grouped.contains(column.name()));
        return covered && !grouped.isEmpty()
                ? Optional.of(table.keyColumns().size())
                : Optional.empty();
    }

    private Relation relation(YtQuery query) {
        checkClauses(query);
        var nulls =
                options.canonicalNulls()
                        ? YtOperators.NullRelations.CANONICAL
                        : YtOperators.NullRelations.LEAST;
        var typing = new YtExpressionTyping(new YtOperators(nulls), query.aliases(), sent);
        YtRows rows = source(query);
        rows = new YtJoins(this, typing, generated, options).join(rows, query.joins());
        if (query.where().isPresent()) {
            Typed predicate = typing.predicate(query.where().get(), "WHERE-clause", rows);
            rows = rows.with(new Relation.Filter(rows.relation(), YtNarrowing.of(predicate)));
        }
        return query.groupBy().isPresent()
                ? grouped(query, rows, typing)
                : plain(query, rows, typing);
    }

    private static void checkClauses(YtQuery query) {
        boolean ordered = !query.orderBy().isEmpty();
        if (query.having().isPresent()) {
            refuseIf(query.groupBy().isEmpty(), "Expected GROUP BY before HAVING");
            refuseIf(!ordered && query.limit().isPresent(), "HAVING with LIMIT is not allowed");
            refuseIf(!ordered && query.offset().isPresent(), "HAVING with OFFSET is not allowed");
        }
        refuseIf(ordered && query.limit().isEmpty(), "ORDER BY used without LIMIT");
        refuseIf(
                query.offset().isPresent() && query.limit().isEmpty(), "OFFSET used without LIMIT");
        // A literal has 64 bits without a sign, so a large one is negative here.
        refuseIf(query.limit().filter(limit -> limit < 0).isPresent(), "Maximum LIMIT exceeded");
        refuseIf(query.offset().filter(offset -> offset < 0).isPresent(), "Maximum LIMIT exceeded");
        refuseIf(
                query.joins().size() > MAX_JOINS,
                "The number of joins exceeds the allowed maximum. Consider rewriting the query.");
        query.items().ifPresent(YtExpressionTyping::checkDepth);
        query.groupBy().ifPresent(YtExpressionTyping::checkDepth);
        query.orderBy().forEach(order -> YtExpressionTyping.checkDepth(order.keys()));
        YtExpressionTyping.checkDepth(List.copyOf(query.aliases().values()));
    }

    private static void refuseIf(boolean wrong, String message) {
        if (wrong) {
            throw new YtException(YtCodes.GENERIC, message);
        }
    }

    private YtRows source(YtQuery query) {
        return switch (query.source()) {
            case YtQuery.TableName name -> {
                Table table = table(name.path());
                yield query.index().isPresent()
                        ? indexRows(table, name, query.index().get())
                        : rows(table, name.alias());
            }
            case YtQuery.Nested nested -> {
                refuseIf(query.index().isPresent(), "WITH INDEX needs a table in FROM");
                yield YtRows.of(relation(nested.query()), nested.alias(), List.of());
            }
        };
    }

    /// The rows of a table, read through one of its indexes and in the index's order. The index is
    /// named by its own path or by that of its index table.
    private YtRows indexRows(Table table, YtQuery.TableName name, YtQuery.TableName wanted) {
        // The table may be named by a link.
        String path =
                wanted.path().startsWith(name.path() + "/")
                        ? table.path() + wanted.path().substring(name.path().length())
                        : absolute(wanted.path());
        for (Index index : table.indexes()) {
            String indexPath = Index.path(table.path(), index.name());
            if (path.equals(indexPath) || path.equals(table.path() + "/" + index.name())) {
                refuseIf(
                        !index.isReady() || index.kind() == Index.Kind.ASYNC,
                        "Index \"%s\" may lack rows of table \"%s\": it is asynchronous or not complete; query the table without WITH INDEX"
                                .formatted(wanted.path(), name.path()));
                Table indexTable = tables.find(indexPath).orElseThrow();
                tableVersions.put(indexTable.id(), indexTable.version());
                List<Integer> order = new ArrayList<>();
                for (Column column : indexTable.key()) {
                    order.add(table.indexOf(column.name()));
                }
                return YtRows.of(
                        new Relation.IndexRows(table, index, indexTable), name.alias(), order);
            }
        }
        throw new YtException(
                YtCodes.GENERIC,
                "Table \"%s\" is not a secondary index of table \"%s\"; query the table without WITH INDEX"
                        .formatted(wanted.path(), name.path()));
    }

    static YtRows rows(Table table, Optional<String> alias) {
        return YtRows.of(new Relation.TableRows(table), alias, table.keyColumns());
    }

    Table table(String path) {
        Table table =
                tables.find(absolute(path))
                        .orElseThrow(
                                () ->
                                        YtError.of(
                                                        YtCodes.RESOLVE_ERROR,
                                                        "Error resolving path " + path)
                                                .with(PATH, path)
                                                .exception());
        tableVersions.put(table.id(), table.version());
        if (options.canonicalNulls() && GeneratedColumn.isIn(table)) {
            throw new YtException(
                    YtCodes.GENERIC,
                    "Canonical null relations are not supported for tables with computed columns");
        }
        return table;
    }

    private String absolute(String path) {
        String inside = path.startsWith("//") ? path.substring(1) : "/" + path;
        return options.paths().getOrDefault(path, database + inside);
    }

    /// The values of the result with their names.
    private record Outputs(List<Typed> values, List<Field> fields) {
        Relation of(Relation rows) {
            return new Relation.Project(rows, values, fields);
        }
    }

    private Relation plain(YtQuery query, YtRows rows, YtExpressionTyping typing) {
        Outputs outputs =
                query.items().isPresent() ? outputs(query.items().get(), rows, typing) : star(rows);
        List<SortKey> order = order(query, rows, typing);
        boolean keyOrder = order.isEmpty() && (query.limit().isPresent() || !rows.isJoined());
        Relation sorted =
                order.isEmpty()
                        ? keyOrder ? rows.ordered() : rows.relation()
                        : new Relation.Sort(rows.relation(), order);
        return outputs.of(limited(query, sorted));
    }

    private Relation grouped(YtQuery query, YtRows rows, YtExpressionTyping typing) {
        boolean totals = query.totals() != YtQuery.Totals.NONE;
        var groups = new YtGroups(rows, query.groupBy().orElseThrow(), totals, typing);
        Outputs outputs =
                query.items().isPresent()
                        ? outputs(query.items().get(), groups, typing)
                        : named(groups.keyValues(), groups.keyNames());
        Optional<Typed> having =
                query.having()
                        .map(predicate -> typing.predicate(predicate, "HAVING-clause", groups));
        List<SortKey> order = order(query, groups, typing);
        if (!totals) {
            return outputs.of(finished(query, having, order, groups.relation()));
        }
        groups.prepareTotals();
        // Without ORDER BY, the totals are those of the groups that are read.
        Relation found = groups.relation();
        Relation read =
                order.isEmpty() && query.limit().isPresent() ? firstGroups(query, found) : found;
        int number = keptCount++;
        var kept = new Relation.KeptRows(number, read.fields());
        Relation counted =
                query.totals() == YtQuery.Totals.AFTER_HAVING
                        ? having.<Relation>map(it -> new Relation.Filter(kept, it)).orElse(kept)
                        : kept;
        return new Relation.Kept(
                number,
                read,
                List.of(
                        outputs.of(finished(query, having, order, kept)),
                        outputs.of(groups.totals(counted))));
    }

    /// The groups after HAVING, ORDER BY, OFFSET and LIMIT.
    private static Relation finished(
            YtQuery query, Optional<Typed> having, List<SortKey> order, Relation groups) {
        Relation kept =
                having.<Relation>map(predicate -> new Relation.Filter(groups, predicate))
                        .orElse(groups);
        return limited(query, order.isEmpty() ? kept : new Relation.Sort(kept, order));
    }

    /// The groups up to the last one that OFFSET and LIMIT let through.
    private static Relation firstGroups(YtQuery query, Relation groups) {
        long most = query.limit().orElseThrow() + query.offset().orElse(0L);
        // Neither of the two is negative, so a sum that is too large is.
        long count = most < 0 ? Long.MAX_VALUE : most;
        return new Relation.Limit(groups, Optional.of(count(count)), Optional.empty());
    }

    private static Outputs outputs(
            List<YtExpression> items, YtScope scope, YtExpressionTyping typing) {
        List<Typed> values = new ArrayList<>();
        List<String> names = new ArrayList<>();
        for (YtExpression item : items) {
            values.add(typing.typed(item, scope));
            names.add(YtExpressionText.columnName(item));
        }
        return named(values, names);
    }

    private static Outputs star(YtRows rows) {
        List<Typed> values = new ArrayList<>();
        List<String> names = new ArrayList<>();
        for (YtRows.Column column : rows.columns()) {
            values.add(YtTypes.widened(column.value()));
            names.add(column.title());
        }
        return named(values, names);
    }

    private static Outputs named(List<Typed> values, List<String> names) {
        Set<String> seen = new HashSet<>();
        List<Field> fields = new ArrayList<>();
        for (int index = 0; index < names.size(); index++) {
            String name = names.get(index);
            refuseIf(!seen.add(name), "Duplicate column name \"%s\"".formatted(name));
            fields.add(new Field(name, values.get(index).type()));
        }
        return new Outputs(values, fields);
    }

    private static List<SortKey> order(YtQuery query, YtScope scope, YtExpressionTyping typing) {
        List<SortKey> keys = new ArrayList<>();
        for (YtQuery.Order order : query.orderBy()) {
            for (YtExpression key : order.keys()) {
                keys.add(
                        new SortKey(
                                YtNarrowing.bare(typing.typed(key, scope)), order.descending()));
            }
        }
        return keys;
    }

    private static Relation limited(YtQuery query, Relation rows) {
        if (query.limit().isEmpty()) {
            return rows;
        }
        return new Relation.Limit(
                rows,
                query.limit().map(YtSelectTyping::count),
                query.offset().map(YtSelectTyping::count));
    }

    private static Typed count(long count) {
        return new Typed.Constant(Primitive.UINT64, Value.of(count));
    }
}
