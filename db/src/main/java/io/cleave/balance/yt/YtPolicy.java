package io.cleave.balance.yt;

import io.cleave.balance.BalanceCommand;
import io.cleave.balance.BalanceSettings;
import io.cleave.balance.BundleState;
import io.cleave.balance.CellMembership;
import io.cleave.balance.ClusterState;
import io.cleave.balance.Decision;
import io.cleave.balance.KeyFacts;
import io.cleave.balance.Policy;
import io.cleave.balance.Rule;
import io.cleave.balance.TableState;
import io.cleave.balance.yt.StoredConfigs.Result;
import io.cleave.balance.yt.metric.CompiledMetrics;
import io.cleave.balance.yt.metric.MetricLanguage;
import io.cleave.balance.yt.reshard.ReshardOptions;
import io.cleave.balance.yt.schedule.ClusterConfig;
import io.cleave.schema.Balancer;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The policy of tables with the balancer YT: the settings of YTsaurus' balancer, of the table and
/// of its bundle, say when tablets are cut anew and moved to other cells.
///
/// The tables of a group are resharded by size, or by the metric of the group. If there is nothing
/// to reshard in a group, its tablets are moved, because moves go by the tablets that a reshard
/// leaves. The decisions about a table are in this order: reshards; moves; for each tablet that is
/// not resharded, why; for each tablet that is not moved, why.
///
/// Schedules are not its business. In a round, the state says what is due ([ClusterState#due]), and
/// the policy decides about nothing else: there are no notes then, and reshards do not keep a group
/// from being moved, because the two are never due together. Otherwise it decides what would be
/// done in a round that begins now.
///
/// Records of settings and compiled metrics are kept from one call to the next. They do not change
/// the answer.
///
/// Threads: one at a time.
public final class YtPolicy implements Policy {
    private final ReshardOptions options;
    private final StoredConfigs configs = new StoredConfigs();
    private final CompiledMetrics metrics;

    /// @param options of a cluster for which a client has set no others
    public YtPolicy(ReshardOptions options, MetricLanguage language) {
        this.options = options;
        metrics = new CompiledMetrics(language);
    }

    @Override
    public Map<Long, List<Decision>> decide(
            ClusterState state, KeyFacts facts, BalanceSettings settings) {
        configs.retain(state);
        Map<String, List<TableState>> byBundle = byBundle(state);
        // In a round, nobody waits for the reasons of what is not changed.
        var answer = new PolicyAnswer(state.due().isEmpty());
        if (byBundle.isEmpty()) {
            return answer.decisions();
        }
        switch (configs.cluster(state.config())) {
            case Result.Broken<ClusterConfig>(String why) -> {
                String text = "//sys/tablet_balancer/config: " + why;
                byBundle.values().stream()
                        .flatMap(List::stream)
                        .forEach(table -> answer.leaveAll(table, Rule.RESHARD_BY_SIZE, text));
            }
            case Result.Read<ClusterConfig>(ClusterConfig cluster) ->
                    decide(cluster, state, byBundle, facts, answer);
        }
        return answer.decisions();
    }

    private static Map<String, List<TableState>> byBundle(ClusterState state) {
        Map<String, List<TableState>> byBundle = new LinkedHashMap<>();
        for (TableState table : state.tables()) {
            if (table.balancer() == Balancer.YT) {
                byBundle.computeIfAbsent(table.bundle(), _ -> new ArrayList<>()).add(table);
            }
        }
        return byBundle;
    }

    /// Configs that cannot be read are not among them: whoever looks for what is due has read them.
    @Override
    public Map<String, List<String>> problems(ClusterState state) {
        configs.retain(state);
        Map<String, List<String>> problems = new LinkedHashMap<>();
        if (configs.cluster(state.config()) instanceof Result.Read<ClusterConfig>(var cluster)) {
            bundles(cluster, state, byBundle(state), new PolicyAnswer(false))
                    .forEach(bundle -> problems.put(bundle.name(), bundle.problems()));
        }
        return problems;
    }

    private void decide(
            ClusterConfig cluster,
            ClusterState state,
            Map<String, List<TableState>> byBundle,
            KeyFacts facts,
            PolicyAnswer answer) {
        List<BalancedBundle> bundles = bundles(cluster, state, byBundle, answer);
        ReshardOptions ofCluster = options(cluster);
        bundles.forEach(bundle -> bundle.reshard(ofCluster, facts, answer));
        List<BalancedBundle> moving =
                bundles.stream().filter(BalancedBundle::areMovesPlanned).toList();
        BundleLoads.of(state, moving).forEach((bundle, load) -> bundle.move(load, answer));
        metrics.endRound();
    }

    private List<BalancedBundle> bundles(
            ClusterConfig cluster,
            ClusterState state,
            Map<String, List<TableState>> byBundle,
            PolicyAnswer answer) {
        Map<String, Integer> cellCounts = new HashMap<>();
        for (CellMembership cell : state.running()) {
            cellCounts.merge(cell.bundle(), 1, Integer::sum);
        }
        var limits = new RoundLimits(cluster);
        List<BalancedBundle> bundles = new ArrayList<>();
        for (BundleState bundle : state.bundles()) {
            List<TableState> tables = byBundle.get(bundle.name());
            if (tables != null) {
                int cellCount = cellCounts.getOrDefault(bundle.name(), 0);
                BalancedBundle.of(
                                bundle,
                                cellCount,
                                tables,
                                state.due(),
                                configs,
                                limits,
                                metrics,
                                answer)
                        .ifPresent(bundles::add);
            }
        }
        return bundles;
    }

    private ReshardOptions options(ClusterConfig cluster) {
        return new ReshardOptions(
                cluster.minDesiredTabletSize().orElse(options.minDesiredTabletSize()),
                cluster.ignoreTabletToCellRatio().orElse(options.ignoreTabletToCellRatio()),
                cluster.pickReshardPivotKeys().orElse(options.pickReshardPivotKeys()));
    }

    @Override
    public Map<Long, List<Decision>> decide(
            BalanceCommand command, ClusterState state, KeyFacts facts) {
        configs.retain(state);
        return switch (configs.cluster(state.config())) {
            case Result.Broken<ClusterConfig>(String why) ->
                    throw new YtException(
                            YtCodes.INCORRECT_BALANCER_CONFIG,
                            "//sys/tablet_balancer/config: " + why);
            case Result.Read<ClusterConfig>(ClusterConfig cluster) -> {
                // Nobody asks for the reasons of what is not changed.
                var answer = new PolicyAnswer(false);
                new CommandPlan(state, configs, new RoundLimits(cluster), metrics, answer)
                        .plan(command, options(cluster), facts);
                yield answer.decisions();
            }
        };
    }
}
