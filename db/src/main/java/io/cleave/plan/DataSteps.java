package io.cleave.plan;

import io.cleave.analysis.TypedStatement.SubQuery;
import io.cleave.analysis.TypedStatement.WriteMode;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.schema.Index;
import io.cleave.schema.Table;
import io.cleave.schema.Tables;
import io.cleave.value.Type;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/// What data statements of a program do.
public final class DataSteps {
    private DataSteps() {}

    /// A query to run before the step; what comes out goes to its slot.
    public record Prior(int slot, SubQuery.Shape shape, Node rows) {}

    /// Gives rows to the client as the result of that index, or to nobody.
    public record Select(List<Prior> priors, Node rows, OptionalInt result, Memo memo)
            implements Program.DataStep {
        public Select {
            priors = List.copyOf(priors);
        }
    }

    /// An index of the table that is written, and the table of its rows.
    public record IndexTable(Index index, Table table) {
        /// Those that a write of the table writes, too; ASYNC ones follow by themselves.
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
                                                                "Table '%s' was changed meanwhile"
                                                                        .formatted(
                                                                                table.path())))));
            }
            return all;
        }
    }

    /// Writes rows. `keys` are the places of the key columns in a row of the source, in key order
    /// (-1 for one that takes its default); `columns` are the other columns written, ascending, and
    /// `values` their places, -1 for one that takes its default.
    ///
    /// `freshColumns` are filled with their defaults only in rows that were not there.
    public record Write(
            List<Prior> priors,
            WriteMode mode,
            Table table,
            Node source,
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

    /// Gives a text that was ready when the program was compiled.
    public record Explained(String text, int result) implements Program.DataStep {}
}
