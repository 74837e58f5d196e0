package io.cleave.query;

import io.cleave.base.Bytes;
import io.cleave.exec.ResultSink;
import io.cleave.exec.RowLimits;
import io.cleave.plan.Program;
import io.cleave.plan.Program.ResultShape;
import io.cleave.plan.Program.SchemeStep;
import io.cleave.schema.Column;
import io.cleave.schema.Table;
import io.cleave.tree.Scheme;
import io.cleave.txn.Isolation;
import io.cleave.txn.RowWrite;
import io.cleave.txn.Transaction;
import io.cleave.txn.Transactions;
import io.cleave.txn.Transactions.KeyedWrite;
import io.cleave.value.KeyCodec;
import io.cleave.value.Type;
import io.cleave.value.Value;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// CREATE TABLE … AS. A hidden table is filled from one snapshot, and moved to its path when it is
/// complete. Of several rows with the same key, the last one stays.
final class TableFilling {
    /// The number of rows in one write.
    private static final int ROWS_AT_ONCE = 1000;

    private final Scheme scheme;
    private final Transactions transactions;
    private final QueryRunner runner;

    /// Runs a program inside a transaction.
    interface QueryRunner {
        void run(Program query, Transaction transaction, ResultSink rows);
    }

    TableFilling(Scheme scheme, Transactions transactions, QueryRunner runner) {
        this.scheme = scheme;
        this.transactions = transactions;
        this.runner = runner;
    }

    /// Creates and fills a table that stays hidden.
    Table createHidden(SchemeStep.CreateTableAs create) {
        Table hidden = scheme.createHidden(create.table());
        boolean filled = false;
        try {
            fill(hidden, create.query());
            filled = true;
            return hidden;
        } finally {
            if (!filled) {
                scheme.dropTable(hidden.path(), true);
            }
        }
    }

    /// False if something with this path already exists and `ifNotExists` is set.
    boolean create(SchemeStep.CreateTableAs create) {
        String path = create.table().path();
        if (scheme.find(path).isPresent() || scheme.view(path).isPresent()) {
            return scheme.createTable(create.table(), create.ifNotExists());
        }
        Table hidden = createHidden(create);
        boolean shown = false;
        try {
            scheme.show(hidden, path);
            shown = true;
            return true;
        } finally {
            if (!shown) {
                scheme.dropTable(hidden.path(), true);
            }
        }
    }

    private void fill(Table table, Program query) {
        Transaction transaction = transactions.begin(Isolation.SNAPSHOT_READ_ONLY);
        try {
            var filler = new Filler(table);
            runner.run(query, transaction, filler);
            filler.write();
        } finally {
            transaction.rollback();
        }
    }

    /// Writes the rows it receives. They have the table's columns in their order.
    private final class Filler implements ResultSink {
        private final Table table;
        private final List<Type> keyTypes;
        private final int[] others;
        private final List<KeyedWrite> rows = new ArrayList<>();

        Filler(Table table) {
            this.table = table;
            keyTypes = table.key().stream().map(Column::type).toList();
            others =
                    IntStream.range(0, table.columns().size())
                            .filter(column -> !table.isKey(column))
                            .toArray();
        }

        @Override
        public void begin(int resultIndex, ResultShape shape) {}

        @Override
        public void row(int resultIndex, Value[] row) {
            Value[] key = table.keyColumns().stream().map(at -> row[at]).toArray(Value[]::new);
            Bytes encoded = KeyCodec.encode(keyTypes, key);
            RowLimits.checkKey(keyTypes, encoded);
            Value[] values = new Value[others.length];
            for (int index = 0; index < values.length; index++) {
                values[index] = row[others[index]];
                RowLimits.checkField(values[index]);
            }
            rows.add(new KeyedWrite(encoded, new RowWrite(RowWrite.Kind.REPLACE, others, values)));
            if (rows.size() == ROWS_AT_ONCE) {
                write();
            }
        }

        @Override
        public void end(int resultIndex) {}

        void write() {
            if (!rows.isEmpty()) {
                transactions.bulkWrite(table, rows);
                rows.clear();
            }
        }
    }
}
