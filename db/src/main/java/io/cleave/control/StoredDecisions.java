package io.cleave.control;

import io.cleave.base.Bytes;
import io.cleave.base.Direction;
import io.cleave.catalog.ActionRows;
import io.cleave.catalog.DecisionRows;
import io.cleave.catalog.DecisionRows.StoredRow;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/// The rows of the decisions and their [DecisionSummary], which change together.
///
/// Threads: any may read; the caller of the methods that write holds a lock.
final class StoredDecisions {
    /// After the number of every row.
    private static final long END = Long.MAX_VALUE;

    private final DecisionRows rows;

    /// The number that was given last before the process started.
    private final long lastOfEarlier;

    /// The decisions that are running still, because their actions go on after the start.
    private final Set<Long> goingOn;

    /// The sizes of the rows that may be written again.
    private final Map<Long, Integer> sizes = new HashMap<>();

    private volatile DecisionSummary summary;

    StoredDecisions(DecisionRows rows, long nowMicros, Set<Long> goingOn) {
        this.rows = rows;
        this.goingOn = Set.copyOf(goingOn);
        summary = readSummary(nowMicros);
        lastOfEarlier = summary.last();
    }

    private DecisionSummary readSummary(long nowMicros) {
        List<StoredRow> newest = page(1, END, Direction.BACKWARD);
        long last = newest.isEmpty() ? 0 : newest.getFirst().number();
        Optional<DecisionSummary> stored =
                rows.page(DecisionSummary.NUMBER, 1, Direction.FORWARD).stream()
                        .findFirst()
                        .flatMap(row -> DecisionSummary.decode(row.data()));
        return stored.filter(found -> found.last() >= last && isStored(found))
                .orElseGet(
                        () ->
                                count(
                                        Math.max(
                                                last, stored.map(DecisionSummary::last).orElse(0L)),
                                        nowMicros));
    }

    /// Whether its first change is there. Earlier versions, which do not write the summary, erase
    /// that change first.
    private boolean isStored(DecisionSummary found) {
        return !found.hasChanges()
                || !page(found.first(), found.first() + 1, Direction.FORWARD).isEmpty();
    }

    /// The summary of rows that an earlier version wrote, of which there are few.
    private DecisionSummary count(long last, long nowMicros) {
        long first = last + 1;
        long bytes = 0;
        long sinceMicros = nowMicros;
        List<Long> notes = new ArrayList<>();
        List<StoredRow> page = page(1, END, Direction.FORWARD);
        while (!page.isEmpty()) {
            for (StoredRow row : page) {
                bytes += row.data().length();
                if (isNote(row)) {
                    notes.add(row.number());
                } else if (first > last) {
                    first = row.number();
                    sinceMicros = DecisionCodec.age(first, row.data()).madeMicros();
                }
            }
            page = page(page.getLast().number() + 1, END, Direction.FORWARD);
        }
        // There are more than the limit if rows could not be erased.
        int from = Math.max(0, notes.size() - RecentDecisions.MOST_NOTES);
        return new DecisionSummary(
                last, first, bytes, sinceMicros, notes.subList(from, notes.size()));
    }

    private static boolean isNote(StoredRow row) {
        return DecisionCodec.decode(row.number(), row.data())
                .filter(TabletDecision::isNote)
                .isPresent();
    }

    DecisionSummary summary() {
        return summary;
    }

    /// The latest changes, of which there are at most `most`, all notes, and the changes that are
    /// running still. They may be written again.
    List<TabletDecision> latest(int most) {
        var others = new TreeSet<>(summary.notes());
        others.addAll(goingOn);
        List<StoredRow> found = new ArrayList<>();
        List<StoredRow> page = page(1, END, Direction.BACKWARD);
        int changes = 0;
        while (!page.isEmpty() && changes < most) {
            for (StoredRow row : page) {
                if (others.remove(row.number())) {
                    found.add(row);
                } else if (changes < most) {
                    changes++;
                    found.add(row);
                }
            }
            page = page(1, page.getLast().number(), Direction.BACKWARD);
        }
        for (long number : others) {
            found.addAll(page(number, number + 1, Direction.FORWARD));
        }
        List<TabletDecision> entries = new ArrayList<>();
        for (StoredRow row : found) {
            decode(row)
                    .ifPresent(
                            entry -> {
                                entries.add(entry);
                                sizes.put(row.number(), row.data().length());
                            });
        }
        return entries;
    }

