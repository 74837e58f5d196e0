package io.cleave.txn;

import io.cleave.base.Bytes;
import io.cleave.base.Env;
import io.cleave.cluster.Replicas;
import io.cleave.cluster.Tablets;
import io.cleave.schema.Table;
import io.cleave.tablet.Route;
import io.cleave.tablet.Route.Part;
import io.cleave.time.ReplicaMoment;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// The reads of a stale transaction: from read replicas at the moment that all of them have
/// reached, or from leaders at the same moment if no replica can answer.
///
/// Threads: one at a time.
final class StaleReads {
    private final Replicas replicas;
    private final ReplicaMoment moment;
    private final int turn;

    private StaleReads(Replicas replicas, ReplicaMoment moment) {
        this.replicas = replicas;
        this.moment = moment;
        turn = replicas.nextTurn();
    }

    /// Starts with the first table that is read. Returns null if replicas cannot answer for it;
    /// then the transaction reads leaders at their newest moment.
    static @Nullable StaleReads begin(Tablets cluster, Table table) {
        // At the replicas' moment, an index that was just built may lack rows.
        long wholeFrom = cluster.map(table).wholeFrom();
        ReplicaMoment moment = cluster.replicas().take(table).orElse(null);
        if (moment == null) {
            return null;
        }
        var reads = new StaleReads(cluster.replicas(), moment);
        if (moment.timestamp() < wholeFrom) {
            reads.end();
            return null;
        }
        return reads;
    }

    long timestamp() {
        return moment.timestamp();
    }

    Route find(Route leader, Bytes key) {
        return replicas.find(leader, key, moment.timestamp(), turn);
    }

    List<Part> find(List<Part> leaders) {
        List<Part> parts = new ArrayList<>();
        leaders.forEach(leader -> parts.addAll(replicas.find(leader, moment.timestamp(), turn)));
        return parts;
    }

    /// How long ago the moment was the newest.
    long micros(Env env) {
        return Math.max(0, env.nanoTime() / 1000 - moment.steadyMicros());
    }

    void end() {
        replicas.release(moment.timestamp());
    }
}
