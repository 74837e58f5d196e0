package io.cleave.tablet;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Decides which memtable of all cells is flushed next: a function of what is in memory.
///
/// 1. One that was frozen already, the oldest in its log first.
/// 2. One that holds back too much of its cell's log: a small tablet that nobody would flush for
///    its size keeps everything behind its first row alive.
/// 3. One that has had erases for too long: files give up their space only when these have come to
///    files, too.
/// 4. The largest, when all together are more than the budget.
final class FlushPicker {
    /// A tablet with something in memory.
    ///
    /// @param activeBytes of memtables that need not be flushed yet
    /// @param frozen whether a memtable waits to be flushed
    /// @param heldBackBytes of log, kept for its rows
    /// @param mostHeldBackBytes more are too much
    /// @param erasesAgeMillis since when it has erases in memory; 0 if it has none
    /// @param mostAgeMillis longer is too long
    record Candidate(
            long cellId,
            long tabletId,
            long activeBytes,
            boolean frozen,
            long heldBackBytes,
            long mostHeldBackBytes,
            long erasesAgeMillis,
            long mostAgeMillis) {}

    record Choice(Candidate candidate, String reason) {}

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
