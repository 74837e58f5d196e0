package io.cleave.analysis;

import io.cleave.base.Issue.Position;
import io.cleave.schema.Index;
import io.cleave.schema.Table;
import io.cleave.schema.View;
import io.cleave.typed.Relation;
import io.cleave.typed.Relation.Field;
import io.cleave.typed.Typed;
import io.cleave.typed.TypedStatement;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;
import io.cleave.yql.Parser;
import io.cleave.yql.Statement;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// SHOW CREATE TABLE and SHOW CREATE VIEW: returns one row with the statement that creates the
/// object.
final class ShowCreateAnalyzer {
    private final AnalysisContext context;
    private final @Nullable Bindings bindings;

    ShowCreateAnalyzer(AnalysisContext context, @Nullable Bindings bindings) {
        this.context = context;
        this.bindings = bindings;
    }

    TypedStatement analyze(Statement.ShowCreate show) {
        var sources = new SourceAnalyzer(context, bindings);
        String path = sources.path(show.name());
        String name = relative(context.database(), path);
        String text = show.ofView() ? view(show, path) : table(show, path, name);
        return new TypedStatement.Select(
                new Relation.ConstantRows(
                        List.of(
                                List.of(
                                        constant(name),
                                        constant(show.ofView() ? "View" : "Table"),
                                        constant(text))),
                        List.of(
                                new Field("Path", Primitive.UTF8),
                                new Field("PathType", Primitive.UTF8),
                                new Field("CreateQuery", Primitive.UTF8))),
                false,
                List.of());
    }

    private String table(Statement.ShowCreate show, String path, String name) {
        Position at = show.name().at();
        Table table = context.table(at, path);
        List<Table> indexTables =
                table.indexes().stream()
                        .map(index -> context.table(at, Index.path(table.path(), index.name())))
                        .toList();
        return TableText.of(table, name, indexTables);
    }

    /// The path relative to the directory if it is below it, otherwise unchanged.
    private static String relative(String directory, String path) {
        return path.startsWith(directory + "/") ? path.substring(directory.length() + 1) : path;
    }

    private String view(Statement.ShowCreate show, String path) {
        View view =
                context.view(path)
                        .orElseThrow(() -> AnalysisContext.unknownTable(show.name().at(), path));
        String prefix =
                view.pathPrefix().isEmpty()
                        ? ""
                        : "PRAGMA TablePathPrefix = '" + view.pathPrefix() + "';\n\n";
        String directory = view.pathPrefix().isEmpty() ? context.database() : view.pathPrefix();
        return prefix
                + "CREATE VIEW "
                + TableText.quoted(relative(directory, path))
                + " WITH (security_invoker = TRUE) AS\n"
                + body(view)
                + ";\n";
    }

    /// A view with more than one statement is written as a block.
    private static String body(View view) {
        return Parser.parse(view.text()).size() == 1
                ? view.text()
                : "DO BEGIN\n" + view.text() + "\nEND DO";
    }

    private static Typed constant(String text) {
        return new Typed.Constant(Primitive.UTF8, Value.text(text));
    }
}
