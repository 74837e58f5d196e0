package io.cleave.yt.table;

import io.cleave.access.Caller;
import io.cleave.base.Bytes;
import io.cleave.cluster.ReshardPlan;
import io.cleave.cluster.TabletInfo;
import io.cleave.schema.KeyRange;
import io.cleave.schema.MountState;
import io.cleave.schema.Table;
import io.cleave.value.YsonNode;
import io.cleave.yt.command.CommandParameters;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Changes the first keys of a table, or of a span of its tablets. The tablets must be unmounted
/// unless the client sets `online`. YTsaurus does not have this option: with it, rows are served
/// during the change.
///
/// Threads: any.
record TableResharding(YtTables tables, Caller caller) {
    void run(String path, CommandParameters parameters) {
        checkParameters(parameters);
        boolean _ =
                tables.locked(
                        caller,
                        path,
                        table -> {
                            reshard(table, parameters);
                            return true;
                        });
    }

    /// Checks the parameters in the order in which YTsaurus checks them.
    static void checkParameters(CommandParameters parameters) {
        boolean keys = parameters.find("pivot_keys").isPresent();
        Optional<Long> count = parameters.number("tablet_count");
        if (keys && count.isPresent()) {
            throw problem("Cannot specify both \"pivot_keys\" and \"tablet_count\"");
        }
        if (!keys && count.isEmpty()) {
            throw problem("Must specify either \"pivot_keys\" or \"tablet_count\"");
        }
        boolean uniform = parameters.flag("uniform", false);
        if (uniform && keys) {
            throw problem("\"uniform\" can be specified only with \"tablet_count\"");
        }
        boolean slicing = parameters.flag("enable_slicing", false);
        if (slicing && keys) {
            throw problem("\"enable_slicing\" can be specified only with \"tablet_count\"");
        }
        if (slicing && uniform) {
            throw problem("Cannot specify both \"enable_slicing\" and \"uniform\"");
        }
        Optional<YsonNode> accuracy = parameters.find("slicing_accuracy");
        if (accuracy.isPresent() && !slicing) {
            throw problem("\"slicing_accuracy\" can be specified only with \"enable_slicing\"");
        }
        if (count.isPresent() && count.get() <= 0) {
            throw problem("\"tablet_count\" must be positive");
        }
        if (accuracy.isPresent() && !isPositive(accuracy.get().bare())) {
            throw problem("\"slicing_accuracy\" must be positive");
        }
        if (parameters.find("trimmed_row_counts").isPresent()) {
            throw problem("\"trimmed_row_counts\" is for ordered tables, which are not supported");
        }
    }

    private static boolean isPositive(YsonNode value) {
        return switch (value) {
            case YsonNode.Real(double number) -> number > 0;
            case YsonNode.Int64(long number) -> number > 0;
            case YsonNode.Uint64(long number) -> number != 0;
            default -> false;
        };
    }

    private void reshard(Table table, CommandParameters parameters) {
        List<TabletInfo> tablets = tables.tablets(table);
        TabletSpan span = TabletSpan.of(parameters, tablets.size());
        if (!parameters.flag("online", false)) {
            checkUnmounted(table, span.of(tablets));
        }
        parameters
                .number("tablet_count")
                .ifPresent(count -> PivotRules.checkCount(tablets.size() - span.count() + count));
        List<Bytes> pivots = pivots(table, tablets, span, parameters);
        ReshardPlan plan = PivotRules.plan(tablets, span, pivots);
        if (!plan.splits().isEmpty()) {
            var _ = tables.resharding().split(table, plan.splits());
        }
        for (List<Long> merged : plan.merges(tables.tablets(table))) {
            var _ = tables.resharding().merge(table.path(), merged);
        }
    }

    private static void checkUnmounted(Table table, List<TabletInfo> tablets) {
        for (TabletInfo tablet : tablets) {
            if (YtTables.state(table, tablet) != MountState.UNMOUNTED) {
                throw new YtException(
                        YtCodes.INVALID_TABLET_STATE,
                        "Cannot reshard table since tablet %s is not unmounted"
                                .formatted(MountGate.tabletId(tablet.tabletId())));
            }
        }
    }

    private List<Bytes> pivots(
            Table table, List<TabletInfo> tablets, TabletSpan span, CommandParameters parameters) {
        YtSchema schema = TableSchemas.of(table);
        Optional<YsonNode> keys = parameters.find("pivot_keys");
        if (keys.isPresent()) {
            return PivotKeys.read(schema.keyColumns(), keys.get());
        }
        int count = Math.toIntExact(parameters.number("tablet_count").orElseThrow());
        if (parameters.flag("uniform", false)) {
            return uniform(schema, tablets, span, count);
        }
        KeyRange range = span.range(tablets);
        List<Bytes> pivots = new ArrayList<>();
        pivots.add(range.from());
        pivots.addAll(RowCuts.of(tables, table, range, count));
        return pivots;
    }

    /// The uniform keys of a table. A part of a table cannot be divided uniformly.
    private static List<Bytes> uniform(
            YtSchema schema, List<TabletInfo> tablets, TabletSpan span, int count) {
        if (span.count() != tablets.size()) {
            throw problem("Cannot reshard a part of the table uniformly");
        }
        return PivotKeys.uniform(schema.keyColumns().getFirst(), count);
    }

    private static YtException problem(String message) {
        return new YtException(YtCodes.GENERIC, message);
    }
}
