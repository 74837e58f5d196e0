package io.cleave.sim.history;

import io.cleave.sim.history.RegisterOperation.Action;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/// Whether the operations on one register can be put in an order in which each read finds what was
/// written last, and each operation takes its place between its begin and its end. A search in the
/// manner of Wing and Gong, which remembers what it has tried (Lowe).
///
/// An operation of unknown outcome may take its place at any time after its begin, or never.
public final class Linearizability {
    /// In the order of their begins.
    private final List<RegisterOperation> operations;

    /// Which have been placed, and what the register then held: where the search has been in vain.
    private final Set<State> tried = new HashSet<>();

    private record State(BitSet placed, @Nullable String value) {}

    private Linearizability(List<RegisterOperation> operations) {
        this.operations = operations;
    }

    /// Empty if there is such an order; else what could not be placed. `initial` is what the
    /// register held at first.
    public static Optional<String> check(
            @Nullable String initial, List<RegisterOperation> history) {
        Set<String> seen = new HashSet<>();
        for (RegisterOperation operation : history) {
            switch (operation.action()) {
                case Action.Read(String found) -> addIfPresent(seen, found);
                case Action.Swap(String expected, _) -> addIfPresent(seen, expected);
                case Action.Write _ -> {}
            }
        }
        List<RegisterOperation> relevant = new ArrayList<>();
        for (RegisterOperation operation : history) {
            if (operation.outcome() != Outcome.ABORTED && !isIdle(operation, seen)) {
                relevant.add(operation);
            }
        }
        relevant.sort(Comparator.comparingLong(RegisterOperation::began));
        var check = new Linearizability(relevant);
        int deepest = check.search(initial);
        return deepest < 0
                ? Optional.empty()
                : Optional.of(
                        "no order for these, of which %d can be placed: %s"
                                .formatted(deepest, relevant));
    }

    /// One that may have happened, and if so nobody has noticed.
    private static boolean isIdle(RegisterOperation operation, Set<String> seen) {
        return operation.outcome() == Outcome.UNKNOWN
                && switch (operation.action()) {
                    case Action.Read _ -> true;
                    case Action.Write(String value) -> value != null && !seen.contains(value);
                    case Action.Swap(_, String value) -> value != null && !seen.contains(value);
                };
    }

    private static void addIfPresent(Set<String> seen, @Nullable String value) {
        if (value != null) {
            seen.add(value);
        }
    }

    /// One operation that was placed, to be taken back when nothing follows it.
    private record Placed(int index, @Nullable String before) {}

    /// -1 if all that must be placed can be; else the most that could.
    private int search(@Nullable String initial) {
        var placed = new BitSet();
        List<Placed> path = new ArrayList<>();
        String value = initial;
        int next = 0;
        int deepest = 0;
        while (!isDone(placed)) {
            int found = candidate(placed, value, next);
            if (found >= 0) {
                String after = after(operations.get(found), value);
                placed.set(found);
                if (tried.add(new State((BitSet) placed.clone(), after))) {
                    path.add(new Placed(found, value));
                    deepest = Math.max(deepest, path.size());
                    value = after;
                    next = 0;
                } else {
                    placed.clear(found);
                    next = found + 1;
                }
            } else if (path.isEmpty()) {
                return deepest;
            } else {
                Placed last = path.removeLast();
                placed.clear(last.index);
                value = last.before;
                next = last.index + 1;
            }
        }
        return -1;
    }

    private boolean isDone(BitSet placed) {
        for (int index = placed.nextClearBit(0);
                index < operations.size();
                index = placed.nextClearBit(index + 1)) {
            if (operations.get(index).outcome() == Outcome.COMMITTED) {
                return false;
            }
        }
        return true;
    }

    /// The first from `from` on that may come next: nothing that is not placed ended before it
    /// began, and it fits the value.
    private int candidate(BitSet placed, @Nullable String value, int from) {
        long firstEnd = Long.MAX_VALUE;
        for (int index = placed.nextClearBit(0);
                index < operations.size();
                index = placed.nextClearBit(index + 1)) {
            if (operations.get(index).outcome() == Outcome.COMMITTED) {
                firstEnd = Math.min(firstEnd, operations.get(index).ended());
            }
        }
        for (int index = placed.nextClearBit(from);
                index < operations.size() && operations.get(index).began() < firstEnd;
                index = placed.nextClearBit(index + 1)) {
            if (fits(operations.get(index), value)) {
                return index;
            }
        }
        return -1;
    }

    private static boolean fits(RegisterOperation operation, @Nullable String value) {
        return switch (operation.action()) {
            case Action.Read(String found) -> Objects.equals(found, value);
            case Action.Write _ -> true;
            case Action.Swap(String expected, _) -> Objects.equals(expected, value);
        };
    }

    private static @Nullable String after(RegisterOperation operation, @Nullable String value) {
        return switch (operation.action()) {
            case Action.Read _ -> value;
            case Action.Write(String written) -> written;
            case Action.Swap(_, String written) -> written;
        };
    }
}
