package io.cleave.tablet.twophase;

import io.cleave.base.Bytes;
import io.cleave.tablet.lock.LockOwner;
import io.cleave.tablet.lock.ReadLocks;
import io.cleave.tablet.record.CellRecord;
import io.cleave.tablet.record.CellRecord.Decide;
import io.cleave.tablet.record.CellRecord.Decided;
import io.cleave.tablet.record.CellRecord.Forget;
import io.cleave.tablet.record.CellRecord.OfTransaction;
import io.cleave.tablet.record.CellRecord.Outcome;
import io.cleave.tablet.record.CommitDecision;
import io.cleave.tablet.record.TabletWrites;
import io.cleave.tablet.twophase.TransactionStep.Change;
import io.cleave.tablet.twophase.TransactionStep.Message;
import io.cleave.testkit.DataDriven;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/// Two-phase commit as text: the state machines of several cells, without tablets, disks and
/// threads. Each command is one message to one cell, and its output is the step that the cell
/// takes. What a cell sends stays on its way until it is delivered or lost.
class TwoPhaseStepsTest {
    private static final long LEASE = 5;

    /// All transactions up to this one ended before the cells were opened.
    private static final long ENDED = 1;

    private Map<Long, SimCell> cells = new TreeMap<>();
    private final List<Sent> sent = new ArrayList<>();
    private long timestamp;
    private long now;

    /// The newest transaction that was prepared anywhere.
    private long newest;

    private record Sent(long from, Message message) {}

    @TestFactory
    Stream<DynamicTest> steps() throws IOException {
        return DataDriven.run(Path.of("src/test/testdata/twophase"), this::run);
    }

    private String run(DataDriven.Command command) {
        return switch (command.name()) {
            case "cells" -> begin(command.number("count"));
            case "given" -> given(command.args().get("transaction"));
            case "prepare" -> cell(command).prepare(command);
            case "decide" -> cell(command).decide(command.number("txn"));
            case "outcome" -> cell(command).outcome(command.number("txn"), decision(command));
            case "resolve" -> cell(command).resolve(command.number("txn"));
            case "durable" -> cell(command).durable();
            case "crash" -> cell(command).crash();
            case "tick" -> tick(command);
            case "deliver" -> deliver(command);
            case "lose" -> lose(command);
            case "sent" -> inFlight();
            case "state" -> state();
            default -> throw new IllegalArgumentException(command.name());
        };
    }

    private SimCell cell(DataDriven.Command command) {
        return cells.get(command.number("cell"));
    }

    private String begin(long count) {
        cells = new TreeMap<>();
        sent.clear();
        timestamp = 100;
        now = 0;
        newest = ENDED;
        for (long id = 1; id <= count; id++) {
            cells.put(id, new SimCell(id));
        }
        return count + " cells";
    }

    /// Two cells, and transaction 7 at 101, which has come so far without a fault.
    private String given(String stage) {
        begin(2);
        SimCell coordinator = cells.get(1L);
        SimCell other = cells.get(2L);
        coordinator.prepare(7, 1, List.of(2L), true);
        other.prepare(7, 1, List.of(2L), true);
        other.durable();
        if (!stage.equals("prepared")) {
            coordinator.decide(7);
            coordinator.durable();
        }
        if (stage.equals("applied")) {
            other.outcome(7, new CommitDecision.Commit(timestamp));
            deliver(sent.removeFirst(), true);
        }
        return state();
    }

    private static CommitDecision decision(DataDriven.Command command) {
        return command.args().containsKey("commit")
                ? new CommitDecision.Commit(command.number("commit"))
                : new CommitDecision.Abort();
    }

    /// Lets time pass in all cells, or in one.
    private String tick(DataDriven.Command command) {
        now += command.number("seconds");
        List<String> lines = new ArrayList<>();
        for (SimCell cell : cells.values()) {
            if (!command.args().containsKey("cell") || cell.id == command.number("cell")) {
                lines.add(cell.tick());
            }
        }
        return lines(lines);
    }

    private String inFlight() {
        return sent.isEmpty()
                ? "nothing"
                : lines(
                        sent.stream()
                                .map(each -> "from %d %s".formatted(each.from, text(each.message)))
                                .toList());
    }

    private String lose(DataDriven.Command command) {
        Sent lost = take(command);
        return "lost: from %d %s".formatted(lost.from, text(lost.message));
    }

    /// The first message on its way; the second with `nth=2`; the first to a cell with `to`.
    private Sent take(DataDriven.Command command) {
        Sent first =
                sent.stream()
                        .filter(
                                each ->
                                        !command.args().containsKey("to")
                                                || each.message.cellId() == command.number("to"))
                        .skip(Math.max(0, command.number("nth") - 1))
                        .findFirst()
                        .orElseThrow();
        sent.remove(first);
        return first;
    }

