package io.cleave.plan;

import io.cleave.base.Bytes;
import io.cleave.schema.KeyRange;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// A set of encoded keys, or of encoded values of one key column. The spans are ascending and do
/// not overlap.
public record KeySpans(List<Span> spans) {
    /// From `from` (inclusive) to `to` (exclusive, null for the end). A `point` is a single value,
    /// with all keys that begin with it.
    public record Span(Bytes from, @Nullable Bytes to, boolean point) {
        public KeyRange range() {
            return new KeyRange(from, to);
        }

        private boolean isEmpty() {
            return to != null && from.compareTo(to) >= 0;
        }
    }

    public static final KeySpans NONE = new KeySpans(List.of());
    public static final KeySpans ALL = new KeySpans(List.of(new Span(Bytes.EMPTY, null, false)));

    public KeySpans {
        spans = List.copyOf(spans);
    }

    public static KeySpans of(Span span) {
        return span.isEmpty() ? NONE : new KeySpans(List.of(span));
    }

    public boolean isAll() {
        return spans.size() == 1
                && spans.getFirst().from().isEmpty()
                && spans.getFirst().to() == null;
    }

    public boolean arePoints() {
        for (Span span : spans) {
            if (!span.point()) {
                return false;
            }
        }
        return true;
    }

    /// The union of the spans, which may be in any order.
    public static KeySpans union(List<Span> spans) {
        List<Span> sorted = new ArrayList<>(spans);
        sorted.sort(Comparator.comparing(Span::from));
        List<Span> merged = new ArrayList<>(sorted.size());
        for (Span span : sorted) {
            Span last = merged.isEmpty() ? null : merged.getLast();
            if (last == null || (last.to() != null && last.to().compareTo(span.from()) <= 0)) {
                merged.add(span);
            } else {
                merged.set(merged.size() - 1, hull(last, span));
            }
        }
        return new KeySpans(merged);
    }

    public KeySpans union(KeySpans other) {
        List<Span> all = new ArrayList<>(spans);
        all.addAll(other.spans);
        return union(all);
    }

    public KeySpans intersection(KeySpans other) {
        if (isAll()) {
            return other;
        }
        if (other.isAll()) {
            return this;
        }
        List<Span> common = new ArrayList<>();
        int mine = 0;
        int theirs = 0;
        while (mine < spans.size() && theirs < other.spans.size()) {
            Span left = spans.get(mine);
            Span right = other.spans.get(theirs);
            Span both = intersection(left, right);
            if (!both.isEmpty()) {
                common.add(both);
            }
            if (compareEnds(left.to(), right.to()) <= 0) {
                mine++;
            } else {
                theirs++;
            }
        }
        return new KeySpans(common);
    }

    private static Span intersection(Span left, Span right) {
        Bytes from = left.from().compareTo(right.from()) >= 0 ? left.from() : right.from();
        Bytes to = compareEnds(left.to(), right.to()) <= 0 ? left.to() : right.to();
        return new Span(from, to, left.point() || right.point());
    }

    /// The smallest span that contains two overlapping spans. The left one must begin first.
    private static Span hull(Span left, Span right) {
        Bytes to = compareEnds(left.to(), right.to()) >= 0 ? left.to() : right.to();
        return new Span(left.from(), to, left.point() && right.point());
    }

    private static int compareEnds(@Nullable Bytes left, @Nullable Bytes right) {
        if (left == null || right == null) {
            return Boolean.compare(left == null, right == null);
        }
        return left.compareTo(right);
    }
}
