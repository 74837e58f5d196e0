package io.cleave.plan;

import io.cleave.schema.Table;
import io.cleave.schema.Tables;
import io.cleave.typed.TypedStatement;
import io.cleave.typed.TypedStatement.WriteMode;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/// Maps the values of a source's row to the columns of the table.
final class WritePlanner {
    private WritePlanner() {}

    static DataSteps.Write plan(
            TypedStatement.Write write,
            List<DataSteps.Prior> priors,
            PlanNode source,
            OptionalInt result,
            Tables tables) {
        Table table = write.table();
        List<Integer> keys = new ArrayList<>();
        for (int column : table.keyColumns()) {
            keys.add(write.columns().indexOf(column));
        }
        List<Integer> columns = new ArrayList<>();
        List<Integer> values = new ArrayList<>();
        List<Integer> fresh = new ArrayList<>();
        for (int column = 0; column < table.columns().size(); column++) {
            if (table.isKey(column)) {
                continue;
            }
            int place = write.columns().indexOf(column);
            // A field that was never written is not NULL if its column was added with a default.
            boolean hasPreset =
                    table.columns().get(column).preset().isPresent()
                            || table.columns().get(column).missing().isPresent();
            if (place >= 0 && write.mode() != WriteMode.ERASE) {
                columns.add(column);
                values.add(place);
            } else if (place < 0 && hasPreset && makesWholeRows(write.mode())) {
                columns.add(column);
                values.add(-1);
            } else if (place < 0 && hasPreset && write.mode() == WriteMode.UPSERT) {
                fresh.add(column);
            }
        }
        return new DataSteps.Write(
                priors,
                write.mode(),
                table,
                source,
                keys,
                columns,
                values,
                fresh,
                write.selfRead(),
                write.returning(),
                result,
                DataSteps.IndexTable.of(table, tables),
                new Memo());
    }

    private static boolean makesWholeRows(WriteMode mode) {
        return switch (mode) {
            case REPLACE, INSERT, INSERT_OR_REVERT, INSERT_OR_IGNORE -> true;
            case UPSERT, UPDATE, CHANGE, ERASE -> false;
        };
    }
}
