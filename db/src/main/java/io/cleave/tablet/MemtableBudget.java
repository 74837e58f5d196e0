package io.cleave.tablet;

import io.cleave.tablet.FlushPicker.Candidate;
import io.cleave.tablet.FlushPicker.Choice;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/// The memory for the memtables of all cells of a process. When they have more, the largest of all
/// is flushed. Threads: any.
public final class MemtableBudget {
    private final long bytes;
    private final List<Member> members = new CopyOnWriteArrayList<>();

    /// In all memtables when last counted, and what was written since.
    private final AtomicLong usedBytes = new AtomicLong();

    /// Of these in frozen ones, when last counted.
    private volatile long frozenBytes;

    /// Everyone has been told that there is too much.
    private final AtomicBoolean told = new AtomicBoolean();

    public MemtableBudget(long bytes) {
        this.bytes = bytes;
    }

    /// A cell.
    interface Member {
        long cellId();

        /// Its tablets with anything in memory.
        List<Candidate> candidates();

        long frozenBytes();

        /// There may be something to flush.
        void wake();
    }

    void join(Member member) {
        members.add(member);
    }

    void leave(Member member) {
        members.remove(member);
        count(gather());
    }

    /// So many bytes were written into memtables, or about so many.
    void grew(long added) {
        long used = usedBytes.addAndGet(added);
        if (used - frozenBytes > bytes && told.compareAndSet(false, true)) {
            members.forEach(Member::wake);
        }
    }

    public long usedBytes() {
        return usedBytes.get();
    }

    public long bytes() {
        return bytes;
    }

    /// What `member` should flush now. If it is another's turn, that one is told.
    Optional<Choice> pickFor(Member member) {
        count(gather());
        Optional<Choice> own = FlushPicker.pick(member.candidates(), Long.MAX_VALUE);
        if (own.isPresent()) {
            return own;
        }
        Optional<Choice> choice = FlushPicker.pick(gather(), bytes);
        if (choice.isPresent() && choice.get().candidate().cellId() != member.cellId()) {
            long cellId = choice.get().candidate().cellId();
            members.stream().filter(other -> other.cellId() == cellId).forEach(Member::wake);
            return Optional.empty();
        }
        return choice;
    }

    private List<Candidate> gather() {
        return members.stream().flatMap(member -> member.candidates().stream()).toList();
    }

    private void count(List<Candidate> candidates) {
        long frozen = members.stream().mapToLong(Member::frozenBytes).sum();
        long active = candidates.stream().mapToLong(Candidate::activeBytes).sum();
        frozenBytes = frozen;
        usedBytes.set(active + frozen);
        told.set(false);
    }
}
