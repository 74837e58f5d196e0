package io.cleave.analysis;

import io.cleave.base.Issue.Position;
import io.cleave.function.aggregate.Aggregates;
import io.cleave.function.aggregate.AggregationFactories;
import io.cleave.function.aggregate.WindowAggregate;
import io.cleave.function.aggregate.WindowFunctions;
import io.cleave.function.call.Dialect;
import io.cleave.function.call.Suggestion;
import io.cleave.typed.AggregateFunction;
import io.cleave.typed.Relation;
import io.cleave.typed.Relation.SortKey;
import io.cleave.typed.Typed;
import io.cleave.typed.TypedTree;
import io.cleave.typed.WindowCall;
import io.cleave.typed.WindowFrame;
import io.cleave.typed.WindowFrame.RangeKey;
import io.cleave.value.Ints;
import io.cleave.value.Type;
import io.cleave.yql.Expression;
import io.cleave.yql.Expression.FrameEdge;
import io.cleave.yql.Expression.FrameUnit;
import io.cleave.yql.Query.NamedWindow;
import io.cleave.yql.Query.Order;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The windows of one SELECT. It collects the calls with OVER of the SELECT list. Calls over
/// windows with equal PARTITION BY and ORDER BY share one sort.
///
/// The number of columns below the windows is known only when the whole list has been analyzed.
/// Until then the results are numbered from [#PROVISIONAL]; [#placed] replaces these numbers by the
/// final positions.
final class Windows {
    private static final int PROVISIONAL = 1 << 24;

    private record Window(List<Typed> partition, List<SortKey> order, List<WindowCall> calls) {}

    /// A SessionWindow call and the other keys of its PARTITION BY.
    private record Session(Expression.Call call, List<Typed> partition) {}

    /// The functions that read the session of a row.
    private static final Map<String, Integer> SESSION_ITEMS =
            Map.of("sessionstart", SessionWindows.KEY, "sessionstate", SessionWindows.STATE);

    private final Map<Session, Typed> sessions = new HashMap<>();

    private final Map<String, Expression.Window> named = new HashMap<>();

    /// The aliases in PARTITION BY of the named windows.
    private final Map<String, Expression> partitionKeys = new HashMap<>();

    private final List<Window> windows = new ArrayList<>();

    /// For each call, in order: the index of its window and its index in that window.
    private final List<int[]> places = new ArrayList<>();

    /// Whether the parts of a call are being analyzed, where no other call is allowed.
    private boolean inCall;

    Windows(List<NamedWindow> definitions) {
        for (NamedWindow definition : definitions) {
            if (named.put(definition.name(), definition.window()) != null) {
                throw AnalysisContext.error(
                        definition.at(), "Window " + definition.name() + " is defined twice");
            }
            for (Expression.Argument key : definition.window().partition()) {
                key.name().ifPresent(name -> partitionKeys.putIfAbsent(name, key.value()));
            }
        }
    }

    /// The value of an alias from PARTITION BY. It is a value of the row wherever window functions
    /// are allowed.
    Optional<Expression> partitionKey(Optional<String> source, String name) {
        return source.isPresent() ? Optional.empty() : Optional.ofNullable(partitionKeys.get(name));
    }

    boolean isEmpty() {
        return windows.isEmpty();
    }

    /// Analyzes a call with OVER. Its arguments and its window are resolved in `scope`.
    Typed call(Expression.Call given, BaseScope scope) {
        if (inCall) {
            throw AnalysisContext.error(
                    given.at(),
                    "Window function "
                            + given.name()
                            + " can not be used in the call of another one; compute it in a"
                            + " subquery");
        }
        inCall = true;
        try {
            return analyze(given, scope);
        } finally {
            inCall = false;
        }
    }