    /// Delivers a message, `times` if it is said, and its answer, unless `answer=lost`.
    private String deliver(DataDriven.Command command) {
        Sent message = take(command);
        boolean isAnswered = !"lost".equals(command.args().get("answer"));
        long times = command.args().containsKey("times") ? command.number("times") : 1;
        List<String> lines = new ArrayList<>();
        for (long time = 0; time < times; time++) {
            lines.add(deliver(message, isAnswered));
        }
        return lines(lines);
    }

    private String deliver(Sent each, boolean isAnswered) {
        SimCell to = cells.get(each.message.cellId());
        SimCell from = cells.get(each.from);
        return switch (each.message) {
            case Message.Applied(_, long txn) -> to.take(to.coordinator.applied(txn, each.from));
            case Message.Finished(_, List<Long> txns) -> {
                String done = to.take(to.coordinator.finished(txns, each.from));
                if (isAnswered) {
                    from.participant.told(txns);
                }
                yield done;
            }
            case Message.Resolve(_, long txn) -> {
                TransactionStep<CommitDecision> step = to.coordinator.resolve(txn);
                String asked = to.take(step);
                yield isAnswered
                        ? asked + "\n" + from.take(from.participant.outcome(txn, step.answer()))
                        : asked;
            }
            case Message.Confirm(_, long txn, long at) -> {
                String confirmed = to.take(to.participant.confirm(txn, at)) + "\n" + to.durable();
                yield isAnswered
                        ? confirmed
                                + "\n"
                                + from.take(from.coordinator.finished(List.of(txn), to.id))
                        : confirmed;
            }
        };
    }

    private String state() {
        return lines(cells.values().stream().map(SimCell::state).toList());
    }

    private static String lines(List<String> lines) {
        String all = String.join("\n", lines.stream().filter(each -> !each.isEmpty()).toList());
        return all.isEmpty() ? "nothing" : all;
    }

    private final class SimCell {
        final long id;
        Participant participant;
        Coordinator coordinator;
        final List<OfTransaction> log = new ArrayList<>();
        int durableRecords;

        /// What a reader could find: from transaction to timestamp.
        final Map<Long, Long> applied = new LinkedHashMap<>();

        final TreeSet<Long> held = new TreeSet<>();

        SimCell(long id) {
            this.id = id;
            participant = new Participant(ENDED);
            coordinator = new Coordinator(participant);
        }

        String prepare(DataDriven.Command command) {
            List<Long> others =
                    Arrays.stream(command.args().getOrDefault("others", "").split(","))
                            .filter(each -> !each.isEmpty())
                            .map(Long::valueOf)
                            .toList();
            boolean isWritten = !command.args().containsKey("read");
            return prepare(command.number("txn"), command.number("coordinator"), others, isWritten);
        }

        String prepare(long txn, long coordinatorId, List<Long> others, boolean isWritten) {
            newest = Math.max(newest, txn);
            PrepareResult repeated = participant.repeated(txn);
            if (repeated != null) {
                return "cell %d: answer %s".formatted(id, text(repeated));
            }
            List<TabletWrites> writes =
                    isWritten ? List.of(new TabletWrites(10 * id, List.of())) : List.of();
            var wanted =
                    new Preparation(txn, coordinatorId, others, writes, LockOwner.NOBODY, null);
            byte[] record = PreparedPart.commitRecord(wanted, id);
            PreparedPart part = PreparedPart.of(wanted, new ReadLocks(), record, id, now);
            return take(participant.prepare(part, Bytes.EMPTY));
        }

        String decide(long txn) {
            return take(coordinator.decide(txn, () -> ++timestamp, now));
        }

        String outcome(long txn, CommitDecision decision) {
            return take(participant.outcome(txn, decision));
        }

        String resolve(long txn) {
            return take(coordinator.resolve(txn));
        }

        String tick() {
            String asked = take(participant.tick(now - LEASE + 1));
            String confirmed = take(coordinator.tick(now - LEASE + 1));
            return Stream.of(asked, confirmed)
                    .filter(each -> !each.endsWith("nothing"))
                    .reduce((first, second) -> first + "\n" + second)
                    .orElse("");
        }

        /// Everything that was logged is durable now.
        String durable() {
            while (durableRecords < log.size()) {
                switch (log.get(durableRecords++)) {
                    case Decide decide -> coordinator.decisionDurable(decide.transactionId());
                    case Outcome(long txn, CommitDecision.Commit _, List<TabletWrites> writes)
                            when !writes.isEmpty() ->
                            participant.outcomeDurable(txn);
                    default -> {}
                }
            }
            return "cell %d: durable".formatted(id);
        }

