package io.cleave.sim.workload;

import io.cleave.schema.MountState;
import io.cleave.sim.history.Outcome;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Consumer;

/// A database as one client sees it: tables whose keys are numbers and whose values are texts.
///
/// Threads: one.
public interface Client {
    /// What a transaction may see and do.
    enum Mode {
        SERIALIZABLE,
        /// One snapshot; aborts only when another wrote what it writes.
        SNAPSHOT_WRITE,
        SNAPSHOT_READ,
        /// One snapshot; aborts only when another wrote or locked the same lock group of a row.
        ROW_LOCKS,
        /// Each read sees what is newest.
        ONLINE_READ,
        /// May be answered by read replicas.
        STALE_READ
    }

    /// A table that is cut at these keys.
    void createTable(String table, List<Long> cuts);

    /// The same with indexes on its values, by their names.
    void createTable(String table, List<Long> cuts, List<String> sync, List<String> async);

    /// One whose rows expire as their values begin: see [Expiring].
    default void createExpiring(String table, List<Long> cuts, List<String> sync) {
        throw new UnsupportedOperationException("rows that expire");
    }

    /// One with so many read replicas.
    default void createReplicated(String table, List<Long> cuts, int replicas) {
        throw new UnsupportedOperationException("read replicas");
    }

    /// One with two values in each row, each in a lock group of its own.
    default void createLocked(String table, List<Long> cuts) {
        throw new UnsupportedOperationException("lock groups");
    }

    /// Runs a command of YTsaurus' API on a table. The parameters are YSON, and each has a
    /// semicolon before it. Returns the answer, which is `{}` or begins with `error`; empty if
    /// there is none.
    default Optional<String> tableCommand(String name, String table, String parameters) {
        throw new UnsupportedOperationException("commands on tables");
    }

    /// A table as it is stored, whatever the states of its tablets.
    ///
    /// @param version of the table, which grows with each change of a state
    /// @param states of the keys from 0 up
    record Stored(long version, List<MountState> states, SortedMap<Long, String> rows) {}

    /// The rows that are stored now; empty if they cannot be read, or the table is being changed.
    default Optional<Stored> stored(String table) {
        throw new UnsupportedOperationException("stored rows");
    }

    /// Lets time pass.
    default void pauseMillis(int millis) {
        throw new UnsupportedOperationException("pauses");
    }

    /// Makes copies of tables, all at one moment; by their names. Returns whether it has heard that
    /// they are there.
    default boolean copy(SortedMap<String, String> copies) {
        throw new UnsupportedOperationException("copies");
    }

    /// Drops a table, if it is told to and it is there.
    default void drop(String table) {
        throw new UnsupportedOperationException("drops");
    }

    /// The table of an index's entries.
    static String indexTable(String table, String index) {
        return table + "/" + index + "/indexImplTable";
    }

    Transaction begin(Mode mode);

    /// A number that grows with each call of any client: what is called later gets a greater one.
    long tick();

    /// The steps of a transaction throw [FailedException] when it has come to nothing.
    interface Transaction {
        @Nullable String get(String table, long key);

        /// The rows with `from` <= key < `to`.
        SortedMap<Long, String> scan(String table, long from, long to);

        /// The same of all rows, as an index has them.
        SortedMap<Long, String> scanIndex(String table, String index);

        void put(String table, long key, String value);

        void erase(String table, long key);

        /// The second value of a row; see [Client#createLocked].
        default @Nullable String getOther(String table, long key) {
            throw new UnsupportedOperationException("lock groups");
        }

        default void putOther(String table, long key, String value) {
            throw new UnsupportedOperationException("lock groups");
        }

        /// A strong shared lock on the first value of a row.
        default void lock(String table, long key) {
            throw new UnsupportedOperationException("lock groups");
        }

        Outcome commit();

        /// Harmless when it has ended.
        void rollback();
    }

    /// The transaction has not happened and never will; the client may run it again.
    final class FailedException extends RuntimeException {
        public FailedException(String message) {
            super(message, null, false, false);
        }
    }

    /// Runs one transaction to its end, whatever that is.
    default Outcome run(Mode mode, Consumer<Transaction> body) {
        Transaction transaction = begin(mode);
        try {
            body.accept(transaction);
            return transaction.commit();
        } catch (FailedException _) {
            transaction.rollback();
            return Outcome.ABORTED;
        }
    }

    /// Runs one transaction that may be run again and again, until it has happened.
    default void insist(Mode mode, Consumer<Transaction> body) {
        Outcome outcome = Outcome.ABORTED;
        for (int count = 0; count < 100 && outcome != Outcome.COMMITTED; count++) {
            outcome = run(mode, body);
        }
        if (outcome != Outcome.COMMITTED) {
            throw new AssertionError("a transaction was refused again and again: " + outcome);
        }
    }
}