    private Typed analyze(Expression.Call given, BaseScope scope) {
        if (AggregationFactories.isMulti(given.name())) {
            throw AnalysisContext.unsupported(given.at(), given.name() + " over a window");
        }
        Expression.Call call = AggregationFactories.resolved(given, scope);
        Expression.Window written = resolved(call.over().orElseThrow(), new ArrayList<>());
        List<Typed> partition = new ArrayList<>();
        Optional<Expression.Call> sessionKey = Optional.empty();
        for (Expression.Argument key : written.partition()) {
            Optional<Expression.Call> found = SessionWindows.call(key.value());
            if (found.isEmpty()) {
                partition.add(
                        QueryAnalyzer.partKey(key.value().at(), scope.analyze(key.value()))
                                .value());
            } else if (sessionKey.isPresent()) {
                throw AnalysisContext.error(
                        found.get().at(), "Duplicate session window specification");
            } else {
                sessionKey = found;
            }
        }
        Optional<Typed> session =
                sessionKey.map(key -> session(key, List.copyOf(partition), scope));
        if (call.module().isEmpty() && SESSION_ITEMS.containsKey(call.plainName())) {
            return sessionItem(call, session);
        }
        session.ifPresent(s -> partition.add(SessionWindows.item(s, SessionWindows.NUMBER_ITEM)));
        List<SortKey> order = new ArrayList<>();
        for (Order key : written.order()) {
            order.add(
                    QueryAnalyzer.sortKey(
                            key.key().at(), scope.analyze(key.key()), key.descending()));
        }
        WindowFrame frame = frame(written, order, scope);
        List<Typed> arguments =
                call.arguments().stream().map(a -> scope.analyze(a.value())).toList();
        WindowCall typed = typed(call, written.ignoreNulls(), arguments, frame);
        return add(typed, partition, order);
    }

    private Typed add(WindowCall call, List<Typed> partition, List<SortKey> order) {
        int window = window(partition, order);
        List<WindowCall> calls = windows.get(window).calls();
        calls.add(call);
        places.add(new int[] {window, calls.size() - 1});
        return new Typed.Input(call.type(), PROVISIONAL + places.size() - 1);
    }

    /// The session of each row, computed by a separate window below the others. That window is
    /// ordered by the time of the sessions, independently of the order of the window that uses
    /// them.
    private Typed session(Expression.Call call, List<Typed> partition, BaseScope scope) {
        if (!(scope instanceof RowScope rows)) {
            throw AnalysisContext.unsupported(call.at(), "SessionWindow over groups");
        }
        var session = new Session(call, partition);
        Typed known = sessions.get(session);
        if (known == null) {
            Typed time = SessionWindows.time(call, scope);
            known =
                    add(
                            SessionWindows.sessions(call, time, rows),
                            partition,
                            List.of(QueryAnalyzer.sortKey(call.at(), time, false)));
            sessions.put(session, known);
        }
        return known;
    }

    private static Typed sessionItem(Expression.Call call, Optional<Typed> session) {
        if (!call.arguments().isEmpty()) {
            throw AnalysisContext.error(call.at(), call.name() + " requires exactly 0 arguments");
        }
        int item = SESSION_ITEMS.getOrDefault(call.plainName(), SessionWindows.KEY);
        return session.map(s -> SessionWindows.item(s, item))
                .orElseThrow(
                        () ->
                                AnalysisContext.error(
                                        call.at(),
                                        call.name()
                                                + " can not be used with a window without"
                                                + " SessionWindow in PARTITION BY"));
    }

    /// The window merged with the named window that it refers to.
    private Expression.Window resolved(Expression.Window window, List<String> seen) {
        if (window.name().isEmpty()) {
            return window;
        }
        String name = window.name().get();
        Expression.Window base = named.get(name);
        if (base == null) {
            throw AnalysisContext.error(
                    window.at(),
                    "Unable to find window with name: "
                            + name
                            + "."
                            + Suggestion.of(name, List.copyOf(named.keySet())));
        }
        if (seen.contains(name)) {
            throw AnalysisContext.error(window.at(), "Window " + name + " refers to itself");
        }
        seen.add(name);
        Expression.Window below = resolved(base, seen);
        refuseTwice(window.at(), "PARTITION BY", window.partition(), below.partition());
        refuseTwice(window.at(), "ORDER BY", window.order(), below.order());
        return new Expression.Window(
                window.at(),
                Optional.empty(),
                window.partition().isEmpty() ? below.partition() : window.partition(),
                window.order().isEmpty() ? below.order() : window.order(),
                window.frame().or(below::frame),
                window.ignoreNulls());
    }

    private static void refuseTwice(Position at, String clause, List<?> own, List<?> below) {
        if (!own.isEmpty() && !below.isEmpty()) {
            throw AnalysisContext.error(at, "The named window already has its own " + clause);
        }
    }

