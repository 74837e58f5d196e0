package io.cleave.analysis;

import io.cleave.analysis.Relation.Field;
import io.cleave.base.Bytes;
import io.cleave.base.Issue;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.base.Issue.Position;
import io.cleave.schema.Index;
import io.cleave.schema.Table;
import io.cleave.value.Type;
import io.cleave.value.Value;
import io.cleave.yql.Expression;
import io.cleave.yql.Query.Source;
import io.cleave.yql.TableName;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What stands behind FROM: tables, lists, queries; joins in a class of their own.
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
            case Source.Joined joined -> new JoinAnalyzer(context, this, bindings).analyze(joined);
        };
    }

    private RowSource table(Source.Named named) {
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

    /// A table without an alias is known by its name.
    private static List<String> sources(Optional<String> alias, String text, Table table) {
        return alias.map(List::of).orElseGet(() -> List.of(text, table.name()));
    }

    Table table(TableName name) {
        return context.table(name.at(), path(name));
    }

    /// The absolute path that a name in the text means.
    String path(TableName name) {
        if (!name.named()) {
            return context.absolute(name.text());
        }
        Typed value = scope().named(name.at(), name.text());
        return context.absolute(
                constantText(value)
                        .orElseThrow(
                                () ->
                                        AnalysisContext.error(
                                                name.at(),
                                                "Expected a constant string as the table name "
                                                        + name.text())));
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

    private RowSource namedQuery(Source.NamedQuery named) {
        List<String> sources = named.alias().stream().toList();
        var binding = Bindings.find(bindings, named.name());
        if (binding.isPresent()
                && binding.get().value() instanceof Expression.SubQuery query
                && binding.get().item() < 0) {
            var analyzer = new QueryAnalyzer(context, binding.get().seen());
            return RowSource.of(analyzer.analyze(query.query()), sources);
        }
        Typed value = scope().named(named.at(), named.name());
        Optional<String> text = constantText(value);
        if (text.isPresent()) {
            Table table = context.table(named.at(), context.absolute(text.get()));
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
