package io.cleave.tablet;

import io.cleave.base.Bytes;
import io.cleave.base.Check;
import io.cleave.base.Env;
import io.cleave.log.OnDamage;
import io.cleave.lsm.table.Slice;
import io.cleave.tablet.pace.LogMeter;
import io.cleave.tablet.record.CellRecord;
import io.cleave.tablet.record.CellRecord.Attach;
import io.cleave.tablet.record.CellRecord.Commit;
import io.cleave.tablet.record.CellRecord.Compacted;
import io.cleave.tablet.record.CellRecord.Configure;
import io.cleave.tablet.record.CellRecord.CreateTablets;
import io.cleave.tablet.record.CellRecord.Detach;
import io.cleave.tablet.record.CellRecord.DropTablets;
import io.cleave.tablet.record.CellRecord.EraseRange;
import io.cleave.tablet.record.CellRecord.Flushed;
import io.cleave.tablet.record.CellRecord.Freeze;
import io.cleave.tablet.record.CellRecord.Ingested;
import io.cleave.tablet.record.CellRecord.Merge;
import io.cleave.tablet.record.CellRecord.OfTransaction;
import io.cleave.tablet.record.CellRecord.OldState;
import io.cleave.tablet.record.CellRecord.RequireVersion;
import io.cleave.tablet.record.CellRecord.Resume;
import io.cleave.tablet.record.CellRecord.Split;
import io.cleave.tablet.record.CellRecord.State;
import io.cleave.tablet.record.CellRecord.TabletState;
import io.cleave.tablet.record.RecordCodec;
import io.cleave.tablet.record.TabletSpec;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongPredicate;

/// The state of a read replica: some tables of its cell, restored from the log and updated as the
/// leader applied them. Blobs that its tablets name are counted in the cell's references.
///
/// Invariant: the replica has either all of the cell's tablets of a table or none. A table that is
/// left out stays out.
///
/// Threads: one.
final class ReplicaState {
    private final CellState state;
    private final BlobReferences references;

    /// Tables that have tablets in the cell but none here.
    private final Set<Long> leftOut;

    /// One past the last applied record.
    private long applied;

    /// Replays the log. Throws [io.cleave.log.TrimmedException] if needed records are trimmed
    /// meanwhile; then the log has a newer state.
    ReplicaState(ReplicaSource source, LongPredicate wantedTable, Env env) {
        references = source.references();
        state = new CellState(source.cellId(), references, new LogMeter(Long.MAX_VALUE), env);
        CellReplay.End end;
        try {
            var files = new LostFiles(references.files(), OnDamage.REFUSE);
            long from = source.log().firstPosition();
            end = CellReplay.run(source.log(), from, state, files, wantedTable);
        } catch (RuntimeException | Error e) {
            // Some tablets may already exist.
            close();
            throw e;
        }
        applied = end.position();
        leftOut = new HashSet<>(end.leftOut());
    }

    long applied() {
        return applied;
    }

    ReplicaTablets tablets() {
        return new ReplicaTablets(state.tablets());
    }

    boolean hasLeftOut(long tableId) {
        return leftOut.contains(tableId);
    }

    /// Applies the next record. Returns true if it has changed the set of tablets.
    boolean apply(long position, Bytes bytes) {
        Check.that(position == applied, "record %d after %d", position, applied);
        CellRecord record = ofInterest(RecordCodec.decode(bytes));
        if (record != null) {
            references.remove(state.apply(position, record));
        }
        applied = position + 1;
        return record != null && changesTablets(record);
    }

    private static boolean changesTablets(CellRecord record) {
        return switch (record) {
            case CreateTablets _, DropTablets _, Split _, Merge _ -> true;
            case Detach _, Resume _, Attach _ -> true;
            case Commit _, EraseRange _, OfTransaction _, Freeze _ -> false;
            case Configure _, RequireVersion _ -> false;
            case Flushed _, Ingested _, Compacted _, State _, OldState _ -> false;
        };
    }

    /// The record without tables that are left out; null if nothing remains.
    private @Nullable CellRecord ofInterest(CellRecord record) {
        return switch (record) {
            case Commit _, EraseRange _, OfTransaction _, Freeze _ -> record;
            case Configure _, RequireVersion _ -> record;
            case DropTablets _, Detach _, Resume _ -> record;
            case State _, OldState _ -> null;
            case CreateTablets(List<TabletSpec> tablets) -> {
                List<TabletSpec> here =
                        tablets.stream().filter(spec -> !hasLeftOut(spec.tableId())).toList();
                yield here.isEmpty() ? null : new CreateTablets(here);
            }
            case Attach(TabletState tablet, _) ->
                    hasLeftOut(tablet.spec().tableId()) ? null : record;
            case Flushed(long tabletId, _, _) -> isStaying(tabletId) ? record : null;
            case Ingested(_, long tabletId, _) -> isStaying(tabletId) ? record : null;
            case Compacted(long tabletId, _, _) -> isStaying(tabletId) ? record : null;
            case Split(long tabletId, _) -> isHere(tabletId) ? record : null;
            case Merge(List<Long> tabletIds, _) -> isHere(tabletIds.getFirst()) ? record : null;
        };
    }

    private boolean isHere(long tabletId) {
        return state.hosted(tabletId) != null;
    }

    /// False also for a tablet that is leaving: the leader removes files written for it.
    private boolean isStaying(long tabletId) {
        HostedTablet hosted = state.hosted(tabletId);
        return hosted != null && hosted.departure() == null;
    }

    /// Drops tables that are no longer read here.
    void leaveOut(Set<Long> tableIds) {
        leftOut.addAll(tableIds);
        List<Long> gone = new ArrayList<>();
        for (HostedTablet hosted : state.tablets()) {
            if (tableIds.contains(hosted.tablet.tableId())) {
                gone.add(hosted.tablet.id());
            }
        }
        references.remove(state.apply(applied, new DropTablets(gone)));
    }

    long memtableBytes() {
        return state.tablets().stream()
                .mapToLong(
                        each -> each.tablet.tree().activeBytes() + each.tablet.tree().frozenBytes())
                .sum();
    }

    /// Releases the references to all blobs.
    void close() {
        List<Slice> slices = new ArrayList<>();
        state.tablets().forEach(each -> slices.addAll(each.tablet.tree().slices()));
        references.remove(slices);
    }
}
