package io.cleave.analysis;

import io.cleave.base.Issue.Position;
import io.cleave.yql.Expression;
import io.cleave.yql.Query.GroupKey;
import io.cleave.yql.Query.Grouping;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// The distinct keys of a GROUP BY and the sets of keys that it groups by. Without ROLLUP, CUBE and
/// GROUPING SETS there is one set with all keys.
final class GroupingSets {
    /// The limit of YDB.
    private static final int MAX_SETS = 64;

    private static final int MAX_CUBE = 5;

    private static final String POSITION = "Position\\[row=\\d+, column=\\d+\\]";

    private final List<GroupKey> keys = new ArrayList<>();
    private final List<String> texts = new ArrayList<>();
    private final List<Set<Integer>> sets;
    private final boolean keysOnly;

    GroupingSets(List<Grouping> groupBy) {
        keysOnly = groupBy.stream().allMatch(GroupKey.class::isInstance);
        sets = combined(groupBy);
    }

    List<GroupKey> keys() {
        return keys;
    }

    /// All keys that are written in a GROUP BY, duplicates included.
    static List<GroupKey> keys(List<Grouping> elements) {
        List<GroupKey> keys = new ArrayList<>();
        for (Grouping element : elements) {
            switch (element) {
                case GroupKey key -> keys.add(key);
                case Grouping.Rollup rollup -> keys.addAll(rollup.keys());
                case Grouping.Cube cube -> keys.addAll(cube.keys());
                case Grouping.Keys set -> keys.addAll(set.keys());
                case Grouping.Sets inner -> keys.addAll(keys(inner.elements()));
            }
        }
        return keys;
    }

    /// The grouping sets, as sets of key numbers.
    List<Set<Integer>> sets() {
        return sets;
    }

    /// Whether there is no ROLLUP, CUBE or GROUPING SETS.
    boolean areKeysOnly() {
        return keysOnly;
    }

    /// Whether there is one grouping set and it contains all keys.
    boolean isPlain() {
        return sets.size() == 1 && sets.getFirst().size() == keys.size();
    }

    /// The expression without its positions, so that equal expressions have equal texts.
    static String text(Expression expression) {
        return expression.toString().replaceAll(POSITION, "");
    }

    private List<Set<Integer>> combined(List<Grouping> elements) {
        List<Set<Integer>> result = List.of(Set.of());
        for (Grouping element : elements) {
            List<Set<Integer>> next = new ArrayList<>();
            for (Set<Integer> own : sets(element)) {
                for (Set<Integer> before : result) {
                    var both = new TreeSet<>(before);
                    both.addAll(own);
                    next.add(both);
                }
            }
            if (next.size() > MAX_SETS) {
                throw AnalysisContext.error(
                        place(elements),
                        "Unable to GROUP BY more than %d groups, you try use %d groups"
                                .formatted(MAX_SETS, next.size()));
            }
            result = next;
        }
        return result;
    }

    private static Position place(List<Grouping> elements) {
        return switch (elements.getFirst()) {
            case GroupKey key -> key.key().at();
            case Grouping.Rollup rollup -> rollup.keys().getFirst().key().at();
            case Grouping.Cube cube -> cube.at();
            case Grouping.Keys set when !set.keys().isEmpty() -> set.keys().getFirst().key().at();
            case Grouping.Keys _ -> place(elements.subList(1, elements.size()));
            case Grouping.Sets inner -> place(inner.elements());
        };
    }

    private List<Set<Integer>> sets(Grouping element) {
        List<Set<Integer>> result = new ArrayList<>();
        switch (element) {
            case GroupKey key -> result.add(Set.of(number(key)));
            case Grouping.Rollup(List<GroupKey> columns) -> {
                List<Integer> numbers = columns.stream().map(this::number).toList();
                for (int size = numbers.size(); size >= 0; size--) {
                    result.add(new TreeSet<>(numbers.subList(0, size)));
                }
            }
            case Grouping.Cube(Position at, List<GroupKey> columns) ->
                    cube(at, columns.stream().map(this::number).toList(), result);
            case Grouping.Keys(List<GroupKey> columns) ->
                    result.add(new TreeSet<>(columns.stream().map(this::number).toList()));
            case Grouping.Sets(List<Grouping> elements) ->
                    elements.forEach(inner -> result.addAll(sets(inner)));
        }
        return result;
    }

    /// Adds all subsets, from the full set to the empty one.
    private static void cube(Position at, List<Integer> numbers, List<Set<Integer>> result) {
        if (numbers.size() > MAX_CUBE) {
            throw AnalysisContext.error(
                    at,
                    "GROUP BY CUBE is allowed only for %d columns, but you use %d"
                            .formatted(MAX_CUBE, numbers.size()));
        }
        for (int absent = 0; absent < 1 << numbers.size(); absent++) {
            var set = new TreeSet<Integer>();
            for (int index = 0; index < numbers.size(); index++) {
                boolean here = (absent >> (numbers.size() - 1 - index) & 1) == 0;
                if (here) {
                    set.add(numbers.get(index));
                }
            }
            result.add(set);
        }
    }

    private int number(GroupKey key) {
        String text = text(key.key());
        for (int index = 0; index < keys.size(); index++) {
            boolean sameName = key.alias().isEmpty() || key.alias().equals(keys.get(index).alias());
            if (texts.get(index).equals(text) && sameName) {
                return index;
            }
        }
        keys.add(key);
        texts.add(text);
        return keys.size() - 1;
    }
}
