package io.cleave.plan.range;

import io.cleave.plan.range.ComputedKey.Modulo;
import io.cleave.plan.range.ComputedKey.Step;
import io.cleave.plan.range.InferenceNote.Way;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/// Finds the ranges of one row. First it decides how many leading key columns have known values,
/// and how the values of computed columns are enumerated. Then it makes the ranges.
///
/// Threads: one.
final class RowWalk {
    private final List<Type> types;
    private final ColumnInterval[] row;
    private final long limit;
    private final boolean explains;
    private final List<InferenceNote> notes = new ArrayList<>();

    /// The columns that are computed for each candidate, in key order.
    private final List<ComputedKey> evaluated = new ArrayList<>();

    /// The columns whose remainders are enumerated, in key order.
    private final List<ComputedKey> remainders = new ArrayList<>();

    /// The sources that are enumerated, with the steps of all columns that use them.
    private final TreeMap<Integer, Source> sources = new TreeMap<>();

    /// The number of leading columns with known values.
    private int prefix;

    /// The estimated number of candidates; 0 if the row has no keys at all.
    private long candidates = 1;

    private static final class Source {
        private final QuotientWalk walk;
        private final Set<Step> steps = new LinkedHashSet<>();

        Source(QuotientWalk walk) {
            this.walk = walk;
        }
    }

    /// `limit` is the maximum number of candidates. `explains` says whether notes are made.
    RowWalk(
            List<Type> types,
            List<ComputedKey> computed,
            ColumnInterval[] row,
            long limit,
            boolean explains) {
        this.explains = explains;
        this.types = types;
        this.row = row;
        this.limit = limit;
        int next = 0;
        while (prefix < row.length) {
            boolean known;
            if (next < computed.size() && computed.get(next).column() == prefix) {
                known = takeComputed(computed.get(next++));
                if (candidates == 0) {
                    return;
                }
            } else {
                known = row[prefix].isExact();
                note(prefix, known ? Way.VALUE : row[prefix].isAll() ? Way.ANY : Way.RANGE, 1, 0);
            }
            if (!known) {
                break;
            }
            prefix++;
        }
        dropLastRemainders();
    }

    private void note(int column, Way way, long estimate, long otherwise) {
        if (explains) {
            notes.add(new InferenceNote(column, way, estimate, otherwise));
        }
    }

    List<InferenceNote> notes() {
        return notes;
    }

    /// The estimated number of candidates, unsigned.
    long candidates() {
        return candidates;
    }

    /// Decides how the values of a computed column are found. Returns false if they cannot be
    /// found.
    private boolean takeComputed(ComputedKey column) {
        long quotients = 1;
        boolean exact = true;
        // Most columns are computed from single values.
        Map<Integer, Source> found = Map.of();
        for (int source : column.sources()) {
            if (row[source].isExact()) {
                continue;
            }
            exact = false;
            if (!column.isEnumerable(source, types.get(source))) {
                quotients = Saturated.MOST;
                break;
            }
            Source before = sources.get(source);
            @Nullable QuotientWalk walk =
                    before != null
                            ? before.walk
                            : QuotientWalk.of((Primitive) types.get(source), row[source]);
            if (walk == null) {
                candidates = 0;
                return false;
            }
            var with = new Source(walk);
            if (before != null) {
                with.steps.addAll(before.steps);
            }
            for (Step step : column.steps(source)) {
                // A step that another column also needs is walked once for both.
                if (with.steps.add(step)) {
                    quotients = Saturated.product(quotients, walk.estimate(step.divisor()));
                }
            }
            if (found.isEmpty()) {
                found = new TreeMap<>();
            }
            found.put(source, with);
        }
        Modulo modulo = column.modulo();
        long count = modulo == null || row[column.column()].isExact() ? 0 : modulo.count();
        boolean byRemainder = count != 0 && Long.compareUnsigned(count, quotients) < 0;
        long estimate = byRemainder ? count : quotients;
        if (Long.compareUnsigned(estimate, limit / candidates) > 0) {
            boolean given = row[column.column()].isExact();
            note(
                    column.column(),
                    given
                            ? Way.GIVEN
                            : quotients == Saturated.MOST && count == 0
                                    ? Way.UNKNOWN
                                    : Way.TOO_MANY,
                    estimate,
                    byRemainder ? quotients : count);
            return given;
        }
        if (byRemainder) {
            remainders.add(column);
        } else {
            evaluated.add(column);
            sources.putAll(found);
        }
        candidates = Saturated.product(candidates, estimate);
        note(
                column.column(),
                byRemainder ? Way.REMAINDERS : exact ? Way.COMPUTED : Way.QUOTIENTS,
                estimate,
                byRemainder ? quotients : exact ? 0 : count);
        return true;
    }

