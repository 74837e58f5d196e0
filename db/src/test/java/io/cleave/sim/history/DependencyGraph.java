package io.cleave.sim.history;

import io.cleave.sim.history.Anomaly.Kind;

import org.jgrapht.Graph;
import org.jgrapht.GraphPath;
import org.jgrapht.alg.connectivity.GabowStrongConnectivityInspector;
import org.jgrapht.alg.shortestpath.BFSShortestPath;
import org.jgrapht.graph.AsSubgraph;
import org.jgrapht.graph.DirectedPseudograph;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Which transaction must come before which, and why.
final class DependencyGraph {
    enum Dependency {
        /// The second wrote over what the first had written.
        WRITE("ww"),
        /// The second read what the first had written.
        READ("wr"),
        /// The second wrote over what the first had read.
        OVERWRITE("rw"),
        /// The first had ended when the second began.
        TIME("rt");

        private final String text;

        Dependency(String text) {
            this.text = text;
        }
    }

    /// A class, because each edge of a graph is another one.
    private static final class Edge {
        final Dependency why;

        Edge(Dependency why) {
            this.why = why;
        }
    }

    /// How a circle is called that has these dependencies and no others; worst first.
    private record Shape(
            Kind plain, Kind inTime, Set<Dependency> allowed, @Nullable Dependency one) {}

    private static final List<Shape> SHAPES =
            List.of(
                    new Shape(Kind.G0, Kind.G0_REALTIME, EnumSet.of(Dependency.WRITE), null),
                    new Shape(
                            Kind.G1C,
                            Kind.G1C_REALTIME,
                            EnumSet.of(Dependency.WRITE, Dependency.READ),
                            null),
                    new Shape(
                            Kind.G_SINGLE,
                            Kind.G_SINGLE_REALTIME,
                            EnumSet.of(Dependency.WRITE, Dependency.READ),
                            Dependency.OVERWRITE),
                    new Shape(
                            Kind.G2,
                            Kind.G2_REALTIME,
                            EnumSet.of(Dependency.WRITE, Dependency.READ, Dependency.OVERWRITE),
                            null));

    private final Graph<ListTransaction, Edge> graph = new DirectedPseudograph<>(null, null, false);

    void add(ListTransaction transaction) {
        graph.addVertex(transaction);
    }

    void add(@Nullable ListTransaction first, @Nullable ListTransaction second, Dependency why) {
        if (first != null && second != null && first != second) {
            graph.addEdge(first, second, new Edge(why));
        }
    }

    /// Of those that ended before another began, only the last need be said: the others ended
    /// before those began.
    void addRealTime(List<ListTransaction> transactions) {
        List<ListTransaction> byBegin = new ArrayList<>(transactions);
        byBegin.sort(Comparator.comparingLong(ListTransaction::began));
        List<ListTransaction> byEnd =
                new ArrayList<>(
                        transactions.stream()
                                .filter(each -> each.outcome() == Outcome.COMMITTED)
                                .toList());
        byEnd.sort(Comparator.comparingLong(ListTransaction::ended));
        List<ListTransaction> last = new ArrayList<>();
        int ended = 0;
        for (ListTransaction next : byBegin) {
            while (ended < byEnd.size() && byEnd.get(ended).ended() < next.began()) {
                ListTransaction one = byEnd.get(ended++);
                last.removeIf(earlier -> earlier.ended() < one.began());
                last.add(one);
            }
            last.forEach(earlier -> add(earlier, next, Dependency.TIME));
        }
    }

    /// One circle of the worst kind in each tangle of transactions.
    List<Anomaly> cycles() {
        List<Anomaly> found = new ArrayList<>();
        for (Set<ListTransaction> tangle : tangles()) {
            Anomaly worst = worst(new AsSubgraph<>(graph, tangle));
            if (worst != null) {
                found.add(worst);
            }
        }
        return found;
    }

    private List<Set<ListTransaction>> tangles() {
        return new GabowStrongConnectivityInspector<>(graph)
                .stronglyConnectedSets().stream().filter(set -> set.size() > 1).toList();
    }

    /// Without the order of time first: what is wrong without it is worse.
    private static @Nullable Anomaly worst(Graph<ListTransaction, Edge> tangle) {
        for (boolean inTime : new boolean[] {false, true}) {
            for (Shape shape : SHAPES) {
                Anomaly anomaly = find(tangle, shape, inTime);
                if (anomaly != null) {
                    return anomaly;
                }
            }
        }
        return null;
    }

    private static @Nullable Anomaly find(
            Graph<ListTransaction, Edge> tangle, Shape shape, boolean inTime) {
        Set<Dependency> allowed = EnumSet.copyOf(shape.allowed);
        if (inTime) {
            allowed.add(Dependency.TIME);
        }
        Set<Edge> edges = new LinkedHashSet<>();
        for (Edge edge : tangle.edgeSet()) {
            if (allowed.contains(edge.why)) {
                edges.add(edge);
            }
        }
        var ways = new AsSubgraph<>(tangle, tangle.vertexSet(), edges);
        var paths = new BFSShortestPath<>(ways);
        for (Edge edge : tangle.edgeSet()) {
            boolean closes = shape.one == null ? allowed.contains(edge.why) : edge.why == shape.one;
            if (closes) {
                ListTransaction from = tangle.getEdgeSource(edge);
                GraphPath<ListTransaction, Edge> back =
                        paths.getPath(tangle.getEdgeTarget(edge), from);
                if (back != null) {
                    Kind kind = inTime ? shape.inTime : shape.plain;
                    return new Anomaly(kind, story(from, edge, back));
                }
            }
        }
        return null;
    }

    private static String story(
            ListTransaction from, Edge edge, GraphPath<ListTransaction, Edge> back) {
        List<ListTransaction> stops = back.getVertexList();
        List<Edge> edges = back.getEdgeList();
        String rest =
                IntStream.range(0, edges.size())
                        .mapToObj(index -> arrow(edges.get(index)) + stops.get(index + 1))
                        .collect(Collectors.joining());
        return from + arrow(edge) + stops.getFirst() + rest;
    }

    private static String arrow(Edge edge) {
        return " -" + edge.why.text + "-> ";
    }
}
