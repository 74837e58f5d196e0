package io.cleave.cluster;

import io.cleave.base.Check;
import io.cleave.catalog.Sequences;
import io.cleave.schema.Column;
import io.cleave.schema.Sequence;
import io.cleave.schema.Table;
import io.cleave.schema.TableAlteration;

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

    static long next(Sequences sequences, Table table, int index) {
        Column column = table.columns().get(index);
        Optional<Sequence> sequence = column.sequence();
        Check.that(sequence.isPresent(), "%s has no sequence", column.name());
        return sequences.next(sequence.get(), table.path() + "/" + column.sequenceName());
    }
}
