package io.cleave.tablet.pace;

import io.cleave.tablet.pace.FlushPicker.Candidate;
import io.cleave.tablet.pace.FlushPicker.Choice;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/// The memory for the memtables of all cells of a process. If they exceed it, the largest memtable
/// of all is flushed. Threads: any.
public final class MemtableBudget {
    private final long bytes;
    private final List<Member> members = new CopyOnWriteArrayList<>();

    /// The bytes in all memtables at the last count, plus what was written since.
    private final AtomicLong usedBytes = new AtomicLong();

    /// The bytes in frozen memtables at the last count.
    private volatile long frozenBytes;

    /// Set when all members were woken because the budget is exceeded.
    private final AtomicBoolean told = new AtomicBoolean();

    public MemtableBudget(long bytes) {
        this.bytes = bytes;
    }

    /// A cell that shares the budget.
    public interface Member {
        long cellId();

        /// Its tablets that have rows in memory.
        List<Candidate> candidates();

        long frozenBytes();

        /// Tells the cell that there may be something to flush.
        void wake();
    }

    public void join(Member member) {
        members.add(member);
    }

    public void leave(Member member) {
        members.remove(member);
        count(gather());
    }

    /// Called after about this many bytes were written into memtables.
    public void grew(long added) {
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

    /// What `member` should flush now. If another member should flush, wakes that member and
    /// returns nothing.
    public Optional<Choice> pickFor(Member member) {
        List<Candidate> all = gather();
        count(all);
        Optional<Choice> own = FlushPicker.pick(of(member, all), Long.MAX_VALUE);
        if (own.isPresent()) {
            return own;
        }
        Optional<Choice> choice = FlushPicker.pick(all, bytes);
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

    private static List<Candidate> of(Member member, List<Candidate> all) {
        return all.stream().filter(each -> each.cellId() == member.cellId()).toList();
    }

    private void count(List<Candidate> candidates) {
        long frozen = members.stream().mapToLong(Member::frozenBytes).sum();
        long active = candidates.stream().mapToLong(Candidate::activeBytes).sum();
        frozenBytes = frozen;
        usedBytes.set(active + frozen);
        told.set(false);
    }
}
