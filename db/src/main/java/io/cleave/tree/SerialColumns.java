package io.cleave.tree;

import io.cleave.base.Check;
import io.cleave.catalog.CatalogChange;
import io.cleave.catalog.CatalogChange.PutNode;
import io.cleave.catalog.CatalogView;
import io.cleave.catalog.CatalogView.Node;
import io.cleave.catalog.PathErrors;
import io.cleave.catalog.Sequences;
import io.cleave.cluster.HeldTables;
import io.cleave.cluster.TableLocks.Purpose;
import io.cleave.schema.Column;
import io.cleave.schema.SchemeChange;
import io.cleave.schema.Sequence;
import io.cleave.schema.Table;
import io.cleave.schema.TableAlteration;
import io.cleave.schema.TableChange;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/// The columns of a table that are filled from sequences.
final class SerialColumns {
    private SerialColumns() {}

    /// A table that is not in use yet, with an id for each of its sequences that has none.
    static Table numbered(Table table, LongSupplier newId) {
        List<Column> columns = new ArrayList<>();
        for (Column column : table.columns()) {
            columns.add(
                    column.sequence()
                            .filter(sequence -> sequence.id() == 0)
                            .map(sequence -> column.with(sequence.withId(newId.getAsLong())))
                            .orElse(column));
        }
        return TableAlteration.withColumns(table, columns);
    }

    /// A table that is not in use yet, with new ids for all of its sequences.
    static Table renumbered(Table table, LongSupplier newId) {
        List<Column> columns = new ArrayList<>();
        for (Column column : table.columns()) {
            columns.add(
                    column.sequence()
                            .map(sequence -> column.with(sequence.withId(newId.getAsLong())))
                            .orElse(column));
        }
        return TableAlteration.withColumns(table, columns);
    }

    /// The path of the table that owns the sequence at `path`.
    private static Optional<String> tableOf(CatalogView view, String path) {
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

    /// ALTER SEQUENCE. Returns false if there is no such sequence and the statement allows that.
    static boolean alter(HeldTables tables, SchemeChange.AlterSequence alter) {
        Optional<String> table = tableOf(tables.view(), alter.path());
        if (table.isEmpty()) {
            if (alter.ifExists()) {
                return false;
            }
            throw PathErrors.missing(alter.path());
        }
        return tables.with(
                table.get(),
                Purpose.CHANGE,
                (held, _) -> {
                    change(
                            tables.catalog().sequences(),
                            held,
                            altered(held, alter),
                            alter,
                            tables::change);
                    return true;
                });
    }

    private static Table altered(Table table, SchemeChange.AlterSequence alter) {
        Column column =
                columnOf(table, alter.path()).orElseThrow(() -> PathErrors.missing(alter.path()));
        Sequence changed = column.sequence().orElseThrow().with(alter.start(), alter.increment());
        return TableAlteration.apply(
                table, List.of(new TableChange.SetSequence(column.name(), changed)));
    }

    /// Changes the table's description and its sequence together. The sequence keeps its position
    /// unless the statement restarts it.
    private static void change(
            Sequences sequences,
            Table before,
            Table altered,
            SchemeChange.AlterSequence alter,
            Consumer<List<CatalogChange>> work) {
        Sequence changed = sequence(altered, alter);
        OptionalLong restart = OptionalLong.empty();
        if (alter.restart().isPresent()) {
            restart = OptionalLong.of(alter.restart().get().orElse(changed.start()));
            changed.check(restart.getAsLong(), "Restart");
        }
        sequences.change(
                sequence(before, alter),
                restart,
                position -> {
                    List<CatalogChange> all = new ArrayList<>(position);
                    all.add(new PutNode(Node.of(altered)));
                    work.accept(all);
                });
    }

    private static Sequence sequence(Table table, SchemeChange.AlterSequence alter) {
        return columnOf(table, alter.path()).flatMap(Column::sequence).orElseThrow();
    }

    static OptionalLong upcoming(Sequences sequences, Column column) {
        return sequences.upcoming(sequence(column));
    }

    private static Sequence sequence(Column column) {
        Optional<Sequence> sequence = column.sequence();
        Check.that(sequence.isPresent(), "%s has no sequence", column.name());
        return sequence.get();
    }
}
