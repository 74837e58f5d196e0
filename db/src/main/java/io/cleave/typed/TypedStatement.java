package io.cleave.typed;

import io.cleave.schema.SchemeChange;
import io.cleave.schema.Table;
import io.cleave.schema.TableChange;
import io.cleave.schema.TableDefinition;

import java.util.List;
import java.util.Optional;

/// An executable statement with every name and type resolved.
public sealed interface TypedStatement {
    /// A subquery whose result is stored in a slot, from which the statement's expressions read it.
    record SubQuery(int slot, Shape shape, Relation rows) {
        public enum Shape {
            /// The only column of the first row; NULL if there are no rows.
            SCALAR,
            /// A List with the values of the only column.
            LIST,
            /// Whether there is a row.
            EXISTS
        }
    }

    /// Returns rows to the client, or drops them if `discard`.
    record Select(Relation rows, boolean discard, List<SubQuery> subQueries)
            implements TypedStatement {
        public Select {
            subQueries = List.copyOf(subQueries);
        }
    }

    enum WriteMode {
        UPSERT,
        REPLACE,
        INSERT,
        INSERT_OR_REVERT,
        INSERT_OR_IGNORE,
        /// Updates fields of existing rows and ignores keys that do not exist.
        UPDATE,
        /// Updates fields of rows that have just been read.
        CHANGE,
        /// Deletes rows and ignores keys that do not exist.
        ERASE;

        /// YDB's name for the operation, as used in its error messages.
        public String operation() {
            return switch (this) {
                case UPSERT -> "Upsert";
                case REPLACE -> "Replace";
                case INSERT -> "InsertAbort";
                case INSERT_OR_REVERT -> "InsertRevert";
                case INSERT_OR_IGNORE -> "InsertIgnore";
                case UPDATE -> "UpdateOn";
                case CHANGE -> "Update";
                case ERASE -> "Delete";
            };
        }

        /// The keywords of the statement.
        public String words() {
            return switch (this) {
                case UPSERT, REPLACE, INSERT, INSERT_OR_REVERT, INSERT_OR_IGNORE, UPDATE ->
                        name().replace('_', ' ');
                case CHANGE -> "UPDATE";
                case ERASE -> "DELETE";
            };
        }
    }

    /// Writes the rows of `source`. Field i of the source goes to column `columns[i]` of the table.
    /// All key columns are among `columns`. The types are equal except for NOT NULL.
    ///
    /// `selfRead` means that the source reads the table that is written.
    record Write(
            WriteMode mode,
            Table table,
            Relation source,
            List<Integer> columns,
            Optional<List<Integer>> returning,
            boolean selfRead,
            List<SubQuery> subQueries)
            implements TypedStatement {
        public Write {
            columns = List.copyOf(columns);
            returning = returning.map(List::copyOf);
            subQueries = List.copyOf(subQueries);
        }
    }

    /// Changes the schema and reads no rows.
    sealed interface SchemeStatement extends TypedStatement {}

    /// A `temporary` table belongs to its session and is dropped with it.
    record CreateTable(TableDefinition table, boolean ifNotExists, boolean temporary)
            implements SchemeStatement {}

    record AlterTable(String path, List<TableChange> changes) implements SchemeStatement {
        public AlterTable {
            changes = List.copyOf(changes);
        }
    }

    record DropTable(String path, boolean ifExists) implements SchemeStatement {}

    record ChangeScheme(SchemeChange change) implements SchemeStatement {}

    /// Creates a table and fills it with the result of `query`, whose fields are the table's
    /// columns.
    record CreateTableAs(
            TableDefinition table, boolean ifNotExists, boolean temporary, Select query)
            implements TypedStatement {}

    /// A write of rows of the same table that it reads. It runs in several transactions and is not
    /// atomic as a whole.
    record Batch(Write write) implements TypedStatement {}

    /// Returns the plan of the statement instead of running it.
    record Explain(TypedStatement statement) implements TypedStatement {}
}
