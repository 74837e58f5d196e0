package io.cleave.analysis;

import com.google.errorprone.annotations.CanIgnoreReturnValue;

import io.cleave.base.Issue;
import io.cleave.base.Issue.Position;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.function.call.Dialect;
import io.cleave.schema.Table;
import io.cleave.schema.Tables;
import io.cleave.schema.View;
import io.cleave.typed.AnalyzedText;
import io.cleave.typed.Relation;
import io.cleave.typed.Typed;
import io.cleave.typed.TypedStatement;
import io.cleave.typed.TypedStatement.SubQuery;
import io.cleave.typed.WarningPolicy;
import io.cleave.value.Type;
import io.cleave.yql.Statement;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// State shared while one query text is analyzed: the catalog, the parameters used so far, and the
/// subqueries of the current statement. Used by one thread for one text.
final class AnalysisContext {
    private final AnalysisOptions options;
    private final Tables tables;
    private final Map<String, Statement.Declare> declared = new LinkedHashMap<>();

    /// The parameters that the text uses. The caller needs to send values only for these.
    private final Map<String, Type> parameters = new LinkedHashMap<>();

    private final Map<Long, Long> tableVersions = new HashMap<>();
    private final Map<String, Table> found = new HashMap<>();
    private final List<Issue> warnings = new ArrayList<>();
    private final TypeWarnings typeWarnings = new TypeWarnings();
    private final List<TypedStatement> statements = new ArrayList<>();
    private final NamedQueries namedQueries = new NamedQueries(this, statements);
    private List<SubQuery> subQueries = new ArrayList<>();
    private int slotCount;
    private String pathPrefix = "";
    private final Dialect firstDialect;
    private Dialect dialect;
    private WarningPolicy warningPolicy = WarningPolicy.NONE;
    private boolean choosesIndexes;
    private long resultRowsLimit;
    private long rangeExpansionLimit = AnalyzedText.RANGE_EXPANSION_LIMIT;
    private Optional<String> asyncIndexTable = Optional.empty();
    private int depth;

    /// Maximum nesting depth of queries, named queries included.
    private static final int MAX_DEPTH = 64;

    /// Maximum number of name expansions in a text. Without it, a few dozen names that each use the
    /// previous name twice would expand without end.
    private static final int MAX_EXPANSIONS = 100_000;

    private int expansions;

    AnalysisContext(AnalysisOptions options, Tables tables) {
        this.options = options;
        this.tables = tables;
        this.firstDialect = options.dialect();
        this.dialect = firstDialect;
    }

    /// The dialect that is in effect before any pragma.
    Dialect firstDialect() {
        return firstDialect;
    }

    Dialect dialect() {
        return dialect;
    }

    void setDialect(Dialect changed) {
        dialect = changed;
    }

    /// Maximum number of rows returned for each result; 0 means no limit.
    long resultRowsLimit() {
        return resultRowsLimit;
    }

    void setResultRowsLimit(long rows) {
        resultRowsLimit = rows;
    }

    /// Roughly the maximum number of key ranges of a read whose generated columns are inferred.
    long rangeExpansionLimit() {
        return rangeExpansionLimit;
    }

    void setRangeExpansionLimit(long ranges) {
        rangeExpansionLimit = ranges;
    }

    /// Whether the optimizer may read a table through an index that the text does not name.
    boolean choosesIndexes() {
        return choosesIndexes;
    }

    void setChoosesIndexes(boolean choose) {
        choosesIndexes = choose;
    }

    /// Records that the text reads the table of an asynchronous index, which lags behind its main
    /// table.
    void readsAsyncIndex(String path) {
        asyncIndexTable = Optional.of(path);
    }

    Optional<String> asyncIndexTable() {
        return asyncIndexTable;
    }

    ExpressionAnalyzer expressions() {
        return ExpressionAnalyzer.ANALYZER;
    }

    void declare(Statement.Declare declare) {
        declared.put(declare.name(), declare);
    }

    /// The type of a parameter: the declared one, or else the type of the value that was sent.
    Optional<Type> parameter(String name) {
        Statement.Declare declare = declared.get(name);
        Type type = declare != null ? declare.type() : options.sent().get(name);
        if (type != null) {
            parameters.put(name, type);
        }
        return Optional.ofNullable(type);
    }

    void warn(Issue issue) {
        warnings.add(issue);
    }

    WarningPolicy warningPolicy() {
        return warningPolicy;
    }

    void setWarningPolicy(WarningPolicy policy) {
        warningPolicy = policy;
    }

    /// The parameters that the text uses. No values have to be sent for others.
    Map<String, Type> parameters() {
        return parameters;
    }

    /// Returns the previous prefix.
    @CanIgnoreReturnValue
    String setPathPrefix(String prefix) {
        String before = pathPrefix;
        pathPrefix = prefix;
        return before;
    }

    String pathPrefix() {
        return pathPrefix;
    }

