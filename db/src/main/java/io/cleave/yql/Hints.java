package io.cleave.yql;

import io.cleave.base.Issue.Position;
import io.cleave.yql.Query.Source;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/// The hints after a table, as in `WITH XLOCK` or `WITH (INFER_SCHEMA, XLOCK)`. YQL has hints for
/// stores of other kinds. Row tables accept almost all hints, known or not, and ignore them.
final class Hints {
    /// Hints that define columns, or that belong to streams.
    private static final Set<String> REFUSED = Set.of("SCHEMA", "COLUMNS", "WATERMARK");

    private Hints() {}

    static Source of(Yql.@Nullable HintsContext context, Source source) {
        if (context == null) {
            return source;
        }
        String first = words(context).getFirst();
        return new Source.Hinted(Places.at(context.hint().getFirst()), first, source);
    }

    /// The table that a statement changes; checks its hints.
    static TableName changed(Yql.HintedTableContext context) {
        if (context.hints() != null) {
            words(context.hints());
        }
        return Names.table(context.tableName());
    }

    /// The table that rows are written to; checks its hints, and refuses TRUNCATE.
    static TableName written(Yql.WriteKindContext kind, Yql.HintedTableContext context) {
        TableName table = changed(context);
        if (context.hints() != null
                && words(context.hints()).stream().anyMatch("TRUNCATE"::equalsIgnoreCase)) {
            throw Places.error(
                    Places.at(kind),
                    kind.INSERT() != null && kind.OR() == null
                            ? "INSERT INTO WITH TRUNCATE is not supported for kikimr tables"
                            : "Unable %s INTO with truncate mode".formatted(spaced(kind)));
        }
        return table;
    }

    private static List<String> words(Yql.HintsContext context) {
        return context.hint().stream().map(Hints::word).toList();
    }

    private static String word(Yql.HintContext hint) {
        Yql.HintWordContext context = hint.hintWord();
        Position at = Places.at(context);
        String word =
                context.identifier() != null
                        ? Names.of(context.identifier())
                        : Literals.name(at, context.start.getText());
        String plain = word.toUpperCase(Locale.ROOT);
        if (REFUSED.contains(plain)) {
            throw Places.unsupported(at, "The hint " + plain);
        }
        return word;
    }

    private static String spaced(Yql.WriteKindContext kind) {
        return kind.children.stream()
                .map(child -> child.getText().toUpperCase(Locale.ROOT))
                .collect(Collectors.joining(" "));
    }
}