    private int window(List<Typed> partition, List<SortKey> order) {
        for (int index = 0; index < windows.size(); index++) {
            Window window = windows.get(index);
            if (window.partition().equals(partition) && window.order().equals(order)) {
                return index;
            }
        }
        windows.add(new Window(partition, order, new ArrayList<>()));
        return windows.size() - 1;
    }

    private static WindowFrame frame(
            Expression.Window window, List<SortKey> order, BaseScope scope) {
        if (window.frame().isEmpty()) {
            return window.order().isEmpty()
                    ? WindowFrame.WHOLE
                    : WindowFrame.upToCurrent(scope.dialect().has(Dialect.Option.ANSI_CURRENT_ROW));
        }
        Expression.Frame frame = window.frame().get();
        if (frame.from().edge() == FrameEdge.UNBOUNDED_PRECEDING
                && frame.to().edge() == FrameEdge.UNBOUNDED_FOLLOWING) {
            return WindowFrame.WHOLE;
        }
        if (frame.unit() == FrameUnit.GROUPS) {
            throw AnalysisContext.unsupported(frame.at(), "A window frame of GROUPS");
        }
        WindowFrame.Bound from = bound(frame.from(), scope);
        WindowFrame.Bound to = bound(frame.to(), scope);
        if (frame.unit() == FrameUnit.ROWS) {
            checkRows(frame.from(), from);
            checkRows(frame.to(), to);
            return new WindowFrame(false, from, to);
        }
        Optional<RangeKey> fromKey = rangeKey(frame.from(), from, order);
        Optional<RangeKey> toKey = rangeKey(frame.to(), to, order);
        return new WindowFrame(true, from, to, reals(fromKey, toKey));
    }

    private static WindowFrame.Bound bound(Expression.FrameBound bound, BaseScope scope) {
        var constants = new BaseScope(scope.context, scope.bindings);
        return new WindowFrame.Bound(edge(bound.edge()), bound.offset().map(constants::analyze));
    }

    private static WindowFrame.Edge edge(FrameEdge written) {
        return switch (written) {
            case UNBOUNDED_PRECEDING -> WindowFrame.Edge.UNBOUNDED_PRECEDING;
            case PRECEDING -> WindowFrame.Edge.PRECEDING;
            case CURRENT_ROW -> WindowFrame.Edge.CURRENT_ROW;
            case FOLLOWING -> WindowFrame.Edge.FOLLOWING;
            case UNBOUNDED_FOLLOWING -> WindowFrame.Edge.UNBOUNDED_FOLLOWING;
        };
    }

    private static void checkRows(Expression.FrameBound written, WindowFrame.Bound bound) {
        if (bound.offset().isPresent() && !Ints.isInteger(bound.offset().get().type())) {
            throw AnalysisContext.error(
                    written.offset().orElseThrow().at(),
                    "Expected an integer as the bound of a frame, but got: "
                            + bound.offset().get().type().text());
        }
    }

    /// How keys are compared with the bound, if it has an offset.
    private static Optional<RangeKey> rangeKey(
            Expression.FrameBound written, WindowFrame.Bound bound, List<SortKey> order) {
        if (bound.offset().isEmpty()) {
            return Optional.empty();
        }
        Position at = written.offset().orElseThrow().at();
        if (order.size() != 1) {
            throw AnalysisContext.error(
                    at, "RANGE with an offset needs ORDER BY of exactly one expression");
        }
        Type key = order.getFirst().value().type();
        Type offset = bound.offset().get().type();
        Optional<RangeKey> counted =
                RangeKey.of(key.unwrapped(), offset.unwrapped(), order.getFirst().descending());
        if (counted.isEmpty()) {
            throw AnalysisContext.error(
                    at,
                    "Error while processing RANGE bound for column type: %s and offset type: %s:"
                                    .formatted(key.text(), offset.text())
                            + " Range column and offset types are not compatible");
        }
        return counted;
    }

    /// The common key for both bounds: a real one if one of the bounds needs it.
    private static Optional<RangeKey> reals(Optional<RangeKey> from, Optional<RangeKey> to) {
        return from.isPresent() && from.get().real() ? from : to.or(() -> from);
    }

