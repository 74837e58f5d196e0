package io.cleave.balance;

import io.cleave.base.Bytes;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/// What is to be done with tablets of a table, or why nothing is, and the figures it goes by.
public sealed interface Decision {
    Rule rule();

    /// Those it is about, in key order.
    List<Long> tabletIds();

    /// The keys it names, ascending.
    List<Bytes> keys();

    List<Figure> figures();

    /// In words, with keys as `keyText` prints them.
    String text(Function<Bytes, String> keyText);

    /// Cuts a tablet at each of the keys.
    ///
    /// @param rejected what was looked at and not taken, in words
    record Split(
            long tabletId,
            List<Bytes> keys,
            Rule rule,
            List<Figure> figures,
            Placement placement,
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
            return "split tablet %d in %d at %s: %s"
                    .formatted(tabletId, keys.size() + 1, names(keys, keyText), join(figures));
        }
    }

    /// Where the tablets are that come of a split.
    enum Placement {
        STAY,
        /// The last of them goes to another cell, if there is one.
        LAST_ELSEWHERE,
        /// The first of them does.
        FIRST_ELSEWHERE
    }

    /// Makes one tablet of neighbours.
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

    /// A tablet that is large or hot stays as it is.
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
            return "leave tablet %d: %s; %s%s"
                    .formatted(
                            tabletId,
                            join(figures),
                            why,
                            keys.isEmpty() ? "" : ": " + names(keys, keyText));
        }
    }

    /// Something its user should know.
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
