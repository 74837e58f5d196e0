package io.cleave.balance;

import io.cleave.base.Bytes;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Collectors;

/// What to do with tablets of a table, or why to do nothing, with the figures it is based on.
public sealed interface Decision {
    Rule rule();

    /// The tablets it is about, in key order.
    List<Long> tabletIds();

    /// The keys it names, ascending.
    List<Bytes> keys();

    List<Figure> figures();

    /// In words, with keys as `keyText` prints them.
    String text(Function<Bytes, String> keyText);

    /// Splits a tablet at each of the keys.
    ///
    /// @param rejected the alternatives that were considered and not taken, in words
    record Split(
            long tabletId,
            List<Bytes> keys,
            Rule rule,
            List<Figure> figures,
            Optional<Opening> opening,
            List<String> rejected)
            implements Decision {
        public Split {
            keys = List.copyOf(keys);
            figures = List.copyOf(figures);
            rejected = List.copyOf(rejected);
        }

        @Override
        public List<Long> tabletIds() {
            return List.of(tabletId);
        }

        @Override
        public String text(Function<Bytes, String> keyText) {
            return "split tablet %d in %d at %s%s: %s"
                    .formatted(
                            tabletId,
                            keys.size() + 1,
                            names(keys, keyText),
                            opening.map(Opening::text).orElse(""),
                            join(figures));
        }
    }

    /// The tablet of a split ahead of growing keys that the keys will reach.
    ///
    /// @param end which of the new tablets it is
    /// @param cellId the cell it is moved to; empty if the bundle has no other cell
    record Opening(End end, OptionalLong cellId) {
        private String text() {
            return cellId.isEmpty()
                    ? ""
                    : ", the %s one in cell %d"
                            .formatted(
                                    switch (end) {
                                        case FIRST -> "first";
                                        case LAST -> "last";
                                    },
                                    cellId.getAsLong());
        }
    }

    /// An end of a list of tablets in key order.
    enum End {
        FIRST,
        LAST
    }

    /// Moves a tablet to another cell of its bundle.
    record Move(long tabletId, long fromCellId, long toCellId, Rule rule, List<Figure> figures)
            implements Decision {
        public Move {
            figures = List.copyOf(figures);
        }

        @Override
        public List<Long> tabletIds() {
            return List.of(tabletId);
        }

        @Override
        public List<Bytes> keys() {
            return List.of();
        }

        @Override
        public String text(Function<Bytes, String> keyText) {
            return "move tablet %d from cell %d to cell %d: %s"
                    .formatted(tabletId, fromCellId, toCellId, join(figures));
        }
    }

    /// Merges adjacent tablets into one.
    record Merge(List<Long> tabletIds, Rule rule, List<Figure> figures, List<String> rejected)
            implements Decision {
        public Merge {
            tabletIds = List.copyOf(tabletIds);
            figures = List.copyOf(figures);
            rejected = List.copyOf(rejected);
        }

        @Override
        public List<Bytes> keys() {
            return List.of();
        }

        @Override
        public String text(Function<Bytes, String> keyText) {
            return "merge tablets %s: %s".formatted(ids(tabletIds), join(figures));
        }
    }

    /// Replaces adjacent tablets by others: the first one begins where these tablets begin, and
    /// each other one at a key of `keys`.
    ///
    /// @param why what is wrong with the tablets, in words
    record Reshard(
            List<Long> tabletIds, List<Bytes> keys, Rule rule, List<Figure> figures, String why)
            implements Decision {
        public Reshard {
            tabletIds = List.copyOf(tabletIds);
            keys = List.copyOf(keys);
            figures = List.copyOf(figures);
        }

        @Override
        public String text(Function<Bytes, String> keyText) {
            return "reshard tablet%s %s into %d%s: %s; %s"
                    .formatted(
                            tabletIds.size() == 1 ? "" : "s",
                            ids(tabletIds),
                            keys.size() + 1,
                            keys.isEmpty() ? "" : " at " + names(keys, keyText),
                            join(figures),
                            why);
        }
    }

    /// Leaves a tablet unchanged, for the reason in `why`.
    record Leave(long tabletId, Rule rule, List<Figure> figures, List<Bytes> keys, String why)
            implements Decision {
        public Leave {
            figures = List.copyOf(figures);
            keys = List.copyOf(keys);
        }

        @Override
        public List<Long> tabletIds() {
            return List.of(tabletId);
        }

        @Override
        public String text(Function<Bytes, String> keyText) {
            return "leave tablet %d: %s%s%s"
                    .formatted(
                            tabletId,
                            figures.isEmpty() ? "" : join(figures) + "; ",
                            why,
                            keys.isEmpty() ? "" : ": " + names(keys, keyText));
        }
    }

    /// Tells the user about a problem with the table's keys, rows or settings.
    record Warn(long tabletId, Rule rule, List<Figure> figures, List<Bytes> keys, String advice)
            implements Decision {
        public Warn {
            figures = List.copyOf(figures);
            keys = List.copyOf(keys);
        }

        @Override
        public List<Long> tabletIds() {
            return List.of(tabletId);
        }

        @Override
        public String text(Function<Bytes, String> keyText) {
            return "tablet %d: %s%s: %s; %s"
                    .formatted(
                            tabletId,
                            rule.text(),
                            keys.isEmpty() ? "" : " " + names(keys, keyText),
                            join(figures),
                            advice);
        }
    }

    private static String join(List<Figure> figures) {
        return figures.stream().map(Figure::text).collect(Collectors.joining(", "));
    }

    private static String names(List<Bytes> keys, Function<Bytes, String> keyText) {
        return keys.stream()
                .map(key -> "(" + keyText.apply(key) + ")")
                .collect(Collectors.joining(", "));
    }

    private static String ids(List<Long> tabletIds) {
        return tabletIds.stream().map(String::valueOf).collect(Collectors.joining(", "));
    }
}
