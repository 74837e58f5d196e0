package io.cleave.exec;

import io.cleave.base.Bytes;
import io.cleave.base.Issue;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.exec.spill.QueryMemory;
import io.cleave.exec.spill.RowList;
import io.cleave.exec.spill.Rows;
import io.cleave.plan.DataSteps;
import io.cleave.schema.Preset;
import io.cleave.schema.Table;
import io.cleave.txn.ReadColumns;
import io.cleave.txn.RowWrite;
import io.cleave.txn.Transaction;
import io.cleave.typed.TypedStatement.WriteMode;
import io.cleave.value.KeyCodec;
import io.cleave.value.Type;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/// Writes the rows of a source into a table. One instance is made for a step and shared by all runs
/// of the step.
///
/// If the source reads what the step writes, it is read to its end before the first write. INSERT
/// checks all keys before it writes the first row.
final class RowWriter {
    /// The overhead of a key that is in a list and in a set.
    private static final int ENTRY_BYTES = 96;

    private final WriteMode mode;
    private final Table table;
    private final Operator source;
    private final List<Type> keyTypes;
    private final int[] keys;
    private final int[] columns;
    private final int[] values;
    private final int[] freshColumns;
    private final boolean collectFirst;
    private final ReadColumns existence;
    private final @Nullable ReadColumns returning;
    private final IndexWriter indexes;

    RowWriter(DataSteps.Write step) {
        mode = step.mode();
        table = step.table();
        source = Operators.of(step.source());
        keyTypes = step.keyTypes();
        keys = array(step.keys());
        columns = array(step.columns());
        values = array(step.values());
        freshColumns = array(step.freshColumns());
        collectFirst =
                step.collectFirst()
                        || mode == WriteMode.INSERT
                        || mode == WriteMode.INSERT_OR_REVERT;
        existence = ReadColumns.none(table);
        indexes = new IndexWriter(table, step.indexes());
        returning = step.returning().map(all -> ReadColumns.of(table, all)).orElse(null);
    }

    private static int[] array(List<Integer> numbers) {
        return numbers.stream().mapToInt(Integer::intValue).toArray();
    }

    /// Passes the rows of RETURNING to `returned`: the new rows, or for DELETE the old rows. Each
    /// row is passed once, even if the statement writes it several times.
    void run(Running run, Consumer<Value[]> returned) {
        Set<Bytes> written = new LinkedHashSet<>();
        IndexWriter.Statement statement = indexes.begin(run.transaction());
        writeRows(run, statement, returned, written);
        statement.finish();
        written.forEach(key -> giveBack(run.transaction(), key, returned));
    }

    private void writeRows(
            Running run,
            IndexWriter.Statement statement,
            Consumer<Value[]> returned,
            Set<Bytes> written) {
        try (Rows rows = source.open(run)) {
            if (collectFirst) {
                writeCollected(run, rows, statement, returned, written);
                return;
            }
            for (Value[] row = rows.next(); row != null; row = rows.next()) {
                Bytes key = key(run.transaction(), row);
                write(run.transaction(), statement, key, row, returned, written);
            }
        }
    }

    private void writeCollected(
            Running run,
            Rows rows,
            IndexWriter.Statement statement,
            Consumer<Value[]> returned,
            Set<Bytes> written) {
        try (var collected = new RowList(run.spill(), 1)) {
            for (Value[] row = rows.next(); row != null; row = rows.next()) {
                collected.add(row);
            }
            if (mode == WriteMode.INSERT || mode == WriteMode.INSERT_OR_REVERT) {
                insertAll(run, statement, collected, returned, written);
                return;
            }
            for (int index = 0; index < collected.size(); index++) {
                Value[] row = collected.get(index);
                Bytes key = key(run.transaction(), row);
                write(run.transaction(), statement, key, row, returned, written);
            }
        }
    }

