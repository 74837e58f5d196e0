package io.cleave.bookkeeper;

import io.cleave.base.Bytes;
import io.cleave.base.Check;
import io.cleave.base.CorruptionException;

import java.util.ArrayList;
import java.util.List;

/// The list of ledgers of a log: the data of its node in ZooKeeper, changed only by
/// compare-and-set. It is text, so that an operator can read it.
///
/// ```
/// cleave log 1
/// epoch 7
/// trimmed 11            may still have to be deleted
/// ledger 12 0 3         id, position of its first record, epoch of its writer
/// ledger 15 40960 7
/// ```
///
/// Invariants: positions and epochs of ledgers never decrease. A ledger that is followed by another
/// is sealed, and its records end where those of the next begin. Only the writer of `epoch` adds
/// ledgers.
///
/// @param epoch of the newest writer; 0 before there was one
record LedgerList(long epoch, List<Span> ledgers, List<Long> trimmed) {
    static final LedgerList EMPTY = new LedgerList(0, List.of(), List.of());

    private static final String FIRST_LINE = "cleave log 1";

    /// A ledger with the records from `firstPosition` on.
    record Span(long ledgerId, long firstPosition, long epoch) {}

    LedgerList {
        ledgers = List.copyOf(ledgers);
        trimmed = List.copyOf(trimmed);
        for (int index = 1; index < ledgers.size(); index++) {
            Span before = ledgers.get(index - 1);
            Span after = ledgers.get(index);
            Check.that(
                    before.firstPosition <= after.firstPosition && before.epoch <= after.epoch,
                    "ledger %d before %d",
                    before.ledgerId,
                    after.ledgerId);
        }
    }

    boolean isEmpty() {
        return ledgers.isEmpty();
    }

    Span last() {
        return ledgers.getLast();
    }

    /// The position of the oldest record, or of the next one if the log has no records.
    long firstPosition() {
        return ledgers.isEmpty() ? 0 : ledgers.getFirst().firstPosition;
    }

    /// The index of the ledger that has, or will have, this record. The record must not be before
    /// the first one.
    int indexOf(long position) {
        int index = ledgers.size() - 1;
        while (ledgers.get(index).firstPosition > position) {
            index--;
        }
        return index;
    }

    /// The index of a ledger; -1 if it is not in the list.
    int indexOfLedger(long ledgerId) {
        for (int index = 0; index < ledgers.size(); index++) {
            if (ledgers.get(index).ledgerId == ledgerId) {
                return index;
            }
        }
        return -1;
    }

    /// Whether the ledger is part of the log, or waits to be deleted.
    boolean names(long ledgerId) {
        return indexOfLedger(ledgerId) >= 0 || trimmed.contains(ledgerId);
    }

    /// Adds a ledger for the records from here on. A last ledger without records is removed.
    LedgerList with(Span next) {
        List<Span> spans = new ArrayList<>(ledgers);
        List<Long> gone = new ArrayList<>(trimmed);
        if (!spans.isEmpty() && spans.getLast().firstPosition == next.firstPosition) {
            gone.add(spans.removeLast().ledgerId);
        }
        spans.add(next);
        return new LedgerList(next.epoch, spans, gone);
    }

    /// Removes the ledgers whose records are all before this position. The last one stays.
    LedgerList trimmedBefore(long position) {
        List<Span> spans = new ArrayList<>(ledgers);
        List<Long> gone = new ArrayList<>(trimmed);
        while (spans.size() > 1 && spans.get(1).firstPosition <= position) {
            gone.add(spans.removeFirst().ledgerId);
        }
        return new LedgerList(epoch, spans, gone);
    }

    /// The list after these ledgers have been deleted.
    LedgerList without(List<Long> deleted) {
        List<Long> left = new ArrayList<>(trimmed);
        left.removeAll(deleted);
        return new LedgerList(epoch, ledgers, left);
    }

    Bytes encode() {
        var text = new StringBuilder(FIRST_LINE);
        text.append("\nepoch ").append(epoch).append('\n');
        for (long ledgerId : trimmed) {
            text.append("trimmed ").append(ledgerId).append('\n');
        }
        for (Span span : ledgers) {
            text.append("ledger ").append(span.ledgerId);
            text.append(' ').append(span.firstPosition);
            text.append(' ').append(span.epoch).append('\n');
        }
        return Bytes.utf8(text.toString());
    }

    /// `name` is the path of the node, for messages.
    static LedgerList decode(String name, Bytes data) {
        String[] lines = data.utf8().split("\n", -1);
        if (!lines[0].equals(FIRST_LINE)) {
            throw new CorruptionException(name, 0, "not a list of ledgers: " + lines[0]);
        }
        long epoch = 0;
        List<Span> spans = new ArrayList<>();
        List<Long> trimmed = new ArrayList<>();
        try {
            for (int index = 1; index < lines.length && !lines[index].isEmpty(); index++) {
                String[] words = lines[index].split(" ", -1);
                switch (words[0]) {
                    case "epoch" -> epoch = Long.parseLong(words[1]);
                    case "trimmed" -> trimmed.add(Long.parseLong(words[1]));
                    case "ledger" ->
                            spans.add(
                                    new Span(
                                            Long.parseLong(words[1]),
                                            Long.parseLong(words[2]),
                                            Long.parseLong(words[3])));
                    default -> throw new IllegalStateException("a line '" + lines[index] + "'");
                }
            }
            return new LedgerList(epoch, spans, trimmed);
        } catch (NumberFormatException | IndexOutOfBoundsException | IllegalStateException damage) {
            throw new CorruptionException(name, 0, "a list of ledgers with " + damage.getMessage());
        }
    }
}