    private static WindowCall typed(
            Expression.Call call, boolean ignoreNulls, List<Typed> arguments, WindowFrame frame) {
        List<Type> types = arguments.stream().map(Typed::type).toList();
        Optional<WindowFunctions.Resolver> own =
                call.module().isEmpty() ? WindowFunctions.find(call.name()) : Optional.empty();
        if (own.isPresent()) {
            WindowFunctions.Resolved resolved =
                    own.get()
                            .resolve(
                                    new WindowFunctions.Call(
                                            call.at(), call.name(), types, frame, ignoreNulls));
            return new WindowCall(
                    call.name(),
                    resolved.function(),
                    resolved.type(),
                    arguments,
                    WindowFunctions.isFramed(call.name()) ? frame : WindowFrame.WHOLE);
        }
        if (call.module().isPresent() || !Aggregates.isAggregate(call.name())) {
            throw AnalysisContext.error(
                    call.at(),
                    "Unknown aggregation function: "
                            + call.module().map(module -> module + "::").orElse("")
                            + call.name());
        }
        if (ignoreNulls) {
            throw AnalysisContext.error(call.at(), "IGNORE NULLS is not allowed in " + call.name());
        }
        AggregateFunction function =
                Aggregates.of(call.at(), call.name(), arguments, call.distinct());
        Type type = frame.mayBeEmpty() ? function.type() : function.groupedType();
        return new WindowCall(call.name(), new WindowAggregate(function), type, arguments, frame);
    }

    /// The rows of `input` with the results of the calls appended as columns.
    Relation relation(Relation input) {
        Relation rows = input;
        int width = input.fields().size();
        for (Window window : windows) {
            List<Typed> partition =
                    window.partition().stream().map(key -> placed(key, width)).toList();
            rows = windowed(rows, new Window(partition, window.order(), window.calls()));
        }
        return rows;
    }

    private static Relation windowed(Relation rows, Window window) {
        List<SortKey> keys = new ArrayList<>();
        window.partition().forEach(key -> keys.add(new SortKey(key, false)));
        keys.addAll(window.order());
        if (keys.stream().anyMatch(key -> TypedTree.isDrawn(key.value()))) {
            return withDrawnKeys(rows, window, keys);
        }
        Relation sorted = keys.isEmpty() ? rows : new Relation.Sort(rows, keys);
        return new Relation.Window(sorted, window.partition(), window.order(), window.calls());
    }

    /// Random keys are evaluated once for each row, and the result is used both to sort and to
    /// separate partitions.
    private static Relation withDrawnKeys(Relation rows, Window window, List<SortKey> keys) {
        int width = rows.fields().size();
        List<Typed> values = new ArrayList<>(inputs(rows.fields(), 0, width));
        List<Relation.Field> fields = new ArrayList<>(rows.fields());
        List<Typed> partition = new ArrayList<>();
        List<SortKey> order = new ArrayList<>();
        for (SortKey key : keys) {
            var column = new Typed.Input(key.value().type(), values.size());
            values.add(key.value());
            fields.add(new Relation.Field("key" + values.size(), column.type()));
            if (partition.size() < window.partition().size()) {
                partition.add(column);
            } else {
                order.add(new SortKey(column, key.descending()));
            }
        }
        Relation drawn = new Relation.Project(rows, values, fields);
        Relation above = windowed(drawn, new Window(partition, order, window.calls()));
        List<Relation.Field> all = above.fields();
        List<Typed> kept = new ArrayList<>(inputs(all, 0, width));
        kept.addAll(inputs(all, values.size(), all.size()));
        List<Relation.Field> keptFields = new ArrayList<>(all);
        keptFields.subList(width, values.size()).clear();
        return new Relation.Project(above, kept, keptFields);
    }

    private static List<Typed> inputs(List<Relation.Field> fields, int from, int to) {
        List<Typed> inputs = new ArrayList<>();
        for (int index = from; index < to; index++) {
            inputs.add(new Typed.Input(fields.get(index).type(), index));
        }
        return inputs;
    }

    /// The expression with the provisional numbers replaced by the positions in [#relation], whose
    /// input has `width` columns.
    Typed placed(Typed expression, int width) {
        if (isEmpty()) {
            return expression;
        }
        return TypedTree.mapInputs(
                expression,
                part ->
                        part instanceof Typed.Input(Type type, int index) && index >= PROVISIONAL
                                ? new Typed.Input(type, width + place(index - PROVISIONAL))
                                : part);
    }

    private int place(int call) {
        int place = places.get(call)[1];
        for (Window window : windows.subList(0, places.get(call)[0])) {
            place += window.calls().size();
        }
        return place;
    }
}
