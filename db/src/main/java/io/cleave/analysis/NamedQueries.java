package io.cleave.analysis;

import io.cleave.analysis.Bindings.Binding;
import io.cleave.typed.Relation;
import io.cleave.typed.Relations;
import io.cleave.typed.Typed;
import io.cleave.typed.TypedStatement;
import io.cleave.typed.TypedStatement.SubQuery;
import io.cleave.value.Type;
import io.cleave.yql.Expression;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;

/// Gives the rows of named queries. As in YDB, a name has the same rows in the whole text: the rows
/// at its first use, even if later statements write to the tables that it reads.
///
/// Usually no such write happens, and a name is simply replaced by its query. If a statement since
/// the first use writes a table that the query reads, the statement of the first use stores the
/// rows in a slot, and later statements read the slot.
final class NamedQueries {
    /// The statement that first used a name, and the slot that keeps its rows once one is needed.
    private static final class Use {
        final int first;
        @Nullable Relation kept;

        Use(int first) {
            this.first = first;
        }
    }

    private final AnalysisContext context;
    private final List<TypedStatement> statements;

    /// Compared by identity, because the body of an action is analyzed again at each call, with
    /// other definitions.
    private final IdentityHashMap<Binding, Use> uses = new IdentityHashMap<>();

    /// The number of an earlier statement for which names are resolved; -1 for the current
    /// statement.
    private int earlier = -1;

    NamedQueries(AnalysisContext context, List<TypedStatement> statements) {
        this.context = context;
        this.statements = statements;
    }

    Relation rows(Binding binding, Expression.SubQuery query) {
        int now = earlier < 0 ? statements.size() : earlier;
        Use use = uses.computeIfAbsent(binding, _ -> new Use(now));
        if (use.kept != null) {
            return use.kept;
        }
        var analyzer = new QueryAnalyzer(context, binding.seen());
        if (now <= use.first) {
            return analyzer.analyze(query.query());
        }
        List<SubQuery> outside = context.takeSubQueries();
        int before = earlier;
        earlier = use.first;
        Relation rows = analyzer.analyze(query.query());
        earlier = before;
        List<SubQuery> inside = context.takeSubQueries();
        outside.forEach(context::addSubQuery);
        if (!written(use.first, now, rows, inside) || !keepsRows(statements.get(use.first))) {
            inside.forEach(context::addSubQuery);
            return rows;
        }
        Relation kept = keep(use.first, rows, inside);
        use.kept = kept;
        return kept;
    }

    /// Whether a statement in the range writes a table that the rows or their subqueries read.
    private boolean written(int from, int to, Relation rows, List<SubQuery> inside) {
        return statements.subList(from, to).stream()
                .filter(TypedStatement.Write.class::isInstance)
                .map(statement -> ((TypedStatement.Write) statement).table())
                .anyMatch(
                        table ->
                                Relations.reads(rows, table)
                                        || inside.stream()
                                                .anyMatch(q -> Relations.reads(q.rows(), table)));
    }

    private static boolean keepsRows(TypedStatement statement) {
        return statement instanceof TypedStatement.Select
                || statement instanceof TypedStatement.Write;
    }

    private Relation keep(int first, Relation rows, List<SubQuery> inside) {
        List<Relation.Field> fields = rows.fields();
        List<Integer> byName = new ArrayList<>();
        for (int index = 0; index < fields.size(); index++) {
            byName.add(index);
        }
        byName.sort(Comparator.comparing(index -> fields.get(index).name()));
        List<Type.Member> members = new ArrayList<>();
        List<Typed> values = new ArrayList<>();
        for (int index : byName) {
            members.add(new Type.Member(fields.get(index).name(), fields.get(index).type()));
            values.add(new Typed.Input(fields.get(index).type(), index));
        }
        var row = new Type.Struct(members);
        int slot = context.newSlot();
        List<SubQuery> priors = new ArrayList<>(inside);
        priors.add(
                new SubQuery(
                        slot,
                        SubQuery.Shape.LIST,
                        new Relation.Project(
                                rows,
                                List.of(new Typed.ItemsOf(row, values)),
                                List.of(new Relation.Field("row", row)))));
        statements.set(first, withPriors(statements.get(first), priors));

        var list = new Typed.SubQueryResult(new Type.ListOf(row), slot);
        var kept =
                new Relation.ListRows(
                        list,
                        members.stream().map(m -> new Relation.Field(m.name(), m.type())).toList());
        List<Typed> asWritten = new ArrayList<>();
        for (int index = 0; index < fields.size(); index++) {
            asWritten.add(new Typed.Input(fields.get(index).type(), byName.indexOf(index)));
        }
        return new Relation.Project(kept, asWritten, fields);
    }

    private static TypedStatement withPriors(TypedStatement statement, List<SubQuery> added) {
        return switch (statement) {
            case TypedStatement.Select(Relation rows, boolean discard, List<SubQuery> own) ->
                    new TypedStatement.Select(rows, discard, joined(own, added));
            case TypedStatement.Write write ->
                    new TypedStatement.Write(
                            write.mode(),
                            write.table(),
                            write.source(),
                            write.columns(),
                            write.returning(),
                            write.selfRead(),
                            joined(write.subQueries(), added));
            default -> throw new IllegalArgumentException(statement + " keeps no rows");
        };
    }

    private static List<SubQuery> joined(List<SubQuery> own, List<SubQuery> added) {
        List<SubQuery> all = new ArrayList<>(own);
        all.addAll(added);
        return all;
    }
}