    /// Removes the last columns from the prefix if their remainders are enumerated and the next
    /// column has no condition. One scan is then cheaper than a range for each remainder.
    private void dropLastRemainders() {
        if (prefix == row.length || !row[prefix].isAll()) {
            return;
        }
        int known = prefix;
        while (!remainders.isEmpty() && remainders.getLast().column() == prefix - 1) {
            remainders.removeLast();
            prefix--;
        }
        if (prefix < known) {
            notes.removeIf(note -> note.column() >= prefix);
            note(prefix, row[prefix].isAll() ? Way.ANY : Way.RANGE, 1, 0);
        }
    }

    void addRanges(RangeList ranges) {
        if (candidates == 0) {
            return;
        }
        var key = new Value[row.length];
        for (int column = 0; column < key.length; column++) {
            key[column] = row[column].isExact() ? row[column].value() : Value.Null.NULL;
        }
        List<Integer> enumerated = List.copyOf(sources.keySet());
        for (int source : enumerated) {
            Source each = Objects.requireNonNull(sources.get(source));
            key[source] = each.walk.restart(each.steps);
        }
        do {
            if (compute(key)) {
                addRemainders(ranges, key, 0);
            }
        } while (advance(enumerated, key));
    }

    /// Computes the columns that follow from the sources. Returns false if the predicate excludes
    /// the value of a column.
    private boolean compute(Value[] key) {
        for (ComputedKey column : evaluated) {
            int place = column.column();
            key[place] = column.value(key);
            if (!row[place].contains(types.get(place), key[place])) {
                return false;
            }
        }
        return true;
    }

    /// Moves to the next combination of values of the sources. The last source changes fastest.
    /// Returns false after the last combination.
    private boolean advance(List<Integer> enumerated, Value[] key) {
        for (int index = enumerated.size() - 1; index >= 0; index--) {
            int source = enumerated.get(index);
            QuotientWalk walk = Objects.requireNonNull(sources.get(source)).walk;
            Value next = walk.next();
            if (next != null) {
                key[source] = next;
                return true;
            }
            key[source] = walk.restart();
        }
        return false;
    }

    private void addRemainders(RangeList ranges, Value[] key, int index) {
        if (index == remainders.size()) {
            ColumnInterval last = prefix < row.length ? row[prefix] : ColumnInterval.ALL;
            ranges.add(key, prefix, last);
            return;
        }
        ComputedKey column = remainders.get(index);
        Modulo modulo = Objects.requireNonNull(column.modulo());
        addRemainder(ranges, key, index, modulo.value(Value.Null.NULL));
        for (long number = 0; number != modulo.count(); number++) {
            addRemainder(ranges, key, index, modulo.value(Value.of(modulo.least() + number)));
        }
    }

    private void addRemainder(RangeList ranges, Value[] key, int index, Value value) {
        int place = remainders.get(index).column();
        if (row[place].contains(types.get(place), value)) {
            key[place] = value;
            addRemainders(ranges, key, index + 1);
        }
    }
}
