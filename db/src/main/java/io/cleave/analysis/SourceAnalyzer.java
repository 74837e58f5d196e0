package io.cleave.analysis;

import io.cleave.base.Bytes;
import io.cleave.base.Issue;
import io.cleave.base.Issue.Position;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.function.call.Dialect;
import io.cleave.function.operator.Predicates;
import io.cleave.schema.Index;
import io.cleave.schema.Table;
import io.cleave.schema.View;
import io.cleave.typed.Relation;
import io.cleave.typed.Relation.Field;
import io.cleave.typed.ScalarFunction;
import io.cleave.typed.Typed;
import io.cleave.value.CommonType;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;
import io.cleave.yql.Expression;
import io.cleave.yql.Parser;
import io.cleave.yql.Query.Source;
import io.cleave.yql.TableName;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Analyzes FROM: tables, lists and subqueries. Joins are in `JoinAnalyzer`.
final class SourceAnalyzer {
    private final AnalysisContext context;
    private final @Nullable Bindings bindings;

    SourceAnalyzer(AnalysisContext context, @Nullable Bindings bindings) {
        this.context = context;
        this.bindings = bindings;
    }

    RowSource analyze(Source source) {
        return switch (source) {
            case Source.Named named -> table(named);
            case Source.FromList list ->
                    RowSource.of(
                            listRows(list.at(), scope().analyze(list.rows())),
                            list.alias().stream().toList());
            case Source.FromQuery query ->
                    RowSource.of(
                            new QueryAnalyzer(context, bindings).analyze(query.query()),
                            query.alias().stream().toList());
            case Source.NamedQuery query -> namedQuery(query);
            case Source.CalledQuery call -> called(call);
            case Source.Hinted hinted -> hinted(hinted);
            case Source.Renamed renamed -> renamed(renamed);
            case Source.Sampled sampled -> sampled(sampled);
            case Source.Flattened flattened ->
                    new FlattenAnalyzer(context, bindings)
                            .by(flattened, analyze(flattened.source()));
            case Source.FlattenedColumns flattened ->
                    new FlattenAnalyzer(context, bindings)
                            .columns(flattened, analyze(flattened.source()));
            case Source.Joined joined -> new JoinAnalyzer(context, this, bindings).analyze(joined);
            case Source.Any any ->
                    throw AnalysisContext.error(
                            any.at(), "ANY is allowed only before a side of a JOIN");
        };
    }

    private RowSource hinted(Source.Hinted hinted) {
        if (!isTable(hinted.source())) {
            throw AnalysisContext.error(
                    hinted.at(), "Hint '%s' requires a table".formatted(hinted.hint()));
        }
        return analyze(hinted.source());
    }

    private boolean isTable(Source source) {
        return switch (source) {
            case Source.Named named -> findCommonTable(named).isEmpty();
            case Source.NamedQuery named ->
                    query(Bindings.find(bindings, named.name())).isEmpty()
                            && constantText(scope().named(named.at(), named.name())).isPresent();
            default -> false;
        };
    }

    private RowSource renamed(Source.Renamed renamed) {
        RowSource source = analyze(renamed.source());
        return RowSource.of(
                QueryAnalyzer.renamed(renamed.at(), source.relation(), renamed.columns()),
                source.columns().isEmpty() ? List.of() : source.columns().getFirst().sources());
    }

    /// Draws a random number for each row.
    private RowSource sampled(Source.Sampled sampled) {
        RowSource source = analyze(sampled.source());
        Typed percent = scope().analyze(sampled.percent());
        if (!CommonType.isNumber(percent.type())) {
            throw AnalysisContext.error(
                    sampled.at(), "Expected a number in SAMPLE, but got: " + percent.type().text());
        }
        Typed drawn =
                new Typed.Apply(
                        Primitive.DOUBLE,
                        ScalarFunction.random(
                                "Random", (_, run) -> Value.of(run.randomDouble() * 100)),
                        List.of());
        Typed kept = Predicates.compare(sampled.at(), Typed.Comparison.LESS, drawn, percent);
        return new RowSource(new Relation.Filter(source.relation(), kept), source.columns());
    }

    private RowSource called(Source.CalledQuery call) {
        List<String> sources = call.alias().stream().toList();
        var routine = Bindings.findRoutine(bindings, call.name());
        if (routine.isPresent()) {
            return RowSource.of(
                    Routines.rows(context, call.at(), routine.get(), call.arguments(), bindings),
                    sources);
        }
        var value =
                new Expression.Call(
                        call.at(),
                        Optional.empty(),
                        call.name(),
                        call.arguments().stream()
                                .map(
                                        argument ->
                                                new Expression.Argument(Optional.empty(), argument))
                                .toList(),
                        false,
                        false,
                        Optional.empty());
        return RowSource.of(listRows(call.at(), scope().analyze(value)), sources);
    }

    private RowSource commonTable(Source.Named named, Bindings.CommonTable found) {
        context.enter(named.at());
        Relation rows = new QueryAnalyzer(context, found.seen()).analyze(found.table().query());
        context.leave();
        return RowSource.of(
                QueryAnalyzer.renamed(found.table().at(), rows, found.table().columns()),
                List.of(named.alias().orElse(found.table().name())));
    }

    private Optional<Bindings.CommonTable> findCommonTable(Source.Named named) {
        return named.table().named() || named.view().isPresent()
                ? Optional.empty()
                : Bindings.findTable(bindings, named.table().text());
    }

