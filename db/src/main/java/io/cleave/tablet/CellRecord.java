package io.cleave.tablet;

import io.cleave.lsm.RangeErase;
import io.cleave.lsm.Slice;
import io.cleave.lsm.TreeSettings;
import io.cleave.schema.KeyRange;

import java.util.List;

/// One record of a cell's log: everything that ever happens to a cell's state.
///
/// Two kinds, told apart when a log is replayed over a [State]: *row events* ([Commit], [Freeze])
/// are what memtables are made of, and are applied to a tablet from its `replayFrom` on; the others
/// change what tablets and files there are, and are applied only after the newest [State].
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

    /// `lastGeneration` memtables of the tablet were flushed; row events from `replayFrom` on are
    /// not in `slices`.
    record TabletState(
            TabletSpec spec,
            long lastGeneration,
            long replayFrom,
            List<Slice> slices,
            List<RangeErase> erases) {
        public TabletState {
            slices = List.copyOf(slices);
            erases = List.copyOf(erases);
        }
    }
}
