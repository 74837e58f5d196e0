package io.cleave.bench.balance;

import io.cleave.balance.BalanceSettings;
import io.cleave.balance.ClusterState;
import io.cleave.balance.Due;
import io.cleave.balance.Policy;
import io.cleave.balance.ydb.YdbPolicy;
import io.cleave.balance.yt.YtPolicy;
import io.cleave.balance.yt.reshard.ReshardOptions;
import io.cleave.balance.yt.settings.BundleSettings;
import io.cleave.bench.Figures;
import io.cleave.schema.Balancer;
import io.cleave.yt.table.query.MetricExpressions;

import java.util.Set;

/// Whole policies: from what is stored and measured to decisions.
final class PolicyPart {
    private static final double IMBALANCE_BAR = 1.05;
    private static final double MOVES_BAR = 1.1;
    private static final double QUIET_BAR_MILLIS = 200;
    private static final int QUIET_ROUNDS = 5;
    private static final long TABLET_BYTES = 1L << 30;
    private static final int YDB_TABLETS = 20_000;
    private static final int YDB_TABLES = 1000;
    private static final int YDB_CELLS = 200;
    private static final int YDB_NODES = 40;
    private static final String GROUP = BundleSettings.DEFAULT_GROUP;

    /// A cell gives a tablet only to one that is lighter by this share. With less, moves go on that
    /// no longer make the most loaded cell lighter.
    private static final double YDB_THRESHOLD = 0.06;

    private static final int MOST_ROUNDS = 10_000;

    private final long seed;

    PolicyPart(long seed) {
        this.seed = seed;
    }

    /// A round of YTsaurus' policy in a balanced bundle: the metric of each tablet, reshards and
    /// moves.
    static void quietRound(Figures figures, SkewedBundle settled) {
        var cluster =
                new PolicyCluster(
                        settled.load(),
                        Balancer.YT,
                        TABLET_BYTES,
                        "{enable_parameterized_by_default=%true}");
        Policy policy = new YtPolicy(ReshardOptions.DEFAULT, new MetricExpressions());
        ClusterState state =
                cluster.state()
                        .withDue(
                                Set.of(
                                        new Due(PolicyCluster.BUNDLE, GROUP, Due.Kind.RESHARD),
                                        new Due(PolicyCluster.BUNDLE, GROUP, Due.Kind.MOVE)));
        double slowest = 0;
        for (int round = 0; round < QUIET_ROUNDS; round++) {
            long start = System.nanoTime();
            var answer = policy.decide(state, cluster, BalanceSettings.DEFAULT);
            slowest = Math.max(slowest, (System.nanoTime() - start) / 1e6);
            if (cluster.carryOut(answer) > 0) {
                throw new IllegalStateException("the round has moves");
            }
        }
        figures.printWithBarAtMost(
                QUIET_BAR_MILLIS,
                "round of the policy with nothing to do, 100,000 tablets",
                slowest,
                "ms");
    }

    /// Our own policy in rounds, as each of them moves one tablet of a cell.
    void ownPolicy(Figures figures) {
        var drawn = SkewedBundle.draw(YDB_TABLETS, YDB_TABLES, YDB_CELLS, YDB_NODES, seed + 2);
        var cluster = new PolicyCluster(drawn.load(), Balancer.YDB, 0, "{}");
        Policy policy = new YdbPolicy(YDB_THRESHOLD);
        int moves = 0;
        int rounds = 0;
        while (rounds < MOST_ROUNDS) {
            int more =
                    cluster.carryOut(
                            policy.decide(cluster.state(), cluster, BalanceSettings.DEFAULT));
            if (more == 0) {
                break;
            }
            rounds++;
            moves += more;
        }
        figures.say(
                "our own policy, 20,000 tablets, 1,000 tables, 200 cells: max / mean load %.2f before, %,d moves in %,d rounds, least %,d"
                        .formatted(drawn.imbalance(), moves, rounds, drawn.leastMoves()));
        figures.printWithBarAtMost(
                IMBALANCE_BAR, "  max / mean load of cells after it", cluster.imbalance(), "");
        figures.printWithBarAtMost(
                MOVES_BAR, "  moves / least moves", moves / (double) drawn.leastMoves(), "");
    }
}
