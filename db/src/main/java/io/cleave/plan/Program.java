package io.cleave.plan;

import io.cleave.base.Issue;
import io.cleave.schema.SchemeChange;
import io.cleave.schema.TableChange;
import io.cleave.schema.TableDefinition;
import io.cleave.value.Type;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A query text, compiled against the catalog and the types of its parameters. Immutable and shared
/// by every run of the text until a table it names changes.
///
/// `tableVersions` are the id and version of each table it was compiled against. `asyncIndexTable`
/// is the table of an ASYNC index that it reads, which only a stale transaction may.
/// `resultRowsLimit` is how many rows of each result its text asks for, 0 for all; a result with
/// more has one more, so that it can be seen.
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
        /// Names no table.
        CONSTANT,
        /// One read by whole key, nothing else: may run on the thread that received it.
        POINT_READ,
        READ,
        WRITE,
        /// One write, done part by part in transactions of its own.
        BATCH,
        SCHEME
    }

    public record ResultColumn(String name, Type type) {}

    public record ResultShape(List<ResultColumn> columns) {
        public ResultShape {
            columns = List.copyOf(columns);
        }
    }

    /// Of what reads no ASYNC index, and gives all rows.
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

    /// One thing to do; steps run in order.
    public sealed interface Step permits SchemeStep, DataStep {}

    /// A change of the catalog; done by whoever may change it, outside any transaction.
    public sealed interface SchemeStep extends Step {
        /// `temporary`: of the session, and as long as it.
        record CreateTable(TableDefinition table, boolean ifNotExists, boolean temporary)
                implements SchemeStep {}

        record AlterTable(String path, List<TableChange> changes) implements SchemeStep {
            public AlterTable {
                changes = List.copyOf(changes);
            }
        }

        record DropTable(String path, boolean ifExists) implements SchemeStep {}

        /// Makes the table of the rows of `query`, whose only result has the table's columns.
        record CreateTableAs(
                TableDefinition table, boolean ifNotExists, boolean temporary, Program query)
                implements SchemeStep {}

        record Change(SchemeChange change) implements SchemeStep {}
    }

    /// Work inside a transaction.
    public non-sealed interface DataStep extends Step {}
}
