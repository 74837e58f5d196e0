package io.cleave.yql;

import io.cleave.base.Issue.Position;
import io.cleave.value.Type;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// One statement of a query text.
public sealed interface Statement {
    Position at();

    /// `DECLARE $name AS type`.
    record Declare(Position at, String name, Type type) implements Statement {}

    /// `$a, $b = expression`. A query, with or without parentheses, is an [Expression.SubQuery].
    record Define(Position at, List<String> names, Expression value) implements Statement {
        public Define {
            names = List.copyOf(names);
        }
    }

    /// A parameter `$name` or `$name?` of a routine. An optional parameter that is omitted is NULL.
    record RoutineParameter(String name, boolean optional) {}

    /// `DEFINE ACTION $name($parameters) AS … END DEFINE`, or DEFINE SUBQUERY, whose last statement
    /// is a query.
    record DefineRoutine(
            Position at,
            boolean subQuery,
            String name,
            List<RoutineParameter> parameters,
            List<Statement> body)
            implements Statement {
        public DefineRoutine {
            parameters = List.copyOf(parameters);
            body = List.copyOf(body);
        }
    }

    /// `DO $action(arguments)`.
    record Do(Position at, String name, List<Expression> arguments) implements Statement {
        public Do {
            arguments = List.copyOf(arguments);
        }
    }

    /// `DO BEGIN … END DO`. Names that are defined inside are not visible outside.
    record DoBlock(Position at, List<Statement> body) implements Statement {
        public DoBlock {
            body = List.copyOf(body);
        }
    }

    /// `PRAGMA prefix.name(values)` or `PRAGMA name = value`.
    record Pragma(
            Position at, Optional<String> prefix, String name, List<Expression.Literal> values)
            implements Statement {
        public Pragma {
            values = List.copyOf(values);
        }
    }

    /// A SELECT or VALUES statement. DISCARD runs it and drops its rows.
    record Run(Position at, Query query, boolean discard) implements Statement {}

    enum WriteKind {
        UPSERT,
        REPLACE,
        INSERT,
        INSERT_OR_ABORT,
        INSERT_OR_REVERT,
        INSERT_OR_IGNORE
    }

    /// `UPSERT INTO table (columns) source`. Without columns, those of the source are used.
    record Write(
            Position at,
            WriteKind kind,
            TableName table,
            Optional<List<ColumnAt>> columns,
            Query source,
            Optional<Returning> returning)
            implements Statement {}

    record ColumnAt(Position at, String name) {}

    /// An empty list of columns means `RETURNING *`.
    record Returning(Position at, List<ColumnAt> columns) {
        public Returning {
            columns = List.copyOf(columns);
        }
    }

    record Assignment(ColumnAt column, Expression value) {}

    record Update(
            Position at,
            TableName table,
            List<Assignment> assignments,
            Optional<Expression> where,
            Optional<Returning> returning)
            implements Statement {
        public Update {
            assignments = List.copyOf(assignments);
        }
    }

    /// `UPDATE table ON [(columns)] source`. Rows that do not exist are skipped.
    record UpdateOn(
            Position at,
            TableName table,
            Optional<List<ColumnAt>> columns,
            Query source,
            Optional<Returning> returning)
            implements Statement {}

    record Delete(
            Position at, TableName table, Optional<Expression> where, Optional<Returning> returning)
            implements Statement {}

    record DeleteOn(
            Position at,
            TableName table,
            Optional<List<ColumnAt>> columns,
            Query source,
            Optional<Returning> returning)
            implements Statement {}

    /// `generated` is the text of the expression that computes the column.
    record ColumnDefinition(
            Position at,
            String name,
            ColumnType type,
            boolean notNull,
            Optional<String> family,
            Optional<Expression> preset,
            Optional<String> generated) {}

    /// A value type, or a serial pseudo-type by its name.
    sealed interface ColumnType {
        record Plain(Type type) implements ColumnType {}

        record Serial(String name) implements ColumnType {}
    }

    record IndexDefinition(
            Position at,
            String name,
            boolean local,
            boolean unique,
            boolean async,
            Optional<String> subtype,
            List<ColumnAt> columns,
            List<ColumnAt> cover,
            List<Setting> settings) {
        public IndexDefinition {
            columns = List.copyOf(columns);
            cover = List.copyOf(cover);
            settings = List.copyOf(settings);
        }
    }

    record FamilyDefinition(Position at, String name, List<Setting> settings) {
        public FamilyDefinition {
            settings = List.copyOf(settings);
        }
    }

    /// `NAME = value` in a WITH or SET list. The name is as written.
    record Setting(Position at, String name, SettingValue value) {}

