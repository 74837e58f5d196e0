package io.cleave.plan;

import io.cleave.analysis.Relation;
import io.cleave.analysis.Typed;
import io.cleave.plan.Planner.Scan;
import io.cleave.schema.Table;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/// Reads of one table with the WHERE that stands on it.
final class TableReads {
    private TableReads() {}

    static Planned plan(
            Relation.TableRows rows, @Nullable Typed predicate, BitSet needed, Scan scan) {
        Table table = rows.table();
        int columnCount = table.columns().size();
        boolean backward = scan == Scan.BACKWARD;
        if (predicate == null) {
            Node read = read(table, needed, KeyPredicate.ANY, false, backward);
            return new Planned(read, Planner.places(columnCount, needed));
        }
        List<Typed> terms = terms(predicate);
        KeyPredicate keys = KeyPredicates.inferring(table, predicate);
        AnsweredTerms answered = AnsweredTerms.of(table, terms);
        List<Typed> left = terms.stream().filter(term -> !answered.terms().contains(term)).toList();
        BitSet read = Planner.with(needed, left);
        var places = Planner.places(columnCount, read);
        Node node = read(table, read, keys, answered.point(), backward);
        var planned = new Planned(node, places);
        if (left.isEmpty()) {
            return planned;
        }
        Typed filter = left.size() == 1 ? left.getFirst() : new Typed.And(predicate.type(), left);
        return new Planned(new Node.Filter(node, planned.place(filter)), places);
    }

    private static Node read(
            Table table, BitSet columns, KeyPredicate keys, boolean pointRead, boolean backward) {
        return new Node.Read(table, columns.stream().boxed().toList(), keys, pointRead, backward);
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
            terms.add(predicate);
        }
    }
}
