package io.cleave.analysis;

import io.cleave.analysis.Relation.Field;
import io.cleave.schema.View;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;
import io.cleave.yql.Parser;
import io.cleave.yql.Statement;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// SHOW CREATE TABLE and SHOW CREATE VIEW: one row with the statement that makes it.
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
        String name = sources.text(show.name());
        String text =
                show.ofView()
                        ? view(show, path, name)
                        : TableText.of(context.table(show.name().at(), path), name);
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

    private String view(Statement.ShowCreate show, String path, String name) {
        View view =
                context.view(path)
                        .orElseThrow(() -> AnalysisContext.unknownTable(show.name().at(), path));
        String prefix =
                view.pathPrefix().isEmpty()
                        ? ""
                        : "PRAGMA TablePathPrefix = '" + view.pathPrefix() + "';\n";
        return prefix
                + "CREATE VIEW "
                + TableText.quoted(name)
                + " WITH (security_invoker = TRUE) AS\n"
                + body(view)
                + ";\n";
    }

    /// More than a query stands in a block.
    private static String body(View view) {
        return Parser.parse(view.text()).size() == 1
                ? view.text()
                : "DO BEGIN\n" + view.text() + "\nEND DO";
    }

    private static Typed constant(String text) {
        return new Typed.Constant(Primitive.UTF8, Value.text(text));
    }
}
