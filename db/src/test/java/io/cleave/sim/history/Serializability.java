package io.cleave.sim.history;

import io.cleave.sim.history.Anomaly.Kind;
import io.cleave.sim.history.DependencyGraph.Dependency;
import io.cleave.sim.history.ListTransaction.Operation.Append;
import io.cleave.sim.history.ListTransaction.Operation.Read;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// Whether transactions over lists could have run one after the other, in an order in which each
/// that had ended comes before each that began later.
///
/// As in Elle: a list tells by itself in which order it was written, so who must come before whom
/// is known, and an order exists exactly if that has no circle. What is not known (whether a
/// transaction of unknown outcome has happened, which of two elements nobody has seen came first)
/// gives no dependency, so every anomaly that is found is one.
public final class Serializability {
    private final List<Anomaly> anomalies = new ArrayList<>();
    private final Map<Append, ListTransaction> writers = new HashMap<>();

    /// Those that have happened: committed, or unknown and then seen.
    private final Set<ListTransaction> happened = new HashSet<>();

    /// The longest that was read, of each list.
    private final Map<String, List<Long>> longest = new TreeMap<>();

    private final DependencyGraph graph = new DependencyGraph();

    private Serializability() {}

    /// Empty if all is well.
    public static List<Anomaly> check(List<ListTransaction> history) {
        var check = new Serializability();
        check.run(history);
        return check.anomalies;
    }

    private void run(List<ListTransaction> history) {
        for (ListTransaction transaction : history) {
            for (var operation : transaction.operations()) {
                if (operation instanceof Append append) {
                    writers.put(append, transaction);
                }
            }
        }
        findHappened(history);
        List<ListTransaction> known = history.stream().filter(happened::contains).toList();
        known.forEach(this::checkReads);
        known.forEach(this::checkInside);
        if (anomalies.isEmpty()) {
            addDependencies(known);
            graph.addRealTime(known);
            anomalies.addAll(graph.cycles());
        }
    }

    /// Aborted ones whose elements are read are found as [Kind#G1A].
    private void findHappened(List<ListTransaction> history) {
        for (ListTransaction transaction : history) {
            if (transaction.outcome() == Outcome.COMMITTED) {
                happened.add(transaction);
            }
        }
        // What an unknown one has read counts only if it has happened, and may show another.
        List<ListTransaction> toLookAt = new ArrayList<>(happened);
        while (!toLookAt.isEmpty()) {
            ListTransaction transaction = toLookAt.removeLast();
            for (var operation : transaction.operations()) {
                if (operation instanceof Read(String list, List<Long> elements)) {
                    for (long element : elements) {
                        ListTransaction writer = writer(list, element);
                        if (writer != null
                                && writer.outcome() == Outcome.UNKNOWN
                                && happened.add(writer)) {
                            toLookAt.add(writer);
                        }
                    }
                }
            }
        }
    }

    private void checkReads(ListTransaction reader) {
        for (var operation : reader.operations()) {
            if (operation instanceof Read read) {
                checkRead(reader, read);
            }
        }
    }

    private void checkRead(ListTransaction reader, Read read) {
        for (long element : read.elements()) {
            ListTransaction writer = writer(read.list(), element);
            if (writer == null) {
                found(Kind.GARBAGE, reader + " reads " + element + ", which nobody appended to it");
            } else if (writer.outcome() == Outcome.ABORTED) {
                found(Kind.G1A, reader + " reads " + element + " of " + writer + ", aborted");
            }
        }
        if (new HashSet<>(read.elements()).size() < read.elements().size()) {
            found(Kind.DUPLICATE, reader + " reads an element twice");
        }
        if (!read.elements().isEmpty()) {
            long last = read.elements().getLast();
            ListTransaction writer = writer(read.list(), last);
            if (writer != null && writer != reader && !isLastOf(writer, read.list(), last)) {
                found(Kind.G1B, reader + " reads " + last + " of " + writer + ", not its last");
            }
        }
        List<Long> known = longest.getOrDefault(read.list(), List.of());
        int common = Math.min(known.size(), read.elements().size());
        if (!known.subList(0, common).equals(read.elements().subList(0, common))) {
            found(Kind.INCOMPATIBLE, read.list() + " was " + known + " and " + read.elements());
        } else if (read.elements().size() > known.size()) {
            longest.put(read.list(), read.elements());
        }
    }

