package io.cleave.yt.table;

import io.cleave.access.Caller;
import io.cleave.catalog.PathErrors;
import io.cleave.cluster.Resharding;
import io.cleave.cluster.TableLocks.Purpose;
import io.cleave.cluster.TableStates;
import io.cleave.cluster.TabletInfo;
import io.cleave.cluster.Tablets;
import io.cleave.control.TabletBalancer;
import io.cleave.query.Database;
import io.cleave.schema.KeyRange;
import io.cleave.schema.MountState;
import io.cleave.schema.MountStates;
import io.cleave.schema.Table;
import io.cleave.schema.YtTable;
import io.cleave.tree.Scheme;
import io.cleave.txn.OptimisticTransactions;
import io.cleave.txn.ReadColumns;
import io.cleave.txn.RowStream;
import io.cleave.txn.Snapshot;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;

import java.util.List;
import java.util.function.Function;

/// The tables of the database, for the commands and attributes of this package. Every change by a
/// command of this package is made as a caller: with [#tree], [#locked] or [#changeStates]. These
/// are places for [io.cleave.access.AccessCheck] of this front end. The commands of `yt.tree` move
/// tables and change their settings, in commits of `tree.CypressTree`, which knows no caller.
///
/// @param transactions for reads of tables that are not mounted
/// @param computed checks the expressions of computed columns
/// @param balancer has the actions, and what users ask for
public record YtTables(
        Database database,
        Tablets tablets,
        Resharding resharding,
        OptimisticTransactions transactions,
        ComputedColumns computed,
        TabletBalancer balancer) {
    /// The tree of the database, to change tables as this caller may.
    Scheme tree(Caller caller) {
        return database.as(caller).tree();
    }

    /// The table at an absolute path of the catalog.
    Table table(String path) {
        return tablets.find(path).orElseThrow(() -> PathErrors.missing(path));
    }

    /// The table's tablets in key order.
    List<TabletInfo> tablets(Table table) {
        return tablets.infos(table);
    }

    /// The path of the table as clients know it.
    String ypath(Table table) {
        return MountGate.path(tablets.database(), table);
    }

    static MountStates states(Table table) {
        return table.options().yt().map(YtTable::states).orElse(MountStates.MOUNTED);
    }

    static MountState state(Table table, TabletInfo tablet) {
        return states(table).at(tablet.range().from());
    }

    /// Runs `work`, which may change the table and its tablets as this caller may. No other client
    /// can change the table meanwhile.
    <T> T locked(Caller caller, String path, Function<Table, T> work) {
        return tablets.held().with(path, Purpose.CHANGE_ALL, (table, _) -> work.apply(table));
    }

    /// Changes the states of tablets as this caller may.
    void changeStates(Caller caller, String path, TableStates.NextStates decision) {
        tablets.states().change(path, decision);
    }

    /// Throws unless all tablets of the table are unmounted.
    static void checkUnmounted(Table table, String what) {
        if (!states(table).all(state -> state == MountState.UNMOUNTED)) {
            throw new YtException(
                    YtCodes.INVALID_TABLET_STATE, what + " since not all tablets are unmounted");
        }
    }

    /// Whether the table has no rows now. Its tablets may be in any state.
    boolean isEmpty(Table table) {
        try (Snapshot snapshot = transactions.snapshot();
                RowStream rows = snapshot.scan(KeyRange.ALL, ReadColumns.none(table))) {
            return !rows.next();
        }
    }
}