    /// Checks all keys before it writes the first row.
    private void insertAll(
            Running run,
            IndexWriter.Statement statement,
            RowList rows,
            Consumer<Value[]> returned,
            Set<Bytes> written) {
        Transaction transaction = run.transaction();
        List<Bytes> rowKeys = new ArrayList<>(rows.size());
        Set<Bytes> distinct = new HashSet<>();
        try (var memory = new QueryMemory.Share(run.memory())) {
            for (int index = 0; index < rows.size(); index++) {
                Bytes key = key(transaction, rows.get(index));
                rows.makeRoom(memory, ENTRY_BYTES + key.length());
                rowKeys.add(key);
                if (!distinct.add(key) || exists(transaction, key)) {
                    if (mode == WriteMode.INSERT_OR_REVERT) {
                        return;
                    }
                    throw conflict();
                }
            }
            for (int index = 0; index < rows.size(); index++) {
                write(
                        transaction,
                        statement,
                        rowKeys.get(index),
                        rows.get(index),
                        returned,
                        written);
            }
        }
    }

    private static StatusException conflict() {
        return new StatusException(
                Status.PRECONDITION_FAILED,
                Issue.error(Issue.CONSTRAINT_VIOLATION, "Conflict with existing key."));
    }

    private boolean exists(Transaction transaction, Bytes key) {
        return transaction.get(key, existence) != null;
    }

    private Bytes key(Transaction transaction, Value[] row) {
        var key = new Value[keys.length];
        for (int index = 0; index < key.length; index++) {
            key[index] =
                    keys[index] < 0
                            ? preset(transaction, table.keyColumns().get(index))
                            : row[keys[index]];
        }
        Bytes encoded = KeyCodec.encode(keyTypes, key);
        RowLimits.checkKey(keyTypes, encoded);
        return encoded;
    }

    private Value preset(Transaction transaction, int column) {
        Optional<Preset> preset = table.columns().get(column).preset();
        if (preset.isEmpty()) {
            return Value.Null.NULL;
        }
        return switch (preset.get()) {
            case Preset.Literal(Value value) -> value;
            case Preset.FromSequence _ -> Value.of(transaction.nextValue(table, column));
            case Preset.Generated _ ->
                    throw new IllegalStateException(
                            "every statement computes its generated columns");
        };
    }

    private void write(
            Transaction transaction,
            IndexWriter.Statement statement,
            Bytes key,
            Value[] row,
            Consumer<Value[]> returned,
            Set<Bytes> written) {
        switch (mode) {
            case UPSERT -> {
                if (freshColumns.length > 0 && !exists(transaction, key)) {
                    writeFresh(transaction, statement, key);
                }
                statement.write(key, fields(transaction, RowWrite.Kind.UPSERT, row), false);
            }
            case CHANGE ->
                    statement.write(key, fields(transaction, RowWrite.Kind.UPSERT, row), true);
            // A row that does not exist has no old fields to merge with.
            case REPLACE, INSERT, INSERT_OR_REVERT ->
                    statement.write(key, fields(transaction, RowWrite.Kind.REPLACE, row), false);
            case INSERT_OR_IGNORE -> {
                if (exists(transaction, key)) {
                    return;
                }
                statement.write(key, fields(transaction, RowWrite.Kind.REPLACE, row), false);
            }
            case UPDATE -> {
                if (!exists(transaction, key)) {
                    return;
                }
                statement.write(key, fields(transaction, RowWrite.Kind.UPSERT, row), true);
            }
            case ERASE -> {
                giveBack(transaction, key, returned);
                statement.write(key, RowWrite.ERASE, false);
                return;
            }
        }
        if (returning != null) {
            written.add(key);
        }
    }

    private void writeFresh(Transaction transaction, IndexWriter.Statement statement, Bytes key) {
        var presets = new Value[freshColumns.length];
        for (int index = 0; index < presets.length; index++) {
            presets[index] = preset(transaction, freshColumns[index]);
        }
        statement.write(key, new RowWrite(RowWrite.Kind.UPSERT, freshColumns, presets), false);
    }

    private RowWrite fields(Transaction transaction, RowWrite.Kind kind, Value[] row) {
        var fields = new Value[columns.length];
        for (int index = 0; index < fields.length; index++) {
            fields[index] =
                    values[index] < 0 ? preset(transaction, columns[index]) : row[values[index]];
            RowLimits.checkField(fields[index]);
        }
        return new RowWrite(kind, columns, fields);
    }

    private void giveBack(Transaction transaction, Bytes key, Consumer<Value[]> returned) {
        if (returning != null) {
            Value[] row = transaction.get(key, returning);
            if (row != null) {
                returned.accept(row);
            }
        }
    }
}
