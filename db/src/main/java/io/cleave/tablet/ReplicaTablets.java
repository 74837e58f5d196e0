package io.cleave.tablet;

import io.cleave.base.Bytes;
import io.cleave.schema.KeyRange;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The tablets of a read replica after one of its records, by table and key. Immutable.
final class ReplicaTablets {
    /// The tablets of a replica that has none.
    static final ReplicaTablets NONE = new ReplicaTablets(List.of());

    /// By table id, each list in key order. The tablets of a table do not overlap. There are gaps
    /// where other cells have its keys.
    private final Map<Long, List<ReplicaTablet>> byTable = new HashMap<>();

    /// A tablet, and whether it was on its way to another cell.
    private record ReplicaTablet(Tablet tablet, boolean isDetached) {}

    ReplicaTablets(Collection<HostedTablet> tablets) {
        for (HostedTablet hosted : tablets) {
            byTable.computeIfAbsent(hosted.tablet.tableId(), _ -> new ArrayList<>())
                    .add(new ReplicaTablet(hosted.tablet, hosted.departure() != null));
        }
        byTable.values().forEach(ReplicaTablets::sort);
    }

    private static void sort(List<ReplicaTablet> tablets) {
        tablets.sort(Comparator.comparing(replica -> replica.tablet.range().from()));
    }

    List<Tablet> all() {
        return byTable.values().stream().flatMap(List::stream).map(ReplicaTablet::tablet).toList();
    }

    /// The tablet that can answer for a key in place of `leader`, whose range has the key; null if
    /// there is none.
    @Nullable Tablet find(Tablet leader, Bytes key) {
        List<ReplicaTablet> tablets = byTable.get(leader.tableId());
        if (tablets == null) {
            return null;
        }
        ReplicaTablet replica = tablets.get(indexOf(tablets, key));
        boolean answers = replica.tablet.range().contains(key) && answersFor(leader, replica);
        return answers ? replica.tablet : null;
    }

    /// The tablets that can answer for a range of the leader's tablet, in key order and without
    /// gaps; empty if there are gaps.
    List<Tablet> find(Tablet leader, KeyRange range) {
        List<ReplicaTablet> tablets = byTable.get(leader.tableId());
        if (tablets == null) {
            return List.of();
        }
        List<Tablet> found = new ArrayList<>();
        Bytes expected = range.from();
        for (int index = indexOf(tablets, expected); index < tablets.size(); index++) {
            ReplicaTablet replica = tablets.get(index);
            if (!replica.tablet.range().contains(expected) || !answersFor(leader, replica)) {
                return List.of();
            }
            found.add(replica.tablet);
            Bytes to = replica.tablet.range().to();
            if (to == null || (range.to() != null && to.compareTo(range.to()) >= 0)) {
                return found;
            }
            expected = to;
        }
        return List.of();
    }

    /// A detached tablet may have been written in another cell and have come back since, by a
    /// record that the replica has not reached. It answers only if the leader's tablet still has
    /// the same epoch, because then it has not left yet.
    private static boolean answersFor(Tablet leader, ReplicaTablet replica) {
        return !replica.isDetached
                || (replica.tablet.id() == leader.id() && replica.tablet.epoch() == leader.epoch());
    }

    /// The last tablet whose range begins at or before the key; if there is none, the first tablet.
    private static int indexOf(List<ReplicaTablet> tablets, Bytes key) {
        int low = 0;
        int high = tablets.size() - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (tablets.get(middle).tablet.range().from().compareTo(key) <= 0) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }
}
