package io.cleave.tablet.pace;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Decides which memtable of all cells is flushed next. A pure function of what is in memory. The
/// first rule that applies wins:
///
/// 1. A memtable that is already frozen, the oldest in its log first.
/// 2. A memtable that holds back too much of its cell's log. A tablet too small to be flushed for
///    its size keeps the whole log after its first row alive.
/// 3. A memtable that has had erases for too long. Files free their space only when the erases are
///    in files too.
/// 4. The largest memtable, if all together exceed the budget.
public final class FlushPicker {
    /// A tablet with rows in memory.
    ///
    /// @param activeBytes of memtables that need not be flushed yet
    /// @param frozen whether a memtable waits to be flushed
    /// @param heldBackBytes of log that is kept for its rows
    /// @param mostHeldBackBytes the limit of `heldBackBytes`
    /// @param erasesAgeMillis how long it has had erases in memory; 0 if it has none
    /// @param mostAgeMillis the limit of `erasesAgeMillis`
    public record Candidate(
            long cellId,
            long tabletId,
            long activeBytes,
            boolean frozen,
            long heldBackBytes,
            long mostHeldBackBytes,
            long erasesAgeMillis,
            long mostAgeMillis) {}

    public record Choice(Candidate candidate, String reason) {}

    private FlushPicker() {}

    static Optional<Choice> pick(List<Candidate> candidates, long budgetBytes) {
        return frozen(candidates)
                .or(() -> holdingBackMost(candidates))
                .or(() -> oldestErases(candidates))
                .or(() -> largest(candidates, budgetBytes));
    }

    private static Optional<Choice> frozen(List<Candidate> candidates) {
        return candidates.stream()
                .filter(Candidate::frozen)
                .max(Comparator.comparingLong(Candidate::heldBackBytes))
                .map(candidate -> new Choice(candidate, "frozen"));
    }

    private static Optional<Choice> holdingBackMost(List<Candidate> candidates) {
        return candidates.stream()
                .filter(candidate -> candidate.heldBackBytes() > candidate.mostHeldBackBytes())
                .max(Comparator.comparingLong(Candidate::heldBackBytes))
                .map(
                        candidate ->
                                new Choice(
                                        candidate,
                                        "holds back %d bytes of log, more than %d"
                                                .formatted(
                                                        candidate.heldBackBytes(),
                                                        candidate.mostHeldBackBytes())));
    }

    private static Optional<Choice> oldestErases(List<Candidate> candidates) {
        return candidates.stream()
                .filter(candidate -> candidate.erasesAgeMillis() > candidate.mostAgeMillis())
                .max(Comparator.comparingLong(Candidate::erasesAgeMillis))
                .map(
                        candidate ->
                                new Choice(
                                        candidate,
                                        "has had erases for %d ms, more than %d"
                                                .formatted(
                                                        candidate.erasesAgeMillis(),
                                                        candidate.mostAgeMillis())));
    }

    private static Optional<Choice> largest(List<Candidate> candidates, long budgetBytes) {
        long total = candidates.stream().mapToLong(Candidate::activeBytes).sum();
        if (total <= budgetBytes) {
            return Optional.empty();
        }
        return candidates.stream()
                .max(Comparator.comparingLong(Candidate::activeBytes))
                .map(
                        candidate ->
                                new Choice(
                                        candidate,
                                        "the largest, all have %d bytes of %d"
                                                .formatted(total, budgetBytes)));
    }
}
