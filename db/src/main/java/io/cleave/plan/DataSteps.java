package io.cleave.plan;

import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.schema.Index;
import io.cleave.schema.Table;
import io.cleave.schema.Tables;
import io.cleave.typed.TypedStatement.SubQuery;
import io.cleave.typed.TypedStatement.WriteMode;
import io.cleave.value.Type;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/// The steps of a program that read and write data.
public final class DataSteps {
    private DataSteps() {}

    /// A query that runs before the step. Its result goes to the slot.
    public record Prior(int slot, SubQuery.Shape shape, PlanNode rows) {}

    /// Runs a query. Its rows go to the client as the result with index `result`; if that is empty,
    /// they are discarded.
    public record Select(List<Prior> priors, PlanNode rows, OptionalInt result, Memo memo)
            implements Program.DataStep {
        public Select {
            priors = List.copyOf(priors);
        }
    }

    /// An index of the table that is written, and the table that stores the index.
    public record IndexTable(Index index, Table table) {
        /// The indexes that a write to the table also writes. ASYNC indexes are not written by the
        /// statement.
        public static List<IndexTable> of(Table table, Tables tables) {
            List<IndexTable> all = new ArrayList<>();
            for (Index index : table.indexes()) {
                if (index.kind() == Index.Kind.ASYNC) {
                    continue;
                }
                String path = Index.path(table.path(), index.name());
                all.add(
                        new IndexTable(
                                index,
                                tables.find(path)
                                        .orElseThrow(
                                                () ->
                                                        new StatusException(
                                                                Status.ABORTED,
                                                                "Table '%s' was changed; retry the query"
                                                                        .formatted(
                                                                                table.path())))));
            }
            return all;
        }
    }

    /// Writes rows. `keys` has the places of the key columns in a row of the source, in key order.
    /// `columns` has the other columns that are written, ascending, and `values` their places. The
    /// place of a column that takes its default is -1.
    ///
    /// `freshColumns` are set to their defaults only in rows that did not exist.
    public record Write(
            List<Prior> priors,
            WriteMode mode,
            Table table,
            PlanNode source,
            List<Integer> keys,
            List<Integer> columns,
            List<Integer> values,
            List<Integer> freshColumns,
            boolean collectFirst,
            Optional<List<Integer>> returning,
            OptionalInt result,
            List<IndexTable> indexes,
            Memo memo)
            implements Program.DataStep {
        public Write {
            priors = List.copyOf(priors);
            keys = List.copyOf(keys);
            columns = List.copyOf(columns);
            values = List.copyOf(values);
            freshColumns = List.copyOf(freshColumns);
            returning = returning.map(List::copyOf);
            indexes = List.copyOf(indexes);
        }

        public List<Type> keyTypes() {
            return table.key().stream().map(column -> column.type()).toList();
        }
    }

    /// Returns a text that was made when the program was compiled.
    public record Explained(String text, int result) implements Program.DataStep {}
}
