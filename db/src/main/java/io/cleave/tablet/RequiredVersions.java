package io.cleave.tablet;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.log.LogException;
import io.cleave.tablet.record.CellRecord.RequireVersion;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;

/// Raises the minimal table version of tablets, and waits for the commits that these tablets have
/// accepted before: see decision 36.
///
/// Threads: any.
final class RequiredVersions {
    private final CellJournal journal;
    private final CellState state;

    /// The cell's lock.
    private final ReentrantLock lock;

    private final CellWaits waits;

    RequiredVersions(CellJournal journal, CellWaits waits) {
        this.journal = journal;
        state = journal.state();
        lock = journal.lock();
        this.waits = waits;
    }

    /// From now on the tablets refuse commits that were made for an earlier version of their table.
    /// Returns when this is durable, and when every commit that was accepted before has its
    /// timestamp or was aborted. Returns false, and changes nothing, if a tablet is no longer here.
    boolean require(long version, List<Long> tabletIds) {
        var durable = new CompletableFuture<@Nullable LogException>();
        lock.lock();
        try {
            awaitUnsealed(tabletIds);
            Map<Tablet, Set<Long>> prepared = new LinkedHashMap<>();
            for (long tabletId : tabletIds) {
                Tablet tablet = state.live(tabletId);
                if (tablet == null) {
                    return false;
                }
                prepared.put(tablet, tablet.engagements().transactionIds());
            }
            // Logged even if the tablets require the version already: the record that said so may
            // not be durable yet.
            var _ = journal.applyAndAppend(new RequireVersion(version, tabletIds), durable);
            awaitEnded(prepared);
        } finally {
            lock.unlock();
        }
        journal.awaitDurable(durable);
        return true;
    }

    /// A tablet that is being moved does not change. When the move has ended, the tablet is gone,
    /// or stays here.
    @GuardedBy("lock")
    private void awaitUnsealed(List<Long> tabletIds) {
        while (tabletIds.stream().map(state::live).anyMatch(RequiredVersions::isSealed)) {
            await();
        }
    }

    private static boolean isSealed(@Nullable Tablet tablet) {
        return tablet != null && tablet.isSealed();
    }

    /// Waits until the prepared transactions have their outcomes. A tablet that is dropped
    /// meanwhile counts no more.
    @GuardedBy("lock")
    private void awaitEnded(Map<Tablet, Set<Long>> prepared) {
        List<Tablet> left = new ArrayList<>(prepared.keySet());
        while (true) {
            left.removeIf(tablet -> !isHeld(tablet, prepared.getOrDefault(tablet, Set.of())));
            if (left.isEmpty()) {
                return;
            }
            await();
        }
    }

    /// Waits without a deadline: moves end, and transactions end after their lease at the latest.
    @GuardedBy("lock")
    private void await() {
        waits.await(waits.deadline());
    }

    /// The lock is held.
    private boolean isHeld(Tablet tablet, Set<Long> transactionIds) {
        return state.tablet(tablet.id()) == tablet && tablet.engagements().holdsAny(transactionIds);
    }
}