    sealed interface SettingValue {
        /// A word such as ENABLED or ROW.
        record Word(String word) implements SettingValue {}

        record Constant(Expression.Literal literal) implements SettingValue {}

        /// `(10, 1000)` or `((10), (1000, "abc"))`. Each key is a list of literals, and of calls
        /// with literal arguments such as `Date("2024-01-01")`.
        record Keys(List<List<Expression>> keys) implements SettingValue {
            public Keys {
                keys = keys.stream().map(List::copyOf).toList();
            }
        }

        /// `Interval("P30D") ON column [AS SECONDS]`.
        record Ttl(Expression interval, String column, Optional<String> unit)
                implements SettingValue {}
    }

    /// If there is a `source`, the columns are those of the query, and `bareColumns` may name them.
    record CreateTable(
            Position at,
            TableName table,
            boolean temporary,
            boolean ifNotExists,
            List<ColumnDefinition> columns,
            Optional<List<ColumnAt>> primaryKey,
            List<IndexDefinition> indexes,
            List<FamilyDefinition> families,
            List<Setting> settings,
            List<ColumnAt> bareColumns,
            Optional<Query> source)
            implements Statement {
        public CreateTable {
            bareColumns = List.copyOf(bareColumns);
            columns = List.copyOf(columns);
            indexes = List.copyOf(indexes);
            families = List.copyOf(families);
            settings = List.copyOf(settings);
        }
    }

    record AlterTable(Position at, TableName table, List<TableChange> changes)
            implements Statement {
        public AlterTable {
            changes = List.copyOf(changes);
        }
    }

    sealed interface TableChange {
        record AddColumn(ColumnDefinition column) implements TableChange {}

        record DropColumn(ColumnAt column) implements TableChange {}

        record SetSettings(List<Setting> settings) implements TableChange {}

        record ResetSettings(List<ColumnAt> names) implements TableChange {}

        record SetFamily(ColumnAt column, String family) implements TableChange {}

        record DropNotNull(ColumnAt column) implements TableChange {}

        record SetNotNull(ColumnAt column) implements TableChange {}

        record SetDefault(ColumnAt column, Expression preset) implements TableChange {}

        record DropDefault(ColumnAt column) implements TableChange {}

        record AddFamily(FamilyDefinition family) implements TableChange {}

        record AlterFamily(FamilyDefinition family) implements TableChange {}

        record AddIndex(IndexDefinition index) implements TableChange {}

        record DropIndex(ColumnAt index) implements TableChange {}

        record RenameIndex(ColumnAt from, String to) implements TableChange {}

        record AlterIndex(ColumnAt index, List<Setting> settings) implements TableChange {
            public AlterIndex {
                settings = List.copyOf(settings);
            }
        }

        record ResetIndex(ColumnAt index, List<ColumnAt> names) implements TableChange {
            public ResetIndex {
                names = List.copyOf(names);
            }
        }

        record RenameTable(TableName to) implements TableChange {}
    }

    record DropTable(Position at, TableName table, boolean ifExists) implements Statement {}

    record TruncateTable(Position at, TableName table) implements Statement {}

    /// An UPDATE or DELETE over all rows that runs in parts.
    record Batch(Position at, Statement statement) implements Statement {}

    /// `CREATE VIEW … AS text`. `body` is the parsed text: named expressions and a query.
    record CreateView(
            Position at,
            TableName view,
            boolean ifNotExists,
            List<Setting> settings,
            String text,
            List<Statement> body)
            implements Statement {
        public CreateView {
            settings = List.copyOf(settings);
            body = List.copyOf(body);
        }
    }

    record DropView(Position at, TableName view, boolean ifExists) implements Statement {}

    /// `SHOW CREATE TABLE` or `SHOW CREATE VIEW`.
    record ShowCreate(Position at, TableName name, boolean ofView) implements Statement {}

    /// `restart` has a number only if the statement contains one.
    record AlterSequence(
            Position at,
            TableName sequence,
            boolean ifExists,
            OptionalLong start,
            OptionalLong increment,
            boolean restarts,
            OptionalLong restart)
            implements Statement {}

    /// A statement about users, groups or permissions.
    record Access(Position at, AccessCommand command) implements Statement {}

    /// `EXPLAIN statement`, for the shell. Clients request a plan by the mode of their call.
    record Explain(Position at, Statement statement) implements Statement {}

    record Commit(Position at) implements Statement {}

    /// A valid statement that is not supported; its name is for the error message.
    record Unsupported(Position at, String name) implements Statement {}
}