    private static boolean isLastOf(ListTransaction writer, String list, long element) {
        long last = element;
        for (var operation : writer.operations()) {
            if (operation instanceof Append(String to, long appended) && to.equals(list)) {
                last = appended;
            }
        }
        return last == element;
    }

    /// What a transaction has read and appended is what it reads next.
    private void checkInside(ListTransaction transaction) {
        Map<String, List<Long>> expected = new HashMap<>();
        Map<String, List<Long>> appended = new HashMap<>();
        for (var operation : transaction.operations()) {
            switch (operation) {
                case Append(String list, long element) -> {
                    add(appended, list, element);
                    if (expected.containsKey(list)) {
                        add(expected, list, element);
                    }
                }
                case Read(String list, List<Long> elements) -> {
                    List<Long> own = appended.getOrDefault(list, List.of());
                    boolean fits = expected.getOrDefault(list, elements).equals(elements);
                    if (!fits || !endsWith(elements, own)) {
                        found(Kind.INTERNAL, transaction + " does not see what it must in " + list);
                    }
                    expected.put(list, new ArrayList<>(elements));
                }
            }
        }
    }

    private static void add(Map<String, List<Long>> lists, String list, long element) {
        lists.computeIfAbsent(list, _ -> new ArrayList<>()).add(element);
    }

    private static boolean endsWith(List<Long> elements, List<Long> end) {
        int from = elements.size() - end.size();
        return from >= 0 && elements.subList(from, elements.size()).equals(end);
    }

    private void addDependencies(List<ListTransaction> known) {
        known.forEach(graph::add);
        longest.forEach(this::addWriteOrder);
        Map<String, List<ListTransaction>> unseen = unseenAppends(known);
        for (ListTransaction reader : known) {
            Map<String, List<Long>> firstReads = new LinkedHashMap<>();
            Set<String> own = new HashSet<>();
            for (var operation : reader.operations()) {
                switch (operation) {
                    case Append(String list, _) -> own.add(list);
                    case Read(String list, List<Long> elements) -> {
                        // A read after an append of its own is known from what it appended to.
                        if (!own.contains(list)) {
                            firstReads.putIfAbsent(list, elements);
                        }
                    }
                }
            }
            firstReads.forEach(
                    (list, elements) ->
                            addRead(reader, list, elements, unseen.getOrDefault(list, List.of())));
        }
    }

    private void addWriteOrder(String list, List<Long> order) {
        for (int index = 1; index < order.size(); index++) {
            ListTransaction first = writer(list, order.get(index - 1));
            graph.add(first, writer(list, order.get(index)), Dependency.WRITE);
        }
    }

    private void addRead(
            ListTransaction reader,
            String list,
            List<Long> elements,
            List<ListTransaction> unseenWriters) {
        if (!elements.isEmpty()) {
            graph.add(writer(list, elements.getLast()), reader, Dependency.READ);
        }
        List<Long> order = longest.getOrDefault(list, List.of());
        if (elements.size() < order.size()) {
            graph.add(reader, writer(list, order.get(elements.size())), Dependency.OVERWRITE);
        } else {
            // Nobody has seen them, so they come after everything that was seen.
            unseenWriters.forEach(writer -> graph.add(reader, writer, Dependency.OVERWRITE));
        }
    }

    private Map<String, List<ListTransaction>> unseenAppends(List<ListTransaction> known) {
        Map<String, List<ListTransaction>> unseen = new HashMap<>();
        Map<String, Set<Long>> seen = new HashMap<>();
        longest.forEach((list, elements) -> seen.put(list, new HashSet<>(elements)));
        for (ListTransaction transaction : known) {
            for (var operation : transaction.operations()) {
                if (operation instanceof Append(String list, long element)
                        && !seen.getOrDefault(list, Set.of()).contains(element)) {
                    unseen.computeIfAbsent(list, _ -> new ArrayList<>()).add(transaction);
                }
            }
        }
        return unseen;
    }

    private @Nullable ListTransaction writer(String list, long element) {
        return writers.get(new Append(list, element));
    }

    private void found(Kind kind, String story) {
        anomalies.add(new Anomaly(kind, story));
    }
}
