package io.cleave.schema;

import io.cleave.base.Bytes;
import io.cleave.base.Check;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/// The states of a table's keys. States belong to key ranges and not to tablets, so the tablets of
/// a split, a merge or a move keep the state of their keys.
///
/// Invariants: the first part begins at the empty key; parts are in key order; neighbours have
/// different states.
public record MountStates(List<Part> parts) {
    public static final MountStates MOUNTED = of(MountState.MOUNTED);

    /// The state of the keys from `from` up to the next part.
    public record Part(Bytes from, MountState state) {}

    public MountStates {
        parts = List.copyOf(parts);
        Check.that(
                !parts.isEmpty() && parts.getFirst().from().isEmpty(),
                "the states do not begin at the first key");
    }

    public static MountStates of(MountState state) {
        return new MountStates(List.of(new Part(Bytes.EMPTY, state)));
    }

    public boolean all(Predicate<MountState> holds) {
        return parts.stream().allMatch(part -> holds.test(part.state()));
    }

    public MountState at(Bytes key) {
        return parts.get(indexOf(key)).state();
    }

    /// The first key of the range for which `holds` is false.
    public Optional<Bytes> firstNot(Predicate<MountState> holds, KeyRange range) {
        for (int index = indexOf(range.from()); index < parts.size(); index++) {
            Part part = parts.get(index);
            Bytes from = part.from().compareTo(range.from()) > 0 ? part.from() : range.from();
            if (!range.contains(from)) {
                return Optional.empty();
            }
            if (!holds.test(part.state())) {
                return Optional.of(from);
            }
        }
        return Optional.empty();
    }

    /// These states with another state for the keys of the range.
    public MountStates with(KeyRange range, MountState state) {
        return with(range, _ -> state);
    }

    /// These states, with those of the keys of the range changed.
    public MountStates with(KeyRange range, UnaryOperator<MountState> change) {
        List<Part> changed = new ArrayList<>();
        for (int index = 0; index < parts.size(); index++) {
            Part part = parts.get(index);
            @Nullable Bytes to = index + 1 < parts.size() ? parts.get(index + 1).from() : null;
            KeyRange inside = new KeyRange(part.from(), to).intersection(range);
            if (inside.isEmpty()) {
                add(changed, part);
                continue;
            }
            if (part.from().compareTo(inside.from()) < 0) {
                add(changed, part);
            }
            add(changed, new Part(inside.from(), change.apply(part.state())));
            Bytes rest = inside.to();
            if (rest != null && (to == null || rest.compareTo(to) < 0)) {
                add(changed, new Part(rest, part.state()));
            }
        }
        return new MountStates(changed);
    }

    private static void add(List<Part> parts, Part part) {
        if (parts.isEmpty() || parts.getLast().state() != part.state()) {
            parts.add(part);
        }
    }

    private int indexOf(Bytes key) {
        int low = 0;
        int high = parts.size() - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (parts.get(middle).from().compareTo(key) <= 0) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }
}
