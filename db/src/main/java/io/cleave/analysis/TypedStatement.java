package io.cleave.analysis;

import io.cleave.schema.SchemeChange;
import io.cleave.schema.Table;
import io.cleave.schema.TableChange;
import io.cleave.schema.TableDefinition;

import java.util.List;
import java.util.Optional;

/// A statement that does something, with every name and type resolved.
public sealed interface TypedStatement {
    /// A query whose result an expression of the statement takes from its slot.
    record SubQuery(int slot, Shape shape, Relation rows) {
        public enum Shape {
            /// The only column of the first row, NULL where there is none.
            SCALAR,
            /// A List of the only column.
            LIST,
            /// Whether there is a row.
            EXISTS
        }
    }

    /// Rows for the client, or for nobody when `discard`.
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
        /// Changes cells of rows that are there, and passes over keys that are not.
        UPDATE,
        /// Changes cells of rows that have just been read.
        CHANGE,
        /// Takes rows away; keys that are not there are no mistake.
        ERASE;

        /// YDB's name of what is done, as its refusals say it.
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

        /// The statement's own words.
        public String words() {
            return switch (this) {
                case UPSERT, REPLACE, INSERT, INSERT_OR_REVERT, INSERT_OR_IGNORE, UPDATE ->
                        name().replace('_', ' ');
                case CHANGE -> "UPDATE";
                case ERASE -> "DELETE";
            };
        }
    }

    /// Writes what `source` yields. Field i of the source goes to column `columns[i]` of the table;
    /// every key column is among them, and types agree but for NOT NULL.
    ///
    /// `selfRead` says that the source reads the table it writes.
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

    record CreateTable(TableDefinition table, boolean ifNotExists, boolean temporary)
            implements TypedStatement {}

    record AlterTable(String path, List<TableChange> changes) implements TypedStatement {
        public AlterTable {
            changes = List.copyOf(changes);
        }
    }

    record DropTable(String path, boolean ifExists) implements TypedStatement {}

    /// Makes a table of what `query` selects; its fields are the table's columns.
    record CreateTableAs(
            TableDefinition table, boolean ifNotExists, boolean temporary, Select query)
            implements TypedStatement {}

    record ChangeScheme(SchemeChange change) implements TypedStatement {}

    /// A write of rows of the table it reads, done part by part and not as a whole.
    record Batch(Write write) implements TypedStatement {}

    /// Shows how the statement would run.
    record Explain(TypedStatement statement) implements TypedStatement {}
}
