package io.cleave.plan;

import io.cleave.schema.Table;
import io.cleave.typed.JoinKind;
import io.cleave.typed.Relation;
import io.cleave.typed.Typed;
import io.cleave.typed.Typed.Comparison;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/// Plans joins that look up rows by a prefix of the key of the right table, or of one of its
/// indexes.
final class LookupJoins {
    private final Relation.Join join;
    private final LookupSide side;
    private final Planned left;
    private final Optional<JoinChoice> choice;

    /// `choice` is the reason why rows are looked up, if there was a choice.
    LookupJoins(Relation.Join join, LookupSide side, Planned left, Optional<JoinChoice> choice) {
        this.join = join;
        this.side = side;
        this.left = left;
        this.choice = choice;
    }

    /// Empty if columns must be fetched from the table of an index and the kind of join does not
    /// allow it.
    Optional<Planned> plan(BitSet rightNeeded) {
        BitSet needed = new BitSet();
        rightNeeded.stream().map(side.columns()::get).forEach(needed::set);
        List<Typed> rest =
                side.rest().stream().map(join.rightKeys()::get).map(side::mapped).toList();
        BitSet wanted = Planner.with(Planner.with(needed, side.outside()), rest);
        if (side.rows() instanceof Relation.IndexRows rows) {
            return index(rows, wanted).map(this::passing);
        }
        Table table = ((Relation.TableRows) side.rows()).table();
        BitSet read = Planner.with(wanted, side.filter());
        int[] places = Planner.places(table.columns().size(), read);
        return Optional.of(passing(new Planned(lookup(table, read, places), shifted(places))));
    }

    private PlanNode lookup(Table table, BitSet read, int[] places) {
        List<Typed> filter = side.filter();
        var rows = new Planned(new PlanNode.Once(), places);
        return new PlanNode.LookupJoin(
                join.kind(),
                left.node(),
                left.place(side.keys().keys()),
                all(left.place(side.keys().conditions())),
                table,
                read.stream().boxed().toList(),
                all(rows.place(filter)),
                join.nullsMatch(),
                choice);
    }

    private static Optional<Typed> all(List<Typed> terms) {
        return terms.isEmpty() ? Optional.empty() : Optional.of(IndexReads.and(terms));
    }

    /// The places of the table's columns in a joined row, where they come after the left row.
    private int[] shifted(int[] places) {
        int[] shifted = places.clone();
        Arrays.setAll(
                shifted, column -> places[column] < 0 ? -1 : places[column] + left.node().width());
        return shifted;
    }

    /// A lookup in the table of an index, and a second lookup for the columns that it does not
    /// have.
    private Optional<Planned> index(Relation.IndexRows rows, BitSet wanted) {
        Table table = rows.table();
        Table indexTable = rows.indexTable();
        var columns = new IndexColumns(table, indexTable);
        BitSet fetched = new BitSet();
        wanted.stream().filter(column -> columns.of(column) < 0).forEach(fetched::set);
        boolean both = join.kind() == JoinKind.INNER || join.kind() == JoinKind.LEFT;
        if (!fetched.isEmpty() && (!both || (join.kind() == JoinKind.LEFT && side.isAsync()))) {
            return Optional.empty();
        }
        BitSet read = new BitSet();
        wanted.stream()
                .filter(column -> columns.of(column) >= 0)
                .map(columns::of)
                .forEach(read::set);
        if (!fetched.isEmpty()) {
            read.set(0, indexTable.keyColumns().size());
        }
        read = Planner.with(read, side.filter());
        int[] indexPlaces = shifted(Planner.places(indexTable.columns().size(), read));
        PlanNode lookup =
                lookup(indexTable, read, Planner.places(indexTable.columns().size(), read));
        int[] places = new int[table.columns().size()];
        Arrays.setAll(
                places, column -> columns.of(column) < 0 ? -1 : indexPlaces[columns.of(column)]);
        if (fetched.isEmpty()) {
            return Optional.of(new Planned(lookup, places));
        }
        // The first key column of a found entry is not NULL, because it was found by an equality.
        Optional<Integer> presence =
                join.kind() == JoinKind.LEFT ? Optional.of(indexPlaces[0]) : Optional.empty();
        return Optional.of(IndexReads.fetch(lookup, table, places, fetched, presence));
    }

    /// The found rows that pass all conditions that the lookup does not answer, with the places of
    /// all fields of the join. `found` has the places of the table's columns.
    private Planned passing(Planned found) {
        List<Typed> terms = new ArrayList<>(found.place(side.outside()));
        for (int equality : side.rest()) {
            Typed leftKey = left.place(join.leftKeys().get(equality));
            Typed rightKey = found.place(side.mapped(join.rightKeys().get(equality)));
            boolean optional = leftKey.type().isOptional() || rightKey.type().isOptional();
            Type type = optional ? Primitive.BOOL.optional() : Primitive.BOOL;
            Typed equal = new Typed.Compare(type, Comparison.EQUAL, leftKey, rightKey);
            terms.add(
                    join.nullsMatch() && optional
                            ? NullKeys.equalOrBothNull(equal, leftKey, rightKey)
                            : equal);
        }
        PlanNode node =
                terms.isEmpty()
                        ? found.node()
                        : new PlanNode.Filter(found.node(), IndexReads.and(terms));
        int leftWidth = left.places().length;
        int[] places = Arrays.copyOf(left.places(), leftWidth + side.columns().size());
        for (int field = 0; field < side.columns().size(); field++) {
            places[leftWidth + field] = found.places()[side.columns().get(field)];
        }
        return new Planned(node, places);
    }
}
