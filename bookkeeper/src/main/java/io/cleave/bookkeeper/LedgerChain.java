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

/// The ledgers of a log, as this process knows them, and the steps that change their list:
///
/// - *claim*: fence whoever writes, and begin an epoch in a ledger of its own;
/// - *extend*: the same epoch goes on in another ledger;
/// - *trim*: give up the oldest ledgers.
///
/// Each is one compare-and-set of the list. A step that finds another epoch there is a
/// [FencedException]. Threads: any; one at a time changes the list.
final class LedgerChain {
    private final LedgerListNode node;
    private final Ledgers ledgers;

    /// Held while the list is changed.
    private final ReentrantLock changing = new ReentrantLock();

    /// Deleted, and perhaps still named in the list; the next change leaves them out.
    @GuardedBy("changing")
    private final List<Long> deleted = new ArrayList<>();

    /// Made, and perhaps not in the list.
    @GuardedBy("changing")
    private final List<Unsure> unsure = new ArrayList<>();

    /// The newest version that anyone has seen.
    private final AtomicReference<Versioned> known =
            new AtomicReference<>(new Versioned(LedgerList.EMPTY, -1));

    /// A ledger to append to, whose first record will be `from`.
    record Head(long epoch, long from, WriteHandle ledger) {}

    /// A ledger that would be in the list from the version after this one on.
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

    /// As it was when it was last looked at or changed.
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

    /// Whoever looks at the list when this is called sees a change that came after the look before.
    void whenChanged(Runnable changed) {
        node.whenChanged(changed);
    }

    /// Fences the writer before and everything that it still has under way, and begins the next
    /// epoch after its last record.
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
                // The writer before has gone on to another ledger, or another one was faster.
            }
        } finally {
            changing.unlock();
        }
    }

    /// Another ledger for the writer of this epoch. All its ledgers before are sealed and end
    /// there.
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

    /// Where the records of the newest ledger of this epoch end, after which nothing more gets into
    /// it.
    long seal(long epoch) {
        while (true) {
            Versioned found = checked(epoch, learn(node.read()));
            OptionalLong end = seal(found.list().last());
            if (end.isPresent()) {
                return end.getAsLong();
            }
        }
    }

    /// Throws when the log has a newer writer than this one.
    void check(long epoch) {
        checked(epoch, learn(node.read()));
    }

    /// As [#check], and no server of ZooKeeper that lags behind can mislead it.
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

    /// Empty when the list was not as expected.
    @GuardedBy("changing")
    private Optional<Head> append(Versioned expected, long epoch, long from) {
        WriteHandle ledger = ledgers.create(node.path());
        LedgerList next =
                expected.list().without(deleted).with(new Span(ledger.getId(), from, epoch));
        Optional<Versioned> replaced;
        try {
            replaced = node.replace(expected, next);
        } catch (LogException e) {
            // Whether it is in the list is not known: whoever finds it there finds it empty.
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

    /// Where the records of the last ledger end. Empty when another has replaced it meanwhile, as
    /// is done with a last ledger that has no records.
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

    /// One entry of a ledger.
    LedgerRecords records(ReadHandle ledger, long entryId) {
        String what = "reading entry " + entryId + " of ledger " + ledger.getId();
        try (LedgerEntries entries =
                ledgers.await(ledger.readUnconfirmedAsync(entryId, entryId), what)) {
            return LedgerRecords.decode(
                    nameOf(ledger), entryId, entries.getEntry(entryId).getEntryBuffer());
        }
    }

    /// For messages.
    String nameOf(ReadHandle ledger) {
        return name() + " ledger " + ledger.getId();
    }

    /// Gives up ledgers whose records are all before this position. With an epoch, only while it is
    /// the newest: a writer that was fenced knows nothing about what is needed.
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

    /// Deletes ledgers that did not get into the list. Only with a later version is that certain:
    /// until then ZooKeeper may still carry out the change.
    @GuardedBy("changing")
    private void settle(Versioned found) {
        unsure.removeIf(
                made ->
                        found.version() > made.version
                                && (found.list().names(made.ledgerId)
                                        || tryToDelete(made.ledgerId)));
    }

    /// What cannot be deleted now stays in the list, and is tried again with its next change.
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
