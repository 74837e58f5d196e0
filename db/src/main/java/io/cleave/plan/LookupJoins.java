package io.cleave.plan;

import io.cleave.analysis.GeneratedColumn;
import io.cleave.analysis.JoinKind;
import io.cleave.analysis.Relation;
import io.cleave.analysis.Typed;
import io.cleave.schema.Column;
import io.cleave.schema.Index;
import io.cleave.schema.Table;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/// Joins that look rows up by a prefix of the right table's key, or of an index of it.
final class LookupJoins {
    private final Optional<JoinChoice> choice;

    /// `choice` is why rows are looked up, if that was a choice.
    LookupJoins(Optional<JoinChoice> choice) {
        this.choice = choice;
    }

    /// Whether the right side can be looked up.
    static boolean areAble(Relation.Join join) {
        Relation right =
                join.right() instanceof Relation.Filter filter ? filter.input() : join.right();
        return right instanceof Relation.TableRows(Table table)
                && prefixKeys(join, table).isPresent();
    }

    /// Nothing if they cannot be.
    Optional<Planned> plan(Relation.Join join, Planned left, BitSet rightNeeded) {
        switch (join.kind()) {
            case INNER, LEFT, LEFT_SEMI, LEFT_ONLY -> {}
            case RIGHT, FULL, CROSS, RIGHT_SEMI, RIGHT_ONLY, EXCLUSION -> {
                return Optional.empty();
            }
        }
        Optional<Typed> filter = Optional.empty();
        Relation right = join.right();
        if (right instanceof Relation.Filter(Relation input, Typed predicate)) {
            if (!Nodes.isMovable(predicate)) {
                return Optional.empty();
            }
            filter = Optional.of(predicate);
            right = input;
        }
        if (right instanceof Relation.IndexRows rows) {
            return indexLookup(join, rows, left, rightNeeded, filter);
        }
        if (!(right instanceof Relation.TableRows(Table table))) {
            return Optional.empty();
        }
        Optional<List<Typed>> keys = prefixKeys(join, table);
        if (keys.isEmpty()) {
            return Optional.empty();
        }
        BitSet read = Planner.with(rightNeeded, filter.stream().toList());
        int[] rightPlaces = Planner.places(table.columns().size(), read);
        var rightRows = new Planned(new Node.Once(), rightPlaces);
        Node node =
                new Node.LookupJoin(
                        join.kind(),
                        left.node(),
                        left.place(keys.get()),
                        table,
                        read.stream().boxed().toList(),
                        filter.map(rightRows::place),
                        choice);
        return Optional.of(
                new Planned(node, JoinPlanner.both(left, rightPlaces, table.columns().size())));
    }

    /// A lookup in the table of an index, and another for what that does not have. A filter over
    /// columns that it does not have would have to come before the join.
    private Optional<Planned> indexLookup(
            Relation.Join join,
            Relation.IndexRows rows,
            Planned left,
            BitSet rightNeeded,
            Optional<Typed> filter) {
        Table table = rows.table();
        var columns = new IndexColumns(table, rows.indexTable());
        boolean inner = join.kind() == JoinKind.INNER || join.kind() == JoinKind.LEFT;
        BitSet fetched = new BitSet();
        rightNeeded.stream().filter(column -> columns.of(column) < 0).forEach(fetched::set);
        if (filter.map(columns::cover).orElse(true)
                && join.rightKeys().stream().allMatch(columns::cover)
                && (inner || fetched.isEmpty())
                && !losesRows(join, rows, fetched)) {
            var onIndex =
                    new Relation.Join(
                            join.kind(),
                            join.left(),
                            new Relation.TableRows(rows.indexTable()),
                            join.leftKeys(),
                            join.rightKeys().stream().map(columns::map).toList());
            Optional<List<Typed>> keys = prefixKeys(onIndex, rows.indexTable());
            if (keys.isPresent()) {
                return Optional.of(
                        indexLookup(onIndex, rows, keys.get(), left, rightNeeded, fetched, filter));
            }
        }
        return Optional.empty();
    }

