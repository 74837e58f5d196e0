package io.cleave.catalog;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Issue;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.catalog.CatalogChange.PutSequence;
import io.cleave.catalog.SystemTables.SequencePosition;
import io.cleave.lsm.row.Projection;
import io.cleave.lsm.row.Row;
import io.cleave.schema.Sequence;
import io.cleave.tablet.Cell;
import io.cleave.tablet.Tablet;
import io.cleave.tablet.record.TabletWrites;
import io.cleave.tablet.record.TabletWrites.KeyedChange;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/// The positions of sequences. Numbers are reserved in the system cell in blocks, with one commit
/// for each block, and then given out from memory. A crash skips the rest of a block; a clean stop
/// does not.
///
/// Invariant: a number is given only after the stored position has reached or passed it.
///
/// Threads: any.
public final class Sequences {
    private static final long FIRST_BLOCK = 32;

    /// Each block is twice as long as the previous one, up to this length.
    private static final long MAX_BLOCK = 4096;

    private final Cell cell;
    private final Map<Long, Block> blocks = new ConcurrentHashMap<>();

    Sequences(Cell cell) {
        this.cell = cell;
    }

    /// The next number; throws SCHEME_ERROR if the sequence is exhausted. `path` is for the
    /// message.
    public long next(Sequence sequence, String path) {
        return block(sequence.id()).next(sequence, path);
    }

    /// Changes a sequence while nobody takes numbers from it. `work` must commit the changes it is
    /// given together with its own. The sequence continues at `restart`, or else at its current
    /// position.
    public void change(Sequence before, OptionalLong restart, Consumer<List<CatalogChange>> work) {
        block(before.id()).change(before, restart, work);
    }

    /// The change that makes a copy of the sequence, which is not in use yet, continue at the same
    /// number.
    public CatalogChange copy(Sequence sequence, long otherId) {
        OptionalLong upcoming = upcoming(sequence);
        return upcoming.isPresent()
                ? new PutSequence(otherId, upcoming.getAsLong(), false)
                : new PutSequence(otherId, sequence.max(), true);
    }

    /// The next number, unless another thread takes it first; empty if the sequence is exhausted.
    public OptionalLong upcoming(Sequence sequence) {
        return block(sequence.id()).upcoming(sequence);
    }

    /// Stores the exact positions of all sequences. Must be called when nobody takes numbers.
    public void close() {
        blocks.values().forEach(Block::giveBack);
    }

    void forget(long sequenceId) {
        blocks.remove(sequenceId);
    }

    private Block block(long sequenceId) {
        return blocks.computeIfAbsent(sequenceId, Block::new);
    }

    /// The reserved numbers of one sequence.
    private final class Block {
        private final long id;
        private final ReentrantLock lock = new ReentrantLock();

        @GuardedBy("lock")
        private long next;

        @GuardedBy("lock")
        private long left;

        @GuardedBy("lock")
        private long step;

        @GuardedBy("lock")
        private long blockSize = FIRST_BLOCK;

        Block(long id) {
            this.id = id;
        }

        long next(Sequence sequence, String path) {
            lock.lock();
            try {
                if (left == 0) {
                    reserve(sequence, path);
                }
                long given = next;
                left--;
                // Not computed after the last number, where it could overflow.
                next = left == 0 ? given : given + step;
                return given;
            } finally {
                lock.unlock();
            }
        }

        @GuardedBy("lock")
        private void reserve(Sequence sequence, String path) {
            OptionalLong first = following(sequence);
            if (first.isEmpty()) {
                throw new StatusException(
                        Status.SCHEME_ERROR,
                        Issue.error(
                                Issue.SEQUENCE_EXHAUSTED,
                                "sequence [" + path + "] doesn't have any more values available"));
            }
            long from = first.getAsLong();
            long more = (sequence.max() - from) / sequence.increment();
            long count = more >= blockSize - 1 ? blockSize : more + 1;
            long last = from + (count - 1) * sequence.increment();
            commit(SystemTables.putSequence(id, new SequencePosition(last, true)));
            next = from;
            left = count;
            step = sequence.increment();
            blockSize = Math.min(MAX_BLOCK, blockSize * 2);
        }

        /// The number after those that were reserved. A cycling sequence continues at its minimum;
        /// for others the result is empty after the maximum.
        @GuardedBy("lock")
        private OptionalLong following(Sequence sequence) {
            OptionalLong greater = afterTaken(sequence);
            if (greater.isPresent() && greater.getAsLong() <= sequence.max()) {
                return greater;
            }
            return sequence.description().cycles()
                    ? OptionalLong.of(sequence.min())
                    : OptionalLong.empty();
        }

        @GuardedBy("lock")
        private OptionalLong afterTaken(Sequence sequence) {
            SequencePosition position = stored(id);
            if (position == null) {
                return OptionalLong.of(sequence.start());
            }
            if (!position.used()) {
                return OptionalLong.of(position.value());
            }
            long following = position.value() + sequence.increment();
            return following < position.value() ? OptionalLong.empty() : OptionalLong.of(following);
        }

        OptionalLong upcoming(Sequence sequence) {
            lock.lock();
            try {
                return left > 0 ? OptionalLong.of(next) : following(sequence);
            } finally {
                lock.unlock();
            }
        }

        void change(Sequence before, OptionalLong restart, Consumer<List<CatalogChange>> work) {
            lock.lock();
            try {
                OptionalLong at = restart.isPresent() ? restart : kept(before);
                work.accept(
                        at.isPresent()
                                ? List.of(new PutSequence(id, at.getAsLong(), false))
                                : List.of());
                left = 0;
            } finally {
                lock.unlock();
            }
        }

        /// The number at which the sequence continues, if it differs from the stored position.
        @GuardedBy("lock")
        private OptionalLong kept(Sequence before) {
            if (left > 0) {
                return OptionalLong.of(next);
            }
            return stored(id) == null ? OptionalLong.of(before.start()) : OptionalLong.empty();
        }

        void giveBack() {
            lock.lock();
            try {
                giveBackRest();
            } finally {
                lock.unlock();
            }
        }

        @GuardedBy("lock")
        private void giveBackRest() {
            if (left > 0) {
                commit(SystemTables.putSequence(id, new SequencePosition(next, false)));
                left = 0;
            }
        }
    }

    private @Nullable SequencePosition stored(long sequenceId) {
        Tablet tablet = cell.tablet(SystemTables.SEQUENCES);
        if (tablet == null) {
            throw new IllegalStateException("the system cell has no sequences");
        }
        long snapshot = cell.timeline().take();
        try {
            Row row =
                    tablet.get(
                            SystemTables.sequenceKey(sequenceId), Projection.ALL, snapshot, null);
            return row == null ? null : SystemTables.readSequence(row);
        } finally {
            cell.timeline().release(snapshot);
        }
    }

    private void commit(KeyedChange change) {
        var writes = List.of(new TabletWrites(SystemTables.SEQUENCES, List.of(change)));
        SystemWrites.commit(cell, writes, Status.UNDETERMINED);
    }
}
