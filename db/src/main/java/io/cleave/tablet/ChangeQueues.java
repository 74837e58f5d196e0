package io.cleave.tablet;

import io.cleave.base.Env;
import io.cleave.tablet.record.TabletWrites;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongFunction;

/// The change queues of a cell, by table. Most tables have none.
///
/// Threads: any.
public final class ChangeQueues {
    /// By table id; the lists are never changed.
    private final Map<Long, List<ChangeQueue>> byTable = new ConcurrentHashMap<>();

    /// From now on, changes to rows of the table go into the queue.
    public void add(long tableId, ChangeQueue queue) {
        byTable.merge(
                tableId,
                List.of(queue),
                (some, added) -> {
                    List<ChangeQueue> all = new ArrayList<>(some);
                    all.addAll(added);
                    return List.copyOf(all);
                });
    }

    public void remove(long tableId, ChangeQueue queue) {
        byTable.computeIfPresent(
                tableId,
                (_, some) -> {
                    List<ChangeQueue> others = some.stream().filter(each -> each != queue).toList();
                    return others.isEmpty() ? null : others;
                });
    }

    /// Called when a commit with this timestamp is in the tablet's memtable.
    void written(Tablet tablet, long timestamp, TabletWrites writes) {
        if (!byTable.isEmpty()) {
            for (ChangeQueue queue : byTable.getOrDefault(tablet.tableId(), List.of())) {
                queue.add(timestamp, writes);
            }
        }
    }

    /// Returns when the queues of the written tables have room.
    void admit(List<TabletWrites> writes, LongFunction<@Nullable Tablet> tablets, Env env) {
        for (ChangeQueue queue : of(writes, tablets)) {
            queue.awaitRoom(env);
        }
    }

    /// Whether [#admit] would return at once.
    boolean haveRoom(List<TabletWrites> writes, LongFunction<@Nullable Tablet> tablets) {
        for (ChangeQueue queue : of(writes, tablets)) {
            if (!queue.hasRoom()) {
                return false;
            }
        }
        return true;
    }

    private List<ChangeQueue> of(
            List<TabletWrites> writes, LongFunction<@Nullable Tablet> tablets) {
        if (byTable.isEmpty()) {
            return List.of();
        }
        List<ChangeQueue> all = new ArrayList<>();
        for (TabletWrites part : writes) {
            Tablet tablet = tablets.apply(part.tabletId());
            if (tablet != null) {
                all.addAll(byTable.getOrDefault(tablet.tableId(), List.of()));
            }
        }
        return all;
    }
}
