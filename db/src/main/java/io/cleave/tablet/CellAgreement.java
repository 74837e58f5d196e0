package io.cleave.tablet;

import io.cleave.log.Log;
import io.cleave.log.LogCursor;
import io.cleave.tablet.record.CellRecord.Decided;
import io.cleave.tablet.record.CellRecord.Forget;
import io.cleave.tablet.record.CellRecord.Prepare;
import io.cleave.tablet.record.RecordCodec;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// Checks after a replay that each cell has everything that the other cells know it had. A record
/// lost at the end of a log looks as if it had never been written. The loss is noticed if the
/// record was part of a multi-cell transaction. The rules are in docs/formats/cell.md.
public final class CellAgreement {
    private final Map<Long, Member> members = new TreeMap<>();
    private final List<Lost> found = new ArrayList<>();

    private record Member(long id, Log log, CellState state) {}

    /// A cell has lost its part of a transaction, and everything it logged after that.
    ///
    /// @param timestamp of the transaction
    /// @param log the name of the cell's log, for messages
    public record Lost(
            long cellId, long transactionId, long timestamp, String log, String knownBy) {
        public String text() {
            return ("cell %d has lost its part of transaction %d, and perhaps all after it: %s; the"
                            + " end of its log in %s is damaged or missing")
                    .formatted(cellId, transactionId, knownBy, log);
        }
    }

    private CellAgreement(Collection<Member> all) {
        all.forEach(member -> members.put(member.id, member));
    }

    /// Returns an empty list if the cells agree. Call it when all cells are open and nothing has
    /// been written yet.
    public static List<Lost> check(List<Cell> cells) {
        List<Lost> lost =
                new CellAgreement(
                                cells.stream()
                                        .map(
                                                cell ->
                                                        new Member(
                                                                cell.id(),
                                                                cell.log(),
                                                                cell.state()))
                                        .toList())
                        .run();
        if (!lost.isEmpty()) {
            // A process that was fenced while it started has read each log at a different time.
            cells.forEach(Cell::checkNotFenced);
        }
        return lost;
    }

    /// Checks images instead of open cells; the keys are the cells' ids.
    public static List<Lost> checkImages(Map<Long, CellImage> images) {
        List<Member> all = new ArrayList<>();
        images.forEach((id, image) -> all.add(new Member(id, image.log(), image.state())));
        return new CellAgreement(all).run();
    }

    private List<Lost> run() {
        for (Member member : members.values()) {
            checkReached(member);
            member.state.transactions().decided().forEach(each -> checkDecided(member, each));
        }
        checkForgotten();
        return found;
    }

    private void checkReached(Member member) {
        member.state
                .others()
                .byCell()
                .forEach(
                        (cellId, reached) -> {
                            Member other = members.get(cellId);
                            if (other != null && other.state.maxTimestamp() < reached.timestamp()) {
                                add(
                                        other,
                                        reached.transactionId(),
                                        reached.timestamp(),
                                        "cell %d has it as ended in all cells"
                                                .formatted(member.id));
                            }
                        });
    }

    private void checkDecided(Member coordinator, Decided decided) {
        for (long cellId : decided.participants()) {
            Member participant = members.get(cellId);
            if (participant != null
                    && participant.state.transactions().prepared(decided.transactionId()) == null
                    && participant.state.maxTimestamp() < decided.timestamp()) {
                add(
                        participant,
                        decided.transactionId(),
                        decided.timestamp(),
                        "cell %d has decided that it has happened".formatted(coordinator.id));
            }
        }
    }

    /// A transaction that is prepared in one cell and forgotten by its coordinator has lost its
    /// outcome. Logs are read again only if a prepared transaction has no decision, which is rare.
    private void checkForgotten() {
        Map<Long, Set<Long>> undecided = new TreeMap<>();
        for (Member member : members.values()) {
            for (Prepare prepare : member.state.transactions().prepared()) {
                Member coordinator = members.get(prepare.coordinatorId());
                long id = prepare.transactionId();
                if (coordinator != null && coordinator.state.transactions().decided(id) == null) {
                    undecided.computeIfAbsent(coordinator.id, _ -> new TreeSet<>()).add(id);
                }
            }
        }
        undecided.forEach(
                (coordinatorId, ids) -> {
                    Set<Long> forgotten = forgotten(coordinatorId, ids);
                    members.values().forEach(member -> addForgotten(member, forgotten));
                });
    }

    private void addForgotten(Member member, Set<Long> forgotten) {
        for (Prepare prepare : member.state.transactions().prepared()) {
            if (forgotten.contains(prepare.transactionId())) {
                add(
                        member,
                        prepare.transactionId(),
                        member.state.maxTimestamp(),
                        "cell %d knows that it has happened".formatted(prepare.coordinatorId()));
            }
        }
    }

    private Set<Long> forgotten(long coordinatorId, Set<Long> ids) {
        Set<Long> forgotten = new HashSet<>();
        Log log = Objects.requireNonNull(members.get(coordinatorId)).log;
        try (LogCursor cursor = log.read(log.firstPosition())) {
            while (cursor.next()) {
                if (RecordCodec.isForget(cursor.record())
                        && RecordCodec.decode(cursor.record())
                                instanceof Forget(List<Long> transactionIds)) {
                    transactionIds.stream().filter(ids::contains).forEach(forgotten::add);
                }
            }
        }
        return forgotten;
    }

    private void add(Member member, long transactionId, long timestamp, String knownBy) {
        boolean isKnown =
                found.stream()
                        .anyMatch(
                                lost ->
                                        lost.cellId == member.id
                                                && lost.transactionId == transactionId);
        if (!isKnown) {
            found.add(new Lost(member.id, transactionId, timestamp, member.log.name(), knownBy));
        }
    }
}
