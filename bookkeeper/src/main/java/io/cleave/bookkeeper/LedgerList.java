package io.cleave.bookkeeper;

import io.cleave.base.Bytes;
import io.cleave.base.Check;
import io.cleave.base.CorruptionException;

import java.util.ArrayList;
import java.util.List;

/// Which ledgers a log is made of: the data of its node in ZooKeeper, changed by compare-and-set
/// only. It is text, so that a person can read it.
///
/// ```
/// cleave log 1
/// epoch 7
/// trimmed 11            may still have to be deleted
/// ledger 12 0 3         id, position of its first record, epoch of its writer
/// ledger 15 40960 7
/// ```
///
/// Invariants: positions and epochs of ledgers do not fall; a ledger that has another after it is
/// sealed, and its records end where those of the next begin; only the writer of `epoch` adds
/// ledgers.
///
/// @param epoch of the newest writer; 0 before there was one
record LedgerList(long epoch, List<Span> ledgers, List<Long> trimmed) {
    static final LedgerList EMPTY = new LedgerList(0, List.of(), List.of());

    private static final String FIRST_LINE = "cleave log 1";

    /// Records from `firstPosition` on.
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

    /// The oldest record that is there, or the next one of a log without records.
    long firstPosition() {
        return ledgers.isEmpty() ? 0 : ledgers.getFirst().firstPosition;
    }

    /// The index of the ledger that has, or will have, this record; it is not before the first.
    int indexOf(long position) {
        int index = ledgers.size() - 1;
        while (ledgers.get(index).firstPosition > position) {
            index--;
        }
        return index;
    }

    /// The index of a ledger; -1 when it is no longer there.
    int indexOfLedger(long ledgerId) {
        for (int index = 0; index < ledgers.size(); index++) {
            if (ledgers.get(index).ledgerId == ledgerId) {
                return index;
            }
        }
        return -1;
    }

    /// Whether it is part of the log, or waits to be deleted.
    boolean names(long ledgerId) {
        return indexOfLedger(ledgerId) >= 0 || trimmed.contains(ledgerId);
    }

    /// Another ledger for the records from here on. A last one without records goes.
    LedgerList with(Span next) {
        List<Span> spans = new ArrayList<>(ledgers);
        List<Long> gone = new ArrayList<>(trimmed);
        if (!spans.isEmpty() && spans.getLast().firstPosition == next.firstPosition) {
            gone.add(spans.removeLast().ledgerId);
        }
        spans.add(next);
        return new LedgerList(next.epoch, spans, gone);
    }

    /// Without the ledgers whose records are all before this position. The last one stays.
    LedgerList trimmedBefore(long position) {
        List<Span> spans = new ArrayList<>(ledgers);
        List<Long> gone = new ArrayList<>(trimmed);
        while (spans.size() > 1 && spans.get(1).firstPosition <= position) {
            gone.add(spans.removeFirst().ledgerId);
        }
        return new LedgerList(epoch, spans, gone);
    }

    /// When these have been deleted.
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

    /// `name` is of the node, for messages.
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
