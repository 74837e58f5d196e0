package io.cleave.balance.yt;

import io.cleave.balance.BalanceCommand;
import io.cleave.balance.BundleState;
import io.cleave.balance.ClusterState;
import io.cleave.balance.KeyFacts;
import io.cleave.balance.TableState;
import io.cleave.balance.yt.StoredConfigs.Result;
import io.cleave.balance.yt.StoredConfigs.TableRead;
import io.cleave.balance.yt.metric.CompiledMetrics;
import io.cleave.balance.yt.move.BundleLoad;
import io.cleave.balance.yt.reshard.ReshardOptions;
import io.cleave.balance.yt.settings.BundleSettings;
import io.cleave.schema.Balancer;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/// Plans what users ask for, in one state of the cluster. Settings that cannot be read are an error
/// of the command.
record CommandPlan(
        ClusterState state,
        StoredConfigs configs,
        RoundLimits limits,
        CompiledMetrics metrics,
        PolicyAnswer answer) {
    void plan(BalanceCommand command, ReshardOptions options, KeyFacts facts) {
        switch (command) {
            case BalanceCommand.ReshardTable(long tableId) ->
                    state.tables().stream()
                            .filter(table -> table.balancer() == Balancer.YT)
                            .filter(table -> table.table().id() == tableId)
                            .forEach(
                                    table ->
                                            bundle(table.bundle(), List.of(table))
                                                    .reshardByCommand(options, facts, answer));
            case BalanceCommand.BalanceCells(String name, Set<Long> tableIds) ->
                    move(name, tableIds);
        }
    }

    private void move(String name, Set<Long> tableIds) {
        List<TableState> tables =
                state.tables().stream()
                        .filter(table -> table.balancer() == Balancer.YT)
                        .filter(table -> table.bundle().equals(name))
                        .toList();
        if (!tables.isEmpty()) {
            BalancedBundle bundle = bundle(name, tables);
            BundleLoad load =
                    Objects.requireNonNull(BundleLoads.of(state, List.of(bundle)).get(bundle));
            bundle.moveByCommand(load, tableIds, answer);
        }
    }

    private BalancedBundle bundle(String name, List<TableState> tables) {
        BundleState bundle =
                state.bundles().stream()
                        .filter(each -> each.name().equals(name))
                        .findFirst()
                        .orElseThrow(
                                () ->
                                        new YtException(
                                                YtCodes.GENERIC,
                                                "No healthy tablet cells in bundle \"%s\""
                                                        .formatted(name)));
        if (configs.bundle(bundle) instanceof Result.Broken<BundleSettings>(String why)) {
            throw broken("bundle \"%s\": %s".formatted(name, why));
        }
        for (TableState table : tables) {
            if (configs.table(table.table()) instanceof Result.Broken<TableRead>(String why)) {
                throw broken("%s: %s".formatted(table.table().path(), why));
            }
        }
        return BalancedBundle.of(
                        bundle,
                        state.bundle(name).size(),
                        tables,
                        Optional.empty(),
                        configs,
                        limits,
                        metrics,
                        answer)
                .orElseThrow();
    }

    private static YtException broken(String why) {
        return new YtException(YtCodes.INCORRECT_BALANCER_CONFIG, why);
    }
}
