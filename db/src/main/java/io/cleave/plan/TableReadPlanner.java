package io.cleave.plan;

import io.cleave.plan.Planner.Scan;
import io.cleave.schema.Table;
import io.cleave.typed.Relation;
import io.cleave.typed.Typed;
import io.cleave.typed.Typed.Comparison;
import io.cleave.value.Type;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/// Plans the read of one table with the WHERE on it.
final class TableReadPlanner {
    private TableReadPlanner() {}

    static Planned plan(
            Relation.TableRows rows,
            @Nullable Typed predicate,
            BitSet needed,
            Scan scan,
            KeyInference inference) {
        Table table = rows.table();
        int columnCount = table.columns().size();
        boolean backward = scan == Scan.BACKWARD;
        if (predicate == null) {
            PlanNode read = read(table, needed, KeyPredicate.ANY, false, backward);
            return new Planned(read, Planner.places(columnCount, needed));
        }
        List<Typed> terms = terms(predicate);
        KeyPredicate keys = KeyPredicates.inferring(table, IndexReads.and(terms), inference);
        AnsweredTerms answered = AnsweredTerms.of(table, terms, inference.columns());
        List<Typed> left = terms.stream().filter(term -> !answered.terms().contains(term)).toList();
        BitSet read = Planner.with(needed, left);
        var places = Planner.places(columnCount, read);
        PlanNode node = read(table, read, keys, answered.point(), backward);
        var planned = new Planned(node, places);
        if (left.isEmpty()) {
            return planned;
        }
        Typed filter = left.size() == 1 ? left.getFirst() : new Typed.And(predicate.type(), left);
        return new Planned(new PlanNode.Filter(node, planned.place(filter)), places);
    }

    private static PlanNode read(
            Table table, BitSet columns, KeyPredicate keys, boolean pointRead, boolean backward) {
        return new PlanNode.Read(
                table, columns.stream().boxed().toList(), keys, pointRead, backward);
    }

    static List<Typed> terms(Typed predicate) {
        List<Typed> terms = new ArrayList<>();
        addTerms(predicate, terms);
        return terms;
    }

    private static void addTerms(Typed predicate, List<Typed> terms) {
        if (predicate instanceof Typed.And(_, List<Typed> parts)) {
            parts.forEach(part -> addTerms(part, terms));
        } else {
            terms.add(predicate instanceof Typed.In in ? equality(in).orElse(in) : predicate);
        }
    }

    /// Rewrites `x IN (1)` to `x = 1`, because other rules look for equalities.
    private static Optional<Typed> equality(Typed.In in) {
        if (!(in.collection().type() instanceof Type.Tuple(List<Type> types))
                || types.size() != 1) {
            return Optional.empty();
        }
        Optional<Typed> item =
                switch (in.collection()) {
                    case Typed.ItemsOf(_, List<Typed> items) -> Optional.of(items.getFirst());
                    case Typed.Constant(_, Value.Items(List<Value> values)) ->
                            Optional.of(new Typed.Constant(types.getFirst(), values.getFirst()));
                    default -> Optional.empty();
                };
        // IN and `=` treat NULL and NaN differently.
        return item.filter(value -> !value.type().isOptional())
                .filter(value -> CrossJoins.isKey(value) && CrossJoins.isKey(in.operand()))
                .map(value -> new Typed.Compare(in.type(), Comparison.EQUAL, in.operand(), value));
    }
}