        /// A new process finds the durable records.
        String crash() {
            log.subList(durableRecords, log.size()).clear();
            var open = new OpenTransactions();
            log.forEach(open::apply);
            applied.clear();
            held.clear();
            for (OfTransaction record : log) {
                switch (record) {
                    case Decide decide -> applied.put(decide.transactionId(), decide.timestamp());
                    case Outcome(long txn, CommitDecision.Commit(long at), var writes)
                            when !writes.isEmpty() ->
                            applied.put(txn, at);
                    default -> {}
                }
            }
            participant = new Participant(newest);
            coordinator = new Coordinator(participant);
            for (CellRecord.Prepare prepare : open.prepared()) {
                participant.restore(PreparedPart.restored(prepare, now));
                held.add(prepare.transactionId());
            }
            for (Decided decided : open.decided()) {
                coordinator.restore(decided, now);
            }
            List<String> asked = new ArrayList<>();
            for (Message message : participant.recover().messages()) {
                sent.add(new Sent(id, message));
                asked.add("send " + text(message));
            }
            return state() + (asked.isEmpty() ? "" : "; " + String.join(", ", asked));
        }

        /// Makes the changes of a step, and puts its messages on their way.
        String take(TransactionStep<?> step) {
            List<String> parts = new ArrayList<>();
            for (Change change : step.changes()) {
                parts.add(make(change));
                OfTransaction record = change.record();
                if (record != null) {
                    log.add(record);
                    parts.add("log " + text(record));
                }
            }
            step.everywhere().forEach(txn -> parts.add("everywhere %d".formatted(txn)));
            for (Message message : step.messages()) {
                sent.add(new Sent(id, message));
                parts.add("send " + text(message));
            }
            if (step.answer() != null) {
                parts.add("answer " + text(step.answer()));
            }
            return "cell %d: %s"
                    .formatted(id, parts.isEmpty() ? "nothing" : String.join(", ", parts));
        }

        private String make(Change change) {
            return switch (change) {
                case Change.Prepare(PreparedPart part, _) -> {
                    held.add(part.transactionId());
                    yield "hold " + part.transactionId();
                }
                case Change.Decided(PreparedPart part, long at) -> commit(part, at);
                case Change.Committed(PreparedPart part, long at) -> commit(part, at);
                case Change.Aborted(PreparedPart part) -> {
                    held.remove(part.transactionId());
                    yield "release " + part.transactionId();
                }
                case Change.Confirmed(long txn, _) -> "confirm " + txn;
                case Change.Forgotten(List<Long> txns) -> "forget " + txns;
            };
        }

        private String commit(PreparedPart part, long at) {
            held.remove(part.transactionId());
            if (part.writes().isEmpty()) {
                return "release " + part.transactionId();
            }
            if (applied.put(part.transactionId(), at) != null) {
                throw new AssertionError(part.transactionId() + " was applied twice");
            }
            return "apply %d at %d".formatted(part.transactionId(), at);
        }

        String state() {
            var open = new OpenTransactions();
            log.forEach(open::apply);
            return "cell %d: holds %s, has %s, remembers %s"
                    .formatted(
                            id,
                            held,
                            applied,
                            open.decided().stream().map(Decided::transactionId).toList());
        }
    }

    private static String text(OfTransaction record) {
        return switch (record) {
            case CellRecord.Prepare prepare -> "prepare " + prepare.transactionId();
            case Decide decide ->
                    "decide %d at %d for %s"
                            .formatted(
                                    decide.transactionId(),
                                    decide.timestamp(),
                                    decide.participants());
            case Outcome(long txn, CommitDecision decision, var writes) ->
                    "outcome %d %s%s"
                            .formatted(txn, text(decision), writes.isEmpty() ? "" : " with rows");
            case Forget(List<Long> txns) -> "forget " + txns;
            case CellRecord.Transactions _ -> throw new IllegalArgumentException();
        };
    }

    private static String text(Message message) {
        return switch (message) {
            case Message.Applied(long to, long txn) -> "to %d applied %d".formatted(to, txn);
            case Message.Finished(long to, List<Long> txns) ->
                    "to %d finished %s".formatted(to, txns);
            case Message.Resolve(long to, long txn) -> "to %d resolve %d".formatted(to, txn);
            case Message.Confirm(long to, long txn, long at) ->
                    "to %d confirm %d at %d".formatted(to, txn, at);
        };
    }

    private static String text(Object answer) {
        return switch (answer) {
            case PrepareResult.Ready _ -> "ready";
            case PrepareResult.Ended _ -> "ended";
            case DecideResult.Decided(long at) -> "decided " + at;
            case DecideResult.Refused _ -> "refused";
            case CommitDecision.Commit(long at) -> "commit " + at;
            case CommitDecision.Abort _ -> "abort";
            case CommitDecision.Unknown _ -> "unknown";
            default -> throw new IllegalArgumentException(answer.toString());
        };
    }
}