    private RowSource table(Source.Named named) {
        Optional<Bindings.CommonTable> common = findCommonTable(named);
        if (common.isPresent()) {
            return commonTable(named, common.get());
        }
        Optional<View> shown =
                named.view().isPresent() ? Optional.empty() : context.view(path(named.table()));
        if (shown.isPresent()) {
            return RowSource.of(
                    viewRows(named.at(), shown.get()),
                    named.alias()
                            .map(List::of)
                            .orElseGet(() -> List.of(named.table().text(), name(shown.get()))));
        }
        Table table = table(named.table());
        Relation rows =
                named.view().isPresent()
                        ? indexRows(named.at(), table, named.view().get())
                        : new Relation.TableRows(table);
        return RowSource.of(rows, sources(named.alias(), named.table().text(), table));
    }

    private Relation indexRows(Position at, Table table, String name) {
        Index index =
                table.index(name)
                        .orElseThrow(
                                () ->
                                        new StatusException(
                                                Status.SCHEME_ERROR,
                                                Issue.error(
                                                                Issue.SCHEME,
                                                                "Required global index not found,"
                                                                        + " index name: "
                                                                        + name)
                                                        .at(at)));
        if (!index.isReady()) {
            throw new StatusException(
                    Status.UNAVAILABLE,
                    Issue.error(
                                    Issue.INDEX_NOT_READY,
                                    "Requested index: " + name + " is not ready to use")
                            .at(at));
        }
        Table indexTable = context.table(at, Index.path(table.path(), name));
        if (index.kind() == Index.Kind.ASYNC) {
            context.readsAsyncIndex(indexTable.path());
        }
        return new Relation.IndexRows(table, index, indexTable);
    }

    /// The rows of a view. Errors in its text are reported at the position that names the view.
    private Relation viewRows(Position at, View view) {
        String prefix = context.setPathPrefix(view.pathPrefix());
        // The pragmas of a text do not apply to the views that it uses.
        Dialect dialect = context.dialect();
        context.setDialect(context.firstDialect());
        try {
            return Routines.rows(context, at, Parser.parse(view.text()), null);
        } catch (StatusException refused) {
            throw new StatusException(
                    refused.status(),
                    refused.issues().stream().map(issue -> issue.at(at)).toList());
        } finally {
            context.setDialect(dialect);
            context.setPathPrefix(prefix);
        }
    }

    private static String name(View view) {
        return view.path().substring(view.path().lastIndexOf('/') + 1);
    }

    /// A table without an alias can be qualified by its name or by its path as written.
    private static List<String> sources(Optional<String> alias, String text, Table table) {
        return alias.map(List::of).orElseGet(() -> List.of(text, table.name()));
    }

    Table table(TableName name) {
        return context.table(name.at(), path(name));
    }

    /// The absolute path of a table name in the text.
    String path(TableName name) {
        return context.absolute(text(name));
    }

    /// The name as text, for names that are not paths.
    String text(TableName name) {
        if (!name.named()) {
            return name.text();
        }
        Typed value = scope().named(name.at(), name.text());
        return constantText(value)
                .orElseThrow(
                        () ->
                                AnalysisContext.error(
                                        name.at(),
                                        "Expected a constant string as the table name "
                                                + name.text()));
    }

    private static Optional<String> constantText(Typed value) {
        if (value instanceof Typed.Constant(_, Value.Binary(Bytes bytes))) {
            return Optional.of(bytes.utf8());
        }
        if (value instanceof Typed.Constant(_, Value.Text(String text))) {
            return Optional.of(text);
        }
        return Optional.empty();
    }

    private static Optional<Expression.SubQuery> query(Optional<Bindings.Binding> binding) {
        return binding.isPresent()
                        && binding.get().value() instanceof Expression.SubQuery query
                        && binding.get().item() < 0
                ? Optional.of(query)
                : Optional.empty();
    }

    private RowSource namedQuery(Source.NamedQuery named) {
        List<String> sources = named.alias().stream().toList();
        var binding = Bindings.find(bindings, named.name());
        var query = query(binding);
        if (query.isPresent()) {
            return RowSource.of(context.namedQueries().rows(binding.get(), query.get()), sources);
        }
        Typed value = scope().named(named.at(), named.name());
        Optional<String> text = constantText(value);
        if (text.isPresent()) {
            String path = context.absolute(text.get());
            Optional<View> shown = context.view(path);
            if (shown.isPresent()) {
                return RowSource.of(
                        viewRows(named.at(), shown.get()),
                        named.alias()
                                .map(List::of)
                                .orElseGet(() -> List.of(text.get(), name(shown.get()))));
            }
            Table table = context.table(named.at(), path);
            return RowSource.of(
                    new Relation.TableRows(table), sources(named.alias(), text.get(), table));
        }
        return RowSource.of(listRows(named.at(), value), sources);
    }

    static Relation listRows(Position at, Typed list) {
        if (list.type() == Type.Unit.EMPTY_LIST) {
            return new Relation.ConstantRows(List.of(), List.of());
        }
        if (list.type() instanceof Type.ListOf(Type.Struct(List<Type.Member> members))) {
            List<Field> fields = new ArrayList<>();
            members.forEach(member -> fields.add(new Field(member.name(), member.type())));
            return new Relation.ListRows(list, fields);
        }
        throw AnalysisContext.error(
                at, "AS_TABLE expects a List of Structs, but got: " + list.type().text());
    }

    private BaseScope scope() {
        return new BaseScope(context, bindings);
    }
}