    private Planned indexLookup(
            Relation.Join join,
            Relation.IndexRows rows,
            List<Typed> keys,
            Planned left,
            BitSet rightNeeded,
            BitSet fetched,
            Optional<Typed> filter) {
        Table table = rows.table();
        Table indexTable = rows.indexTable();
        var columns = new IndexColumns(table, indexTable);
        BitSet read = new BitSet();
        rightNeeded.stream()
                .filter(column -> columns.of(column) >= 0)
                .map(columns::of)
                .forEach(read::set);
        if (!fetched.isEmpty()) {
            read.set(0, indexTable.keyColumns().size());
        }
        read = Planner.with(read, filter.map(columns::map).stream().toList());
        int[] indexPlaces = Planner.places(indexTable.columns().size(), read);
        Node lookup =
                new Node.LookupJoin(
                        join.kind(),
                        left.node(),
                        left.place(keys),
                        indexTable,
                        read.stream().boxed().toList(),
                        filter.map(columns::map)
                                .map(new Planned(new Node.Once(), indexPlaces)::place),
                        choice);
        int[] rightPlaces = new int[table.columns().size()];
        Arrays.setAll(
                rightPlaces,
                column -> {
                    int place = columns.of(column) < 0 ? -1 : indexPlaces[columns.of(column)];
                    return place < 0 ? -1 : place + left.node().width();
                });
        Planned right = new Planned(lookup, rightPlaces);
        if (!fetched.isEmpty()) {
            // What a left row has found by an equality is not NULL.
            Optional<Integer> presence =
                    join.kind() == JoinKind.LEFT
                            ? Optional.of(indexPlaces[0] + left.node().width())
                            : Optional.empty();
            right = IndexReads.fetch(lookup, table, rightPlaces, fetched, presence);
        }
        int[] places = Arrays.copyOf(left.places(), left.places().length + table.columns().size());
        System.arraycopy(right.places(), 0, places, left.places().length, table.columns().size());
        return new Planned(right.node(), places);
    }

    /// What the left side gives for the first columns of the right table's key, if every equality
    /// of the join is one of those columns, of its own type.
    private static Optional<List<Typed>> prefixKeys(Relation.Join join, Table table) {
        List<Typed> keys = new ArrayList<>();
        int equalities = 0;
        for (int keyColumn : table.keyColumns()) {
            int equality = equalityOn(join, keyColumn);
            Column column = table.columns().get(keyColumn);
            if (equality < 0) {
                Optional<Typed> generated = generated(join, table, column);
                if (generated.isEmpty()) {
                    break;
                }
                keys.add(generated.get());
                continue;
            }
            Typed key = join.leftKeys().get(equality);
            if (!key.type().unwrapped().equals(column.type())) {
                return Optional.empty();
            }
            keys.add(key);
            equalities++;
        }
        return equalities == 0 || equalities != join.leftKeys().size()
                ? Optional.empty()
                : Optional.of(keys);
    }

    /// What the left side comes to in a generated column, if it gives all that it is computed of.
    /// Nothing where that could be NULL: a lookup takes a NULL for a key that equals nothing, but
    /// this one is in the row.
    private static Optional<Typed> generated(Relation.Join join, Table table, Column column) {
        if (!GeneratedColumn.isGenerated(column) || GeneratedColumn.mayBeNull(table, column)) {
            return Optional.empty();
        }
        GeneratedColumn found =
                GeneratedColumn.of(table).stream()
                        .filter(each -> table.key().get(each.keyColumn()).equals(column))
                        .findFirst()
                        .orElseThrow();
        for (int source : found.sources()) {
            int place = table.keyColumns().get(source);
            int equality = equalityOn(join, place);
            if (equality < 0
                    || !join.leftKeys()
                            .get(equality)
                            .type()
                            .unwrapped()
                            .equals(table.columns().get(place).type())) {
                return Optional.empty();
            }
        }
        return Optional.of(
                found.over(
                        source ->
                                join.leftKeys()
                                        .get(equalityOn(join, table.keyColumns().get(source)))));
    }

    private static int equalityOn(Relation.Join join, int column) {
        for (int index = 0; index < join.rightKeys().size(); index++) {
            if (join.rightKeys().get(index) instanceof Typed.Input(_, int read) && read == column) {
                return index;
            }
        }
        return -1;
    }

    /// An entry of an ASYNC index may be there without its row, and the left row would go with it.
    private static boolean losesRows(Relation.Join join, Relation.IndexRows rows, BitSet fetched) {
        return join.kind() == JoinKind.LEFT
                && rows.index().kind() == Index.Kind.ASYNC
                && !fetched.isEmpty();
    }
}
