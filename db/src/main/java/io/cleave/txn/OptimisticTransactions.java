package io.cleave.txn;

import io.cleave.base.Bytes;
import io.cleave.base.Issue;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.cluster.LocalCluster;
import io.cleave.schema.Table;
import io.cleave.tablet.CommitResult;
import io.cleave.tablet.ReadLocks;
import io.cleave.tablet.Route;
import io.cleave.tablet.TabletWrites;
import io.cleave.tablet.TabletWrites.KeyedChange;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Begins transactions over the tablets of one cluster.
public final class OptimisticTransactions implements Transactions {
    private final LocalCluster cluster;

    /// The codec of each table's newest version that was used, by table id.
    private final Map<Long, RowCodec> codecs = new ConcurrentHashMap<>();

    public OptimisticTransactions(LocalCluster cluster) {
        this.cluster = cluster;
    }

    @Override
    public Transaction begin(Isolation isolation) {
        return new OptimisticTransaction(isolation, cluster, this);
    }

    @Override
    public void bulkWrite(Table table, List<KeyedWrite> rows) {
        RowCodec codec = codec(table);
        Map<Route, List<KeyedChange>> byTablet = new LinkedHashMap<>();
        for (KeyedWrite row : rows) {
            Bytes change = codec.encode(new Effect(table.columns().size(), row.write()));
            byTablet.computeIfAbsent(cluster.map(table).find(row.key()), _ -> new ArrayList<>())
                    .add(new KeyedChange(row.key(), change));
        }
        byTablet.forEach((route, changes) -> commit(table, route, changes));
    }

    RowCodec codec(Table table) {
        RowCodec codec = codecs.get(table.id());
        if (codec == null || !codec.isFor(table)) {
            codec = new RowCodec(table);
            codecs.put(table.id(), codec);
        }
        return codec;
    }

    @Nullable Table table(long tableId) {
        RowCodec codec = codecs.get(tableId);
        return codec == null ? null : codec.table();
    }

    private static void commit(Table table, Route route, List<KeyedChange> changes) {
        var writes = List.of(new TabletWrites(route.tablet().id(), changes));
        switch (route.cell().commit(writes, new ReadLocks(), null)) {
            case CommitResult.Done _ -> {}
            case CommitResult.Gone _ ->
                    throw new StatusException(
                            Status.SCHEME_ERROR,
                            "Table '" + table.path() + "' was dropped meanwhile");
            case CommitResult.Lost(String why) ->
                    throw new StatusException(
                            Status.UNDETERMINED, Issue.error(Issue.UNAVAILABLE, why));
            case CommitResult.Broken _ ->
                    throw new IllegalStateException("a write without reads was in conflict");
        }
    }
}
