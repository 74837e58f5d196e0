package io.cleave.bookkeeper;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.CorruptionException;
import io.cleave.bookkeeper.LedgerList.Span;
import io.cleave.bookkeeper.LedgerListNode.Versioned;
import io.cleave.log.FencedException;
import io.cleave.log.LogException;

import org.apache.bookkeeper.client.api.LedgerEntries;
import org.apache.bookkeeper.client.api.ReadHandle;
import org.apache.bookkeeper.client.api.WriteHandle;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;

/// The ledgers of a log, as far as this process knows them, and the operations that change their
/// list:
///
/// - *claim*: fences the current writer, and begins a new epoch in a new ledger;
/// - *extend*: continues the epoch in another ledger;
/// - *trim*: removes the oldest ledgers.
///
/// Each operation is one compare-and-set of the list. If it finds another epoch in the list, it
/// throws a [FencedException]. Threads: any; one at a time changes the list.
final class LedgerChain {
    private final LedgerListNode node;
    private final Ledgers ledgers;

    /// Held while the list is changed.
    private final ReentrantLock changing = new ReentrantLock();

    /// Ledgers that are deleted but may still be in the list. The next change removes them from it.
    @GuardedBy("changing")
    private final List<Long> deleted = new ArrayList<>();

    /// Ledgers that were created and may not be in the list.
    @GuardedBy("changing")
    private final List<Unsure> unsure = new ArrayList<>();

    /// The newest version that this process has seen.
    private final AtomicReference<Versioned> known =
            new AtomicReference<>(new Versioned(LedgerList.EMPTY, -1));

    /// A ledger to append to, whose first record will have position `from`.
    record Head(long epoch, long from, WriteHandle ledger) {}

    /// A ledger that would be in the list in versions later than `version`.
    private record Unsure(long ledgerId, int version) {}

    LedgerChain(LedgerListNode node, Ledgers ledgers) {
        this.node = node;
        this.ledgers = ledgers;
    }

    String name() {
        return node.path();
    }

    Ledgers ledgers() {
        return ledgers;
    }

    Bookies bookies() {
        return new Bookies(node.zooKeeper(), ledgers.settings());
    }

    /// The list when it was last read or changed.
    LedgerList list() {
        return known.get().list();
    }

    @CanIgnoreReturnValue
    LedgerList refresh() {
        return learn(node.read()).list();
    }

    private Versioned learn(Versioned found) {
        return known.accumulateAndGet(
                found, (had, next) -> next.version() > had.version() ? next : had);
    }

    /// Calls `changed` once, at the next change of the list. A caller that reads the list after
    /// this call misses no change.
    void whenChanged(Runnable changed) {
        node.whenChanged(changed);
    }

    /// Fences the previous writer with everything that it has in flight, and begins the next epoch
    /// after its last record.
    Head claim() {
        changing.lock();
        try {
            while (true) {
                Versioned found = node.read();
                LedgerList list = found.list();
                OptionalLong end = list.isEmpty() ? OptionalLong.of(0) : seal(list.last());
                if (end.isPresent()) {
                    delete(list.trimmed());
                    Optional<Head> head = append(found, list.epoch() + 1, end.getAsLong());
                    if (head.isPresent()) {
                        return head.get();
                    }
                }
                // The previous writer has moved to another ledger, or another process was faster.
            }
        } finally {
            changing.unlock();
        }
    }

    /// A new ledger for the writer of this epoch. All its previous ledgers must be sealed and end
    /// at `from`.
    Head extend(long epoch, long from) {
        changing.lock();
        try {
            while (true) {
                Versioned found = checked(epoch, known.get());
                Optional<Head> head = append(found, epoch, from);
                if (head.isPresent()) {
                    return head.get();
                }
                checked(epoch, learn(node.read()));
            }
        } finally {
            changing.unlock();
        }
    }

    /// Seals the newest ledger of this epoch, so that nothing more gets into it. Returns where its
    /// records end.
    long seal(long epoch) {
        while (true) {
            Versioned found = checked(epoch, learn(node.read()));
            OptionalLong end = seal(found.list().last());
            if (end.isPresent()) {
                return end.getAsLong();
            }
        }
    }

    /// Throws if the log has a newer writer.
    void check(long epoch) {
        checked(epoch, learn(node.read()));
    }

    /// Like [#check], but not misled by a ZooKeeper server that lags behind.
    void verify(long epoch) {
        Versioned believed = checked(epoch, known.get());
        while (!node.isPresent(believed)) {
            believed = checked(epoch, learn(node.read()));
        }
    }

    @CanIgnoreReturnValue
    private static Versioned checked(long epoch, Versioned found) {
        if (found.list().epoch() != epoch) {
            throw new FencedException(epoch);
        }
        return found;
    }

