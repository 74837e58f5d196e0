package io.cleave.tablet;

import io.cleave.base.Bytes;
import io.cleave.lsm.RangeErase;
import io.cleave.lsm.Slice;
import io.cleave.lsm.TreeSettings;
import io.cleave.schema.KeyRange;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// One record of a cell's log: everything that ever happens to a cell's state.
///
/// Two kinds, told apart when a log is replayed: *row events* ([Commit], the writes of a decision
/// or an outcome, the tail of an [Attach]) are what memtables are made of, and go to those that
/// have them as a [Feed]; the others change what tablets, memtables and files there are.
sealed interface CellRecord {
    /// The writes of one transaction to the tablets of this cell; all of them or none.
    record Commit(long timestamp, List<TabletWrites> writes) implements CellRecord {
        public Commit {
            writes = List.copyOf(writes);
        }
    }

    /// Everything the keys of a range had in one tablet is erased. Told apart from row events by
    /// that it touches no memtable: it is structure.
    record EraseRange(long timestamp, long tabletId, KeyRange range) implements CellRecord {}

    /// A step of a transaction over several cells: see `docs/transactions.md`.
    sealed interface OfTransaction extends CellRecord {}

    /// What a transaction writes here, if the coordinator decides so.
    record Prepare(long transactionId, long coordinatorId, List<TabletWrites> writes)
            implements OfTransaction {
        public Prepare {
            writes = List.copyOf(writes);
        }
    }

    /// The transaction has happened. Row events are its writes to this cell; `participants` have
    /// prepared the others.
    record Decide(
            long timestamp, long transactionId, List<Long> participants, List<TabletWrites> writes)
            implements OfTransaction {
        public Decide {
            participants = List.copyOf(participants);
            writes = List.copyOf(writes);
        }
    }

    /// What was prepared has ended. Row events are its writes once more, if it has happened.
    record Outcome(long transactionId, Decision decision, List<TabletWrites> writes)
            implements OfTransaction {
        public Outcome {
            writes = List.copyOf(writes);
        }
    }

    /// All participants know these decisions.
    record Forget(List<Long> transactionIds) implements OfTransaction {
        public Forget {
            transactionIds = List.copyOf(transactionIds);
        }
    }

    /// All that is open, so that the log before it can be given up. Stands before a [State].
    record Transactions(List<Prepare> prepared, List<Decided> decided) implements OfTransaction {
        public Transactions {
            prepared = List.copyOf(prepared);
            decided = List.copyOf(decided);
        }
    }

    /// A [Decide] without its rows.
    record Decided(long timestamp, long transactionId, List<Long> participants) {
        public Decided {
            participants = List.copyOf(participants);
        }
    }

    /// The tablet's active memtable ends here.
    record Freeze(long tabletId) implements CellRecord {}

    record CreateTablets(List<TabletSpec> tablets) implements CellRecord {
        public CreateTablets {
            tablets = List.copyOf(tablets);
        }
    }

    record DropTablets(List<Long> tabletIds) implements CellRecord {
        public DropTablets {
            tabletIds = List.copyOf(tabletIds);
        }
    }

    /// Files of these tablets are written in this way from now on.
    record Configure(List<Long> tabletIds, TreeSettings settings) implements CellRecord {
        public Configure {
            tabletIds = List.copyOf(tabletIds);
        }
    }

    /// The frozen memtable of this generation is now these files.
    record Flushed(long tabletId, long generation, List<Slice> slices) implements CellRecord {
        public Flushed {
            slices = List.copyOf(slices);
        }
    }

    /// Files that were written aside are now the tablet's; all their rows are of this time.
    record Ingested(long timestamp, long tabletId, List<Slice> slices) implements CellRecord {
        public Ingested {
            slices = List.copyOf(slices);
        }
    }

    record Compacted(long tabletId, List<Slice> removed, List<Slice> added) implements CellRecord {
        public Compacted {
            removed = List.copyOf(removed);
            added = List.copyOf(added);
        }
    }

    /// Everything but the memtables, so that the log before it can be given up. `timestamp` is the
    /// greatest the cell has used.
    record State(long timestamp, List<TabletState> tablets) implements CellRecord {
        public State {
            tablets = List.copyOf(tablets);
        }
    }

    /// A [State] as it was written before tablets were split: a tablet's row events from
    /// `replayFrom` on are not in its slices, and its memtables ended where the log says so.
    record OldState(long timestamp, List<OldTabletState> tablets) implements CellRecord {
        public OldState {
            tablets = List.copyOf(tablets);
        }
    }

    /// `lastGeneration` memtables were flushed.
    record OldTabletState(
            TabletSpec spec,
            long lastGeneration,
            long replayFrom,
            List<Slice> slices,
            List<RangeErase> erases) {
        public OldTabletState {
            slices = List.copyOf(slices);
            erases = List.copyOf(erases);
        }
    }

    /// The tablet ends; these have its rows.
    record Split(long tabletId, List<TabletState> children) implements CellRecord {
        public Split {
            children = List.copyOf(children);
        }
    }

    /// The tablets end; one has their rows.
    record Merge(List<Long> tabletIds, TabletState merged) implements CellRecord {
        public Merge {
            tabletIds = List.copyOf(tabletIds);
        }
    }

    /// The tablet is on its way to another cell, and takes no more writes here.
    record Detach(long tabletId, Departure departure) implements CellRecord {}

    /// The tablet stays after all.
    record Resume(long tabletId, long epoch) implements CellRecord {}

    /// A tablet comes from another cell. `tail` are the rows that are in none of its files, of each
    /// key the oldest first: they are row events of this record.
    record Attach(TabletState tablet, List<Version> tail) implements CellRecord {
        public Attach {
            tail = List.copyOf(tail);
        }
    }

    /// Where a tablet goes, and the epoch that it has there.
    record Departure(long cellId, long epoch) {}

    /// What a commit did to a row; `change` is an encoded [io.cleave.lsm.RowChange].
    record Version(Bytes key, long timestamp, Bytes change) {}

    /// A tablet but for its rows in memory. `lastGeneration` of its memtables were frozen; those
    /// that are in no file are `frozen`, the oldest first, and row events from `activeFrom` on are
    /// in the active one.
    record TabletState(
            TabletSpec spec,
            long lastGeneration,
            List<Unflushed> frozen,
            long activeFrom,
            List<Slice> slices,
            List<RangeErase> erases,
            @Nullable Departure departure) {
        public TabletState {
            frozen = List.copyOf(frozen);
            slices = List.copyOf(slices);
            erases = List.copyOf(erases);
        }

        /// The memtables' generations, the oldest first; the active one's is the last.
        List<Long> generations() {
            List<Long> all = new ArrayList<>();
            frozen.forEach(memtable -> all.add(memtable.generation()));
            all.add(lastGeneration + 1);
            return all;
        }
    }
}