    /// The view at an absolute path, if there is one.
    Optional<View> view(String path) {
        return tables.view(path);
    }

    /// The root of the path tree.
    String database() {
        return options.database();
    }

    /// The absolute path of a name in the text.
    String absolute(String name) {
        if (name.startsWith("/")) {
            return checked(trimmed(name));
        }
        String prefix = pathPrefix;
        if (prefix.isEmpty()) {
            prefix = options.database();
        } else if (!prefix.startsWith("/")) {
            prefix = options.database() + "/" + prefix;
        }
        return joined(prefix, name);
    }

    /// Throws if the path contains `..`, as in every other request with a path.
    private static String checked(String path) {
        if (("/" + path + "/").contains("/../")) {
            throw new StatusException(
                    Status.SCHEME_ERROR,
                    Issue.error(
                            Issue.SCHEME,
                            "Check failed: path: '%s', error: path part '..' is not allowed"
                                    .formatted(path)));
        }
        return path;
    }

    /// Removes duplicate slashes and a trailing one.
    private static String trimmed(String path) {
        String single = path.replaceAll("/+", "/");
        return single.length() > 1 && single.endsWith("/")
                ? single.substring(0, single.length() - 1)
                : single;
    }

    /// Path elements `.` are dropped.
    private static String joined(String directory, String name) {
        String path = checked(directory + "/" + name);
        List<String> elements = new ArrayList<>();
        for (String element : path.split("/")) {
            if (!element.isEmpty() && !element.equals(".")) {
                elements.add(element);
            }
        }
        return "/" + String.join("/", elements);
    }

    /// The table at an absolute path. From now on the compiled text depends on its version.
    Table table(Position at, String path) {
        Table known = found.get(path);
        if (known != null) {
            return known;
        }
        Table table = tables.find(path).orElseThrow(() -> unknownTable(at, path));
        found.put(path, table);
        tableVersions.put(table.id(), table.version());
        return table;
    }

    static StatusException unknownTable(Position at, String path) {
        return new StatusException(
                Status.SCHEME_ERROR,
                Issue.error(
                                Issue.SCHEME,
                                "Cannot find table 'db.["
                                        + path
                                        + "]' because it does not exist or you do not have access"
                                        + " permissions. Please check correctness of table path"
                                        + " and user permissions.")
                        .at(at));
    }

    /// The statements of the text that have been analyzed so far.
    List<TypedStatement> statements() {
        return statements;
    }

    NamedQueries namedQueries() {
        return namedQueries;
    }

    Map<Long, Long> tableVersions() {
        return tableVersions;
    }

    TypeWarnings typeWarnings() {
        return typeWarnings;
    }

    List<Issue> warnings() {
        List<Issue> all = new ArrayList<>(warnings);
        typeWarnings.issue().ifPresent(all::add);
        return all;
    }

    int addSubQuery(SubQuery.Shape shape, Relation rows) {
        int slot = newSlot();
        addSubQuery(new SubQuery(slot, shape, rows));
        return slot;
    }

    void addSubQuery(SubQuery query) {
        subQueries.add(query);
    }

    int newSlot() {
        return slotCount++;
    }

    int slotCount() {
        return slotCount;
    }

    /// The subqueries added since the last call, in the order in which they have to run.
    List<SubQuery> takeSubQueries() {
        List<SubQuery> taken = subQueries;
        subQueries = new ArrayList<>();
        return taken;
    }

    void enter(Position at) {
        expand(at);
        depth++;
        if (depth > MAX_DEPTH) {
            throw error(at, "Queries are nested deeper than " + MAX_DEPTH);
        }
    }

    /// Must be called for each expansion of a name.
    void expand(Position at) {
        if (++expansions > MAX_EXPANSIONS) {
            throw error(
                    at,
                    "Query is too large: its names expand to more than %d expressions and queries"
                            .formatted(MAX_EXPANSIONS));
        }
    }

    void leave() {
        depth--;
    }

    int depth() {
        return depth;
    }

    /// Resets the state after a failed statement, so that the analysis can continue with the next
    /// one.
    void recover(int depthBefore) {
        depth = depthBefore;
        subQueries = new ArrayList<>();
    }

    /// Converts the value to `target`. The error for a failed conversion names the column and the
    /// position.
    Typed convert(Position at, Typed value, Type target, String column) {
        try {
            Typed converted =
                    expressions().convert(value, target, column, value instanceof Typed.Constant);
            typeWarnings.converted(at, value, target);
            return converted;
        } catch (StatusException refused) {
            throw new StatusException(
                    refused.status(),
                    refused.issues().stream().map(issue -> issue.at(at)).toList());
        }
    }

    static StatusException error(Position at, String message) {
        return new StatusException(Status.GENERIC_ERROR, message, at);
    }

    static StatusException unsupported(Position at, String what) {
        return new StatusException(
                Status.UNSUPPORTED,
                Issue.error(Issue.UNSUPPORTED, what + " is not supported").at(at));
    }
}
