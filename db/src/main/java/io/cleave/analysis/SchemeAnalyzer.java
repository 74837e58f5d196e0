package io.cleave.analysis;

import io.cleave.base.Issue.Position;
import io.cleave.schema.SchemeChange;
import io.cleave.schema.Table;
import io.cleave.typed.Relation;
import io.cleave.typed.TypedStatement;
import io.cleave.value.Value;
import io.cleave.yql.Statement;
import io.cleave.yql.Statement.Setting;
import io.cleave.yql.Statement.SettingValue;

import org.jspecify.annotations.Nullable;

import java.util.Locale;
import java.util.Optional;

/// TRUNCATE, views and sequences.
final class SchemeAnalyzer {
    private final AnalysisContext context;
    private final @Nullable Bindings bindings;

    SchemeAnalyzer(AnalysisContext context, @Nullable Bindings bindings) {
        this.context = context;
        this.bindings = bindings;
    }

    TypedStatement truncate(Statement.TruncateTable truncate) {
        String path = new SourceAnalyzer(context, bindings).path(truncate.table());
        Table table = context.table(truncate.table().at(), path);
        return new TypedStatement.ChangeScheme(new SchemeChange.TruncateTable(table.path()));
    }

    /// Analyzes the query once, so that an invalid one is refused here.
    TypedStatement createView(Statement.CreateView create) {
        checkInvoker(create);
        Relation rows = Routines.rows(context, create.at(), create.body(), null);
        if (rows.fields().isEmpty()) {
            throw AnalysisContext.error(create.at(), "A view needs at least one column");
        }
        context.takeSubQueries();
        return new TypedStatement.ChangeScheme(
                new SchemeChange.CreateView(
                        new SourceAnalyzer(context, bindings).path(create.view()),
                        create.text(),
                        context.pathPrefix(),
                        create.ifNotExists()));
    }

    private static void checkInvoker(Statement.CreateView create) {
        boolean invoker = false;
        for (Setting setting : create.settings()) {
            if (!setting.name().toLowerCase(Locale.ROOT).equals("security_invoker")) {
                throw AnalysisContext.error(
                        setting.at(), "Unknown view setting: " + setting.name());
            }
            invoker = isTrue(setting.value());
        }
        if (!invoker) {
            Position at = create.at();
            throw AnalysisContext.error(
                    at,
                    "security_invoker option must be explicitly enabled: WITH (security_invoker ="
                            + " TRUE)");
        }
    }

    private static boolean isTrue(SettingValue value) {
        return value instanceof SettingValue.Constant(var literal)
                && literal.value().equals(Value.bool(true));
    }

    TypedStatement dropView(Statement.DropView drop) {
        String path = new SourceAnalyzer(context, bindings).path(drop.view());
        return new TypedStatement.ChangeScheme(new SchemeChange.DropView(path, drop.ifExists()));
    }

    TypedStatement alterSequence(Statement.AlterSequence alter) {
        return new TypedStatement.ChangeScheme(
                new SchemeChange.AlterSequence(
                        new SourceAnalyzer(context, bindings).path(alter.sequence()),
                        alter.ifExists(),
                        alter.start(),
                        alter.increment(),
                        alter.restarts() ? Optional.of(alter.restart()) : Optional.empty()));
    }
}
