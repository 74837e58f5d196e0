package io.cleave.plan;

import io.cleave.plan.Planner.Scan;
import io.cleave.schema.Table;
import io.cleave.typed.Relation;
import io.cleave.typed.Typed;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/// Plans the read of a table through an index: a read of the index's table, and a lookup of each
/// row by its primary key for the columns that the index does not have.
final class IndexReads {
    private IndexReads() {}

    static Planned plan(
            Relation.IndexRows rows,
            @Nullable Typed predicate,
            BitSet needed,
            Scan scan,
            KeyInference inference) {
        Table table = rows.table();
        var columns = new IndexColumns(table, rows.indexTable());
        List<Typed> outside = predicate == null ? List.of() : columns.outside(predicate);
        BitSet wanted = Planner.with(needed, outside);
        BitSet fetched = new BitSet();
        wanted.stream().filter(column -> columns.of(column) < 0).forEach(fetched::set);
        Planned index =
                index(rows, columns, predicate, wanted, !fetched.isEmpty(), scan, inference);
        int[] places = new int[table.columns().size()];
        Arrays.setAll(
                places, column -> columns.of(column) < 0 ? -1 : index.places()[columns.of(column)]);
        if (fetched.isEmpty()) {
            return new Planned(index.node(), places);
        }
        Planned found = fetch(index.node(), table, places, fetched, Optional.empty());
        return outside.isEmpty()
                ? found
                : new Planned(
                        new PlanNode.Filter(found.node(), found.place(and(outside))),
                        found.places());
    }

    private static Planned index(
            Relation.IndexRows rows,
            IndexColumns columns,
            @Nullable Typed predicate,
            BitSet wanted,
            boolean keys,
            Scan scan,
            KeyInference inference) {
        BitSet read = new BitSet();
        wanted.stream()
                .filter(column -> columns.of(column) >= 0)
                .map(columns::of)
                .forEach(read::set);
        if (keys) {
            rows.table().keyColumns().forEach(column -> read.set(columns.of(column)));
        }
        List<Typed> inside = predicate == null ? List.of() : columns.inside(predicate);
        return TableReadPlanner.plan(
                new Relation.TableRows(rows.indexTable()),
                inside.isEmpty() ? null : and(inside),
                read,
                scan,
                inference);
    }

    /// Adds to each row the columns of the table that it does not have. `places` has the places of
    /// the table's columns in a row; the primary key must be among them.
    static Planned fetch(
            PlanNode input, Table table, int[] places, BitSet columns, Optional<Integer> presence) {
        int[] all = places.clone();
        List<Integer> read = columns.stream().boxed().toList();
        for (int index = 0; index < read.size(); index++) {
            all[read.get(index)] = input.width() + index;
        }
        List<Integer> keys = table.keyColumns().stream().map(column -> places[column]).toList();
        return new Planned(new PlanNode.Fetch(input, keys, table, read, presence), all);
    }

    static Typed and(List<Typed> terms) {
        if (terms.size() == 1) {
            return terms.getFirst();
        }
        boolean optional = terms.stream().anyMatch(term -> term.type().isOptional());
        Type type = optional ? Primitive.BOOL.optional() : Primitive.BOOL;
        return new Typed.And(type, terms);
    }
}