    /// The first rows, in this direction, with numbers from `from` (included) to `to` (excluded).
    List<StoredRow> page(long from, long to, Direction direction) {
        return rows.page(Math.max(from, DecisionSummary.NUMBER + 1), to, direction);
    }

    /// Empty if a newer version wrote it.
    Optional<TabletDecision> decode(StoredRow row) {
        return DecisionCodec.decode(row.number(), row.data())
                .map(
                        entry ->
                                entry.number() > lastOfEarlier || goingOn.contains(entry.number())
                                        ? entry
                                        : entry.found());
    }

    /// Writes the batch and the rows of actions, if there is something to write.
    void write(RecentDecisions.Batch batch, ActionRows.Change actions) {
        SortedMap<Long, Bytes> puts = new TreeMap<>();
        long since = Math.max(summary.sinceMicros(), batch.sinceMicros());
        long first = summary.hasChanges() ? summary.first() : Long.MAX_VALUE;
        long last = summary.last();
        for (TabletDecision entry : batch.entries()) {
            last = Math.max(last, entry.number());
            Optional<Bytes> data = DecisionCodec.encode(entry);
            if (data.isPresent()) {
                puts.put(entry.number(), data.get());
                first = entry.isNote() ? first : Math.min(first, entry.number());
            } else if (!entry.isNote()) {
                since = Math.max(since, entry.micros() + 1);
            }
        }
        List<Long> removals = batch.removed().stream().filter(sizes::containsKey).toList();
        if (puts.isEmpty() && removals.isEmpty() && since == summary.sinceMicros()) {
            rows.change(puts, removals, actions);
            return;
        }
        long bytes = summary.bytes();
        for (Map.Entry<Long, Bytes> put : puts.entrySet()) {
            bytes += put.getValue().length() - sizes.getOrDefault(put.getKey(), 0);
        }
        for (long number : removals) {
            bytes -= sizes.getOrDefault(number, 0);
        }
        List<Long> stored =
                batch.notes().stream()
                        .filter(number -> sizes.containsKey(number) || puts.containsKey(number))
                        .sorted()
                        .toList();
        var changed = new DecisionSummary(last, Math.min(first, last + 1), bytes, since, stored);
        commit(puts, removals, changed, actions);
        puts.forEach((number, data) -> sizes.put(number, data.length()));
    }

    private void commit(
            SortedMap<Long, Bytes> puts,
            List<Long> removals,
            DecisionSummary changed,
            ActionRows.Change actions) {
        SortedMap<Long, Bytes> all = new TreeMap<>(puts);
        all.put(DecisionSummary.NUMBER, changed.encode());
        rows.change(all, removals, actions);
        summary = changed;
        removals.forEach(sizes::remove);
    }

    /// Erases the changes that the expiry has chosen.
    void erase(DecisionExpiry expiry) {
        DecisionSummary before = summary;
        var changed =
                new DecisionSummary(
                        before.last(),
                        Math.min(expiry.firstKept(), before.last() + 1),
                        before.bytes() - expiry.erasedBytes(),
                        Math.max(before.sinceMicros(), expiry.sinceMicros()),
                        before.notes());
        commit(new TreeMap<>(), expiry.erased(), changed, ActionRows.Change.NONE);
    }

    /// From now on only these decisions may be written again.
    void retain(Collection<Long> numbers) {
        sizes.keySet().retainAll(numbers);
    }
}