    /// Returns empty if the list was not as expected.
    @GuardedBy("changing")
    private Optional<Head> append(Versioned expected, long epoch, long from) {
        WriteHandle ledger = ledgers.create(node.path());
        LedgerList next =
                expected.list().without(deleted).with(new Span(ledger.getId(), from, epoch));
        Optional<Versioned> replaced;
        try {
            replaced = node.replace(expected, next);
        } catch (LogException e) {
            // It is unknown whether the ledger is in the list. If it is, it is found empty.
            var _ = ledger.closeAsync();
            unsure.add(new Unsure(ledger.getId(), expected.version()));
            throw e;
        }
        if (replaced.isEmpty()) {
            var _ = ledger.closeAsync();
            if (!tryToDelete(ledger.getId())) {
                unsure.add(new Unsure(ledger.getId(), expected.version()));
            }
            return Optional.empty();
        }
        deleted.clear();
        settle(learn(replaced.get()));
        delete(next.trimmed());
        return Optional.of(new Head(epoch, from, ledger));
    }

    /// Seals the last ledger and returns where its records end. Empty if another ledger has
    /// replaced it meanwhile, which happens to a last ledger without records.
    private OptionalLong seal(Span last) {
        try {
            return OptionalLong.of(recoveredEnd(last));
        } catch (LogException e) {
            if (!Ledgers.isGone(e)) {
                throw e;
            }
            LedgerList list = learn(node.read()).list();
            if (!list.isEmpty() && list.last().equals(last)) {
                throw new CorruptionException(
                        name(),
                        last.firstPosition(),
                        "ledger " + last.ledgerId() + " is not there");
            }
            return OptionalLong.empty();
        }
    }

    private long recoveredEnd(Span span) {
        ReadHandle sealed = ledgers.recover(span.ledgerId());
        try {
            long lastEntry = sealed.getLastAddConfirmed();
            return lastEntry < 0 ? span.firstPosition() : records(sealed, lastEntry).end();
        } finally {
            var _ = sealed.closeAsync();
        }
    }

    /// Reads one entry of a ledger.
    LedgerRecords records(ReadHandle ledger, long entryId) {
        String what = "reading entry " + entryId + " of ledger " + ledger.getId();
        try (LedgerEntries entries =
                ledgers.await(ledger.readUnconfirmedAsync(entryId, entryId), what)) {
            return LedgerRecords.decode(
                    nameOf(ledger), entryId, entries.getEntry(entryId).getEntryBuffer());
        }
    }

    /// The name for messages.
    String nameOf(ReadHandle ledger) {
        return name() + " ledger " + ledger.getId();
    }

    /// Removes the whole log, which nobody opens any more. If a part was removed before, removes
    /// the rest.
    void remove() {
        changing.lock();
        try {
            LedgerList list = learn(node.read()).list();
            list.trimmed().forEach(ledgers::delete);
            list.ledgers().forEach(span -> ledgers.delete(span.ledgerId()));
            node.remove();
        } finally {
            changing.unlock();
        }
    }

    /// Removes ledgers whose records are all before this position. If an epoch is given, only while
    /// it is the newest: a fenced writer does not know what is still needed.
    void trim(long before, Optional<Long> epoch) {
        changing.lock();
        try {
            while (true) {
                Versioned found = epoch.isPresent() ? known.get() : learn(node.read());
                epoch.ifPresent(expected -> checked(expected, found));
                LedgerList next = found.list().without(deleted).trimmedBefore(before);
                if (next.equals(found.list())) {
                    return;
                }
                Optional<Versioned> replaced = node.replace(found, next);
                if (replaced.isPresent()) {
                    deleted.clear();
                    settle(learn(replaced.get()));
                    delete(next.trimmed());
                    return;
                }
                learn(node.read());
            }
        } finally {
            changing.unlock();
        }
    }

    /// Deletes ledgers that did not get into the list. This is certain only with a later version of
    /// the list; until then ZooKeeper may still execute the change.
    @GuardedBy("changing")
    private void settle(Versioned found) {
        unsure.removeIf(
                made ->
                        found.version() > made.version
                                && (found.list().names(made.ledgerId)
                                        || tryToDelete(made.ledgerId)));
    }

    /// A ledger that cannot be deleted now stays in the list, and is tried again with the next
    /// change.
    @GuardedBy("changing")
    private void delete(List<Long> ledgerIds) {
        for (long ledgerId : ledgerIds) {
            if (!deleted.contains(ledgerId) && tryToDelete(ledgerId)) {
                deleted.add(ledgerId);
            }
        }
    }

    private boolean tryToDelete(long ledgerId) {
        try {
            ledgers.delete(ledgerId);
            return true;
        } catch (LogException e) {
            return false;
        }
    }
}
