package io.cleave.cluster;

import io.cleave.base.Check;
import io.cleave.catalog.CatalogView;
import io.cleave.catalog.CatalogView.Node;
import io.cleave.catalog.Sequences;
import io.cleave.schema.Column;
import io.cleave.schema.SchemeChange;
import io.cleave.schema.Sequence;
import io.cleave.schema.Table;
import io.cleave.schema.TableAlteration;
import io.cleave.schema.TableChange;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/// The columns of a table that are filled from sequences.
final class SerialColumns {
    private SerialColumns() {}

    /// The table, not yet in use, with a number for each of its sequences.
    static Table numbered(Table table, LongSupplier newId) {
        List<Column> columns = new ArrayList<>();
        for (Column column : table.columns()) {
            columns.add(
                    column.sequence()
                            .map(sequence -> column.with(sequence.withId(newId.getAsLong())))
                            .orElse(column));
        }
        return TableAlteration.withColumns(table, columns);
    }

    /// The table that a sequence's path is below.
    static Optional<String> tableOf(CatalogView view, String path) {
        int slash = path.lastIndexOf('/');
        String parent = path.substring(0, slash);
        return view.find(parent)
                .flatMap(Node::table)
                .flatMap(table -> columnOf(table, path))
                .map(_ -> parent);
    }

    private static Optional<Column> columnOf(Table table, String path) {
        String name = path.substring(path.lastIndexOf('/') + 1);
        return table.columns().stream()
                .filter(column -> column.sequence().isPresent())
                .filter(column -> column.sequenceName().equals(name))
                .findFirst();
    }

    static Table altered(Table table, SchemeChange.AlterSequence alter) {
        Column column =
                columnOf(table, alter.path()).orElseThrow(() -> Paths.missing(alter.path()));
        Sequence changed = column.sequence().orElseThrow().with(alter.start(), alter.increment());
        return TableAlteration.apply(
                table, List.of(new TableChange.SetSequence(column.name(), changed)));
    }

    /// Keeps the sequence where it is while its numbers change, or brings it to another.
    static void move(
            Sequences sequences, Table before, Table altered, SchemeChange.AlterSequence alter) {
        Sequence changed = sequence(altered, alter);
        sequences.keepPosition(sequence(before, alter));
        if (alter.restart().isPresent()) {
            sequences.restart(changed, alter.restart().get().orElse(changed.start()));
        }
    }

    private static Sequence sequence(Table table, SchemeChange.AlterSequence alter) {
        return columnOf(table, alter.path()).flatMap(Column::sequence).orElseThrow();
    }

    static long next(Sequences sequences, Table table, int index) {
        Column column = table.columns().get(index);
        Optional<Sequence> sequence = column.sequence();
        Check.that(sequence.isPresent(), "%s has no sequence", column.name());
        return sequences.next(sequence.get(), table.path() + "/" + column.sequenceName());
    }
}
