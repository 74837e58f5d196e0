package io.cleave.tablet.record;

import io.cleave.base.Bytes;
import io.cleave.lsm.row.RangeErase;
import io.cleave.lsm.table.Slice;
import io.cleave.lsm.table.TreeSettings;
import io.cleave.schema.KeyRange;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// One record of a cell's log. The records are everything that ever happens to the state of a cell.
///
/// There are two kinds, which a replay handles differently. *Row events* ([Commit], the writes of a
/// decision or an outcome, the tail of an [Attach]) fill memtables; each goes to the memtables that
/// have its position in a [Feed]. All other records change the set of tablets, memtables and files.
public sealed interface CellRecord {
    /// The writes of one transaction to the tablets of this cell; all of them or none.
    record Commit(long timestamp, List<TabletWrites> writes) implements CellRecord {
        public Commit {
            writes = List.copyOf(writes);
        }
    }

    /// Erases all rows of a key range in one tablet. Not a row event, because it touches no
    /// memtable.
    record EraseRange(long timestamp, long tabletId, KeyRange range) implements CellRecord {}

    /// A step of a multi-cell transaction: see `docs/transactions.md`.
    sealed interface OfTransaction extends CellRecord {}

    /// What a transaction writes to this cell if the coordinator decides to commit.
    record Prepare(long transactionId, long coordinatorId, List<TabletWrites> writes)
            implements OfTransaction {
        public Prepare {
            writes = List.copyOf(writes);
        }
    }

    /// The coordinator has committed the transaction. The row events are its writes to this cell;
    /// the `participants` have prepared the other writes.
    record Decide(
            long timestamp, long transactionId, List<Long> participants, List<TabletWrites> writes)
            implements OfTransaction {
        public Decide {
            participants = List.copyOf(participants);
            writes = List.copyOf(writes);
        }
    }

    /// A prepared transaction has ended. If it was committed, the row events are its writes once
    /// more.
    record Outcome(long transactionId, CommitDecision decision, List<TabletWrites> writes)
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

    /// All open transactions, so that the log before this record can be trimmed. Comes before a
    /// [State].
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

    /// From now on files of these tablets are written with these settings.
    record Configure(List<Long> tabletIds, TreeSettings settings) implements CellRecord {
        public Configure {
            tabletIds = List.copyOf(tabletIds);
        }
    }

    /// From now on these tablets refuse commits that were made for an earlier version of their
    /// table. Transactions that were prepared before may still be committed.
    record RequireVersion(long version, List<Long> tabletIds) implements CellRecord {
        public RequireVersion {
            tabletIds = List.copyOf(tabletIds);
        }
    }

    /// The frozen memtable of this generation was written to these files.
    record Flushed(long tabletId, long generation, List<Slice> slices) implements CellRecord {
        public Flushed {
            slices = List.copyOf(slices);
        }
    }

    /// Files written outside the log now belong to the tablet. All their rows have this timestamp.
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

    /// The whole state except for the memtables, so that the log before this record can be trimmed.
    /// `timestamp` is the greatest that the cell has used.
    record State(long timestamp, List<TabletState> tablets) implements CellRecord {
        public State {
            tablets = List.copyOf(tablets);
        }
    }

    /// The format of a [State] before tablets could be split. Row events of a tablet from
    /// `replayFrom` on are not in its slices. Its memtables ended at the `Freeze` records of the
    /// log.
    record OldState(long timestamp, List<OldTabletState> tablets) implements CellRecord {
        public OldState {
            tablets = List.copyOf(tablets);
        }
    }

    /// `lastGeneration` is the number of memtables that were flushed.
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

    /// The tablet ends; the children have its rows.
    record Split(long tabletId, List<TabletState> children) implements CellRecord {
        public Split {
            children = List.copyOf(children);
        }
    }

    /// The tablets end; the merged tablet has their rows.
    record Merge(List<Long> tabletIds, TabletState merged) implements CellRecord {
        public Merge {
            tabletIds = List.copyOf(tabletIds);
        }
    }

    /// The tablet moves to another cell, and takes no more writes here.
    record Detach(long tabletId, Departure departure) implements CellRecord {}

    /// The move was cancelled; the tablet stays.
    record Resume(long tabletId, long epoch) implements CellRecord {}

    /// A tablet arrives from another cell. `tail` holds the rows that are in none of its files, for
    /// each key the oldest version first. They are the row events of this record.
    record Attach(TabletState tablet, List<Version> tail) implements CellRecord {
        public Attach {
            tail = List.copyOf(tail);
        }
    }

    /// The target cell of a tablet, and the tablet's epoch there.
    record Departure(long cellId, long epoch) {}

    /// What a commit did to a row; `change` is an encoded [io.cleave.lsm.row.RowChange].
    record Version(Bytes key, long timestamp, Bytes change) {}

    /// A tablet without its rows in memory. `lastGeneration` is the number of memtables that were
    /// frozen. `frozen` are the frozen memtables that are in no file yet, the oldest first. Row
    /// events from `activeFrom` on are in the active memtable.
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

        /// This state with other slices.
        public TabletState with(List<Slice> others) {
            return new TabletState(
                    spec, lastGeneration, frozen, activeFrom, others, erases, departure);
        }

        /// The generations of the memtables, the oldest first. The last one is the active
        /// memtable's.
        public List<Long> generations() {
            List<Long> all = new ArrayList<>();
            frozen.forEach(memtable -> all.add(memtable.generation()));
            all.add(lastGeneration + 1);
            return all;
        }
    }
}
