package io.cleave.tablet;

import io.cleave.base.CorruptionException;
import io.cleave.base.Env;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.tablet.CellResharding.Attaching;
import io.cleave.tablet.record.CellRecord.Departure;
import io.cleave.tablet.record.CellRecord.Detach;
import io.cleave.tablet.record.TabletSpec;

import org.jspecify.annotations.Nullable;

import java.io.UncheckedIOException;
import java.util.List;

/// Moves one tablet from its cell to another: see `docs/tablets.md`. Writes continue while its
/// memtables are flushed, and wait only while the remaining rows are moved. Files that are kept in
/// memory are loaded before.
final class TabletMove {
    /// The most memtable bytes that the attach record carries; more are flushed first.
    private static final long MAX_TAIL_BYTES = 1 << 20;

    /// How often the tablet is flushed while writes continue. If there is still too much, writes
    /// wait.
    static final int FLUSHES = 4;

    private final CellResharding source;
    private final CellResharding target;
    private final long tabletId;
    private final Env env;

    TabletMove(CellResharding source, CellResharding target, long tabletId, Env env) {
        this.source = source;
        this.target = target;
        this.tabletId = tabletId;
        this.env = env;
    }

    Route run() {
        for (int flush = 0; flush < FLUSHES && !isTailShort(); flush++) {
            source.flusher().flush(List.of(tabletId));
        }
        preload();
        HostedTablet leaving = source.seal(tabletId);
        Attaching attaching;
        try {
            if (!isTailShort()) {
                source.flusher().flush(List.of(tabletId));
            }
            attaching = carryOver(leaving);
        } finally {
            // The tablet is in the target cell now, or stays here; waiting threads find out.
            source.unseal(tabletId);
        }
        attaching.durable().run();
        return attaching.route();
    }

    /// Loads what is to be kept in memory and is not yet, so that after the switch nothing is read
    /// from files that would be read from memory here. The cells share the blocks.
    private void preload() {
        Tablet tablet = source.journal().state().tablet(tabletId);
        if (tablet == null) {
            return;
        }
        try {
            boolean _ = tablet.tree().maintenance().pinFamilies();
        } catch (CorruptionException | UncheckedIOException e) {
            // The compactor reports it. The rest of the tablet is as readable there as here.
        }
    }

    private Attaching carryOver(HostedTablet leaving) {
        Tablet tablet = leaving.tablet;
        TabletSpec arrived = tablet.spec().inEpoch(tablet.epoch() + 1);
        // When this record is durable, so is every earlier commit, and the tablet changes no more
        // here.
        var departure = new Departure(target.journal().cellId(), arrived.epoch());
        source.journal().run(new Detach(tabletId, departure));
        try {
            var cargo = TabletCargo.of(tablet);
            if (env.mayFail("the attach of a move")) {
                throw new StatusException(Status.UNAVAILABLE, "bad luck before an attach");
            }
            return target.attach(arrived, cargo, tablet);
        } catch (RuntimeException | Error e) {
            if (tablet.successors().isEmpty()) {
                source.resume(tabletId);
            }
            throw e;
        }
    }

    private boolean isTailShort() {
        return isTailShort(source.journal().state().tablet(tabletId));
    }

    /// Whether the rows in memory fit into one record.
    static boolean isTailShort(@Nullable Tablet tablet) {
        return tablet == null
                || tablet.tree().activeBytes() + tablet.tree().frozenBytes() <= MAX_TAIL_BYTES;
    }
}
