package io.cleave.balance.yt;

import io.cleave.balance.yt.reshard.Reshard;
import io.cleave.balance.yt.schedule.ClusterConfig;

import java.util.HashMap;
import java.util.Map;

/// Counts the changes of one round against the limits of the cluster. What is beyond them is left
/// for a later round.
final class RoundLimits {
    private final int mostPerGroup;
    private final int mostPerType;
    private final Map<Counted, Integer> counts = new HashMap<>();

    private enum Type {
        SPLIT,
        MERGE,
        RECUT,
        /// Of any type.
        RESHARD,
        MOVE
    }

    private record Counted(String bundle, String group, Type type) {}

    RoundLimits(ClusterConfig cluster) {
        mostPerGroup = cluster.maxActionsPerGroup();
        mostPerType = cluster.maxActionsPerReshardType();
    }

    /// Counts the reshard if it may be done; returns whether it may.
    boolean takeReshard(String bundle, String group, Reshard reshard) {
        var all = new Counted(bundle, group, Type.RESHARD);
        var ofType = new Counted(bundle, group, type(reshard));
        if (count(all) >= mostPerGroup || count(ofType) >= mostPerType) {
            return false;
        }
        counts.merge(all, 1, Integer::sum);
        counts.merge(ofType, 1, Integer::sum);
        return true;
    }

    /// Counts a move if it may be done; returns whether it may.
    boolean takeMove(String bundle, String group) {
        var moves = new Counted(bundle, group, Type.MOVE);
        if (count(moves) >= mostPerGroup) {
            return false;
        }
        counts.merge(moves, 1, Integer::sum);
        return true;
    }

    private int count(Counted counted) {
        return counts.getOrDefault(counted, 0);
    }

    private static Type type(Reshard reshard) {
        if (reshard.newCount() == 1) {
            return Type.MERGE;
        }
        return reshard.tabletIds().size() == 1 ? Type.SPLIT : Type.RECUT;
    }
}
