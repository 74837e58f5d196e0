package io.cleave.plan;

import io.cleave.base.Issue;
import io.cleave.schema.TableDefinition;
import io.cleave.typed.TypedStatement.SchemeStatement;
import io.cleave.value.Type;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A query text that is compiled against the catalog and the types of its parameters. Immutable. It
/// is shared by all runs of the text until a table that it names changes.
///
/// `tableVersions` maps the id of each table it was compiled against to the table's version.
/// `asyncIndexTable` is the table of an ASYNC index that it reads, which only a stale transaction
/// may do. `resultRowsLimit` is the number of rows of each result that the text asks for, 0 for
/// all. If there are more rows, the result has one row more than the limit, so that the truncation
/// can be detected.
public record Program(
        Kind kind,
        Map<String, Type> parameters,
        List<ResultShape> results,
        List<Step> steps,
        Map<Long, Long> tableVersions,
        List<Issue> warnings,
        Optional<String> asyncIndexTable,
        long resultRowsLimit) {
    public enum Kind {
        /// Reads and writes no table.
        CONSTANT,
        /// Only one read by the whole key. It may run on the thread that received the request.
        POINT_READ,
        READ,
        WRITE,
        /// One write, which runs in pieces, each in its own transaction.
        BATCH,
        SCHEME
    }

    public record ResultColumn(String name, Type type) {}

    public record ResultShape(List<ResultColumn> columns) {
        public ResultShape {
            columns = List.copyOf(columns);
        }
    }

    /// A program that reads no ASYNC index and returns all rows.
    public Program(
            Kind kind,
            Map<String, Type> parameters,
            List<ResultShape> results,
            List<Step> steps,
            Map<Long, Long> tableVersions,
            List<Issue> warnings) {
        this(kind, parameters, results, steps, tableVersions, warnings, Optional.empty(), 0);
    }

    public Program {
        parameters = Map.copyOf(parameters);
        results = List.copyOf(results);
        steps = List.copyOf(steps);
        tableVersions = Map.copyOf(tableVersions);
        warnings = List.copyOf(warnings);
    }

    /// One step of a program. Steps run in order.
    public sealed interface Step permits SchemeStep, DataStep {}

    /// A change of the catalog. It runs outside of any transaction.
    public sealed interface SchemeStep extends Step {
        /// A change that needs no plan.
        record Change(SchemeStatement statement) implements SchemeStep {}

        /// Creates the table from the rows of `query`, whose only result has the table's columns.
        record CreateTableAs(
                TableDefinition table, boolean ifNotExists, boolean temporary, Program query)
                implements SchemeStep {}
    }

    /// A step that runs inside a transaction.
    public non-sealed interface DataStep extends Step {}
}
