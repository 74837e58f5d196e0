package io.cleave.plan;

import io.cleave.base.Issue;
import io.cleave.plan.PlanRules.Rule;
import io.cleave.typed.AggregateCall;
import io.cleave.typed.Relation;
import io.cleave.typed.Relation.Field;
import io.cleave.typed.Relation.SortKey;
import io.cleave.typed.Typed;
import io.cleave.typed.TypedTree;
import io.cleave.value.Type;
import io.cleave.value.Value;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/// Turns relations into nodes. Each node reads only the columns that the nodes above it need.
/// Predicates on a table become key ranges. Rows that already come in the required order are not
/// sorted.
final class Planner {
    /// The required order of the rows of a table.
    enum Scan {
        /// Any order.
        ANY,
        FORWARD,
        BACKWARD
    }

    /// The position that YDB gives for warnings about a plan.
    private static final Issue.Position TEXT_START = new Issue.Position(1, 1);

    /// A group at a time is read up to this number of groups.
    private static final int FEW_GROUPS = 10_000;

    private final PlanRules rules;
    private final IndexChoice indexes;
    private final RowEstimates estimates;
    private final List<Issue> warnings = new ArrayList<>();

    Planner(PlanRules rules, IndexChoice indexes, RowEstimates estimates) {
        this.rules = rules;
        this.indexes = indexes;
        this.estimates = estimates;
    }

    RowEstimates estimates() {
        return estimates;
    }

    /// The direction of a scan that returns the rows in the order of the sort, if there is one.
    Optional<Scan> scanOrder(Relation.Sort sort) {
        return rules.has(Rule.SCAN_ORDER)
                ? Optional.ofNullable(ScanOrder.of(sort, rules, indexes))
                : Optional.empty();
    }

    PlanRules rules() {
        return rules;
    }

    /// The warnings about the plans made so far. They are nested in one warning that names their
    /// origin, as tools expect.
    List<Issue> warnings() {
        return warnings.isEmpty()
                ? List.of()
                : List.of(Issue.warning(Issue.EXECUTION, "Execution").because(warnings));
    }

    /// Plans the whole relation, with all its fields in their order.
    PlanNode plan(Relation relation) {
        assert RelationCheck.holds(relation);
        BitSet all = new BitSet();
        all.set(0, relation.fields().size());
        PlanNode node = exact(plan(relation, all, Scan.ANY), relation.fields());
        assert PlanCheck.holds(node);
        return node;
    }

    /// A node whose rows have exactly the fields, in their order.
    private static PlanNode exact(Planned planned, List<Field> fields) {
        boolean same = planned.node().width() == fields.size();
        List<Typed> values = new ArrayList<>();
        for (int index = 0; index < fields.size(); index++) {
            same &= planned.places()[index] == index;
            values.add(new Typed.Input(fields.get(index).type(), planned.places()[index]));
        }
        return same ? planned.node() : new PlanNode.Project(planned.node(), values);
    }

    Planned plan(Relation relation, BitSet needed, Scan scan) {
        return switch (relation) {
            case Relation.Single _ -> new Planned(new PlanNode.Once(), new int[0]);
            case Relation.TableRows table ->
                    TableReadPlanner.plan(table, null, needed, scan, estimates.inference());
            case Relation.IndexRows rows ->
                    IndexReads.plan(rows, null, needed, scan, estimates.inference());
            case Relation.ListRows(Typed list, List<Field> fields) -> {
                List<Integer> members = needed.stream().boxed().toList();
                yield new Planned(
                        new PlanNode.ListRows(list, members), places(fields.size(), needed));
            }
            case Relation.ConstantRows rows -> constants(rows, needed);
            case Relation.Filter filter -> filter(filter, needed, scan);
            case Relation.Project project -> project(project, needed, scan);
            case Relation.Join join -> new JoinPlanner(this).plan(join, needed, scan);
            case Relation.Group group -> group(group, needed, false);
            case Relation.Expand expand -> new AddedColumns(this).expand(expand, needed);
            case Relation.Window window -> new AddedColumns(this).window(window, needed);
            case Relation.Flatten flatten -> new AddedColumns(this).flatten(flatten, needed);
            case Relation.FirstOfKey first ->
                    new AddedColumns(this).firstOfKey(first, needed, scan);
            case Relation.Distinct(Relation input) ->
                    identity(
                            new PlanNode.Distinct(wholeRows(input, scan), types(input.fields())),
                            input);
            case Relation.Sort sort -> sort(sort, Optional.empty(), Optional.empty(), needed);
            case Relation.Limit limit -> limit(limit, needed, scan);
            case Relation.Concat(List<Relation> inputs) ->
                    identity(
                            new PlanNode.Concat(inputs.stream().map(this::plan).toList()),
                            relation);
            case Relation.Kept kept ->
                    identity(
                            new PlanNode.Kept(
                                    kept.number(),
                                    plan(kept.input()),
                                    kept.outputs().stream().map(this::plan).toList()),
                            relation);
            case Relation.KeptRows(int number, List<Field> fields) ->
                    identity(new PlanNode.KeptRows(number, fields.size()), relation);
            case Relation.Compared compared ->
                    identity(
                            new PlanNode.Compared(
                                    plan(compared.left()),
                                    plan(compared.right()),
                                    compared.keepMatches(),
                                    types(compared.fields())),
                            relation);
        };
    }

    private PlanNode wholeRows(Relation relation, Scan scan) {
        BitSet all = new BitSet();
        all.set(0, relation.fields().size());
        return exact(plan(relation, all, scan), relation.fields());
    }

    private static Planned identity(PlanNode node, Relation relation) {
        int[] places = new int[relation.fields().size()];
        Arrays.setAll(places, index -> index);
        return new Planned(node, places);
    }

    static List<Type> types(List<Field> fields) {
        return fields.stream().map(Field::type).toList();
    }

    /// The places of `count` fields if rows have only the needed ones.
    static int[] places(int count, BitSet needed) {
        int[] places = new int[count];
        Arrays.fill(places, -1);
        int next = 0;
        for (int index = needed.nextSetBit(0); index >= 0; index = needed.nextSetBit(index + 1)) {
            places[index] = next++;
        }
        return places;
    }

    /// The needed fields and those that the expressions read.
    static BitSet with(BitSet needed, Iterable<Typed> expressions) {
        BitSet all = (BitSet) needed.clone();
        for (Typed expression : expressions) {
            TypedTree.inputs(expression).forEach(index -> all.set(index));
        }
        return all;
    }

    private static Planned constants(Relation.ConstantRows rows, BitSet needed) {
        List<List<Typed>> kept = new ArrayList<>();
        for (List<Typed> row : rows.rows()) {
            kept.add(needed.stream().mapToObj(row::get).toList());
        }
        return new Planned(
                new PlanNode.ConstantRows(kept, needed.cardinality()),
                places(rows.fields().size(), needed));
    }

    private Planned filter(Relation.Filter given, BitSet needed, Scan scan) {
        Relation.Filter filter = indexes.choose(given);
        if (filter.input() instanceof Relation.IndexRows rows && rules.has(Rule.KEY_RANGES)) {
            warnIfUnsuitable(rows, filter.predicate());
            return IndexReads.plan(rows, filter.predicate(), needed, scan, estimates.inference());
        }
        if (filter.input() instanceof Relation.TableRows table && rules.has(Rule.KEY_RANGES)) {
            return TableReadPlanner.plan(
                    table, filter.predicate(), needed, scan, estimates.inference());
        }
        if (filter.input() instanceof Relation.Join join) {
            Optional<Relation> better = filteredJoin(join, filter.predicate(), rules);
            if (better.isPresent()) {
                assert RelationCheck.isSame(filter, better.get());
                return plan(better.get(), needed, scan);
            }
        }
        Planned input = plan(filter.input(), with(needed, List.of(filter.predicate())), scan);
        return new Planned(
                new PlanNode.Filter(input.node(), input.place(filter.predicate())), input.places());
    }

    /// A better relation than a filter above a join, if there is one.
    static Optional<Relation> filteredJoin(Relation.Join join, Typed predicate, PlanRules rules) {
        Optional<Relation> keyed =
                rules.has(Rule.CROSS_JOINS) ? CrossJoins.keyed(join, predicate) : Optional.empty();
        return keyed.isEmpty() && rules.has(Rule.JOIN_FILTERS)
                ? JoinFilters.push(join, predicate)
                : keyed;
    }

    private void warnIfUnsuitable(Relation.IndexRows rows, Typed predicate) {
        List<Typed> inside = new IndexColumns(rows.table(), rows.indexTable()).inside(predicate);
        if (inside.isEmpty()
                || IndexChoice.score(KeyPredicates.of(rows.indexTable(), IndexReads.and(inside)))
                        == 0) {
            warnings.add(
                    Issue.warning(
                                    Issue.UNSUITABLE_INDEX,
                                    "Given predicate is not suitable for used index: "
                                            + rows.index().name())
                            .at(TEXT_START));
        }
    }

    private Planned project(Relation.Project project, BitSet needed, Scan scan) {
        List<Typed> values = needed.stream().mapToObj(project.values()::get).toList();
        Planned input = plan(project.input(), with(new BitSet(), values), scan);
        int[] places = places(project.fields().size(), needed);
        // Columns that are only reordered need no node.
        if (values.stream().allMatch(value -> value instanceof Typed.Input)) {
            int[] through = new int[places.length];
            Arrays.fill(through, -1);
            for (int index = 0; index < places.length; index++) {
                if (places[index] >= 0
                        && project.values().get(index) instanceof Typed.Input(_, int from)) {
                    through[index] = input.places()[from];
                }
            }
            return new Planned(input.node(), through);
        }
        return new Planned(new PlanNode.Project(input.node(), input.place(values)), places);
    }

    private Planned group(Relation.Group group, BitSet needed, boolean inOrder) {
        int keyCount = group.keys().size();
        List<AggregateCall> aggregates = new ArrayList<>();
        int[] places = new int[group.fields().size()];
        Arrays.fill(places, -1);
        for (int index = 0; index < keyCount; index++) {
            places[index] = index;
        }
        List<Typed> read = new ArrayList<>(group.keys());
        for (int index = 0; index < group.aggregates().size(); index++) {
            if (needed.get(keyCount + index)) {
                places[keyCount + index] = keyCount + aggregates.size();
                aggregates.add(group.aggregates().get(index));
                read.addAll(group.aggregates().get(index).arguments());
            }
        }
        Planned input = plan(group.input(), with(new BitSet(), read), Scan.ANY);
        List<AggregateCall> placed =
                aggregates.stream().map(call -> call.with(input.place(call.arguments()))).toList();
        return new Planned(
                new PlanNode.Group(input.node(), input.place(group.keys()), placed, inOrder),
                places);
    }

    private Planned limit(Relation.Limit limit, BitSet needed, Scan scan) {
        if (limit.input() instanceof Relation.Sort sort) {
            return sort(sort, limit.count(), limit.offset(), needed);
        }
        Planned input =
                limit.input() instanceof Relation.Group group && isFew(limit) && comesInOrder(group)
                        ? group(group, needed, true)
                        : plan(limit.input(), needed, scan);
        return new Planned(limited(input.node(), limit.count(), limit.offset()), input.places());
    }

    /// Whether the rows that the limit lets pass are few. Grouping many rows in the order of their
    /// key takes longer than grouping all of them on several threads.
    private static boolean isFew(Relation.Limit limit) {
        return limit.count().isPresent()
                && rows(limit.count().get()) + limit.offset().map(Planner::rows).orElse(0L)
                        <= FEW_GROUPS;
    }

    private static long rows(Typed count) {
        return count instanceof Typed.Constant(_, Value.Int(long rows))
                        && rows >= 0
                        && rows <= FEW_GROUPS
                ? rows
                : Integer.MAX_VALUE;
    }

    /// Whether the rows of each group follow each other. Then the first groups are complete before
    /// all rows are read. The values of a DISTINCT aggregate may have to go to disk, which only the
    /// other way of grouping can do.
    private boolean comesInOrder(Relation.Group group) {
        return group.input() instanceof Relation.Sort sort
                && scanOrder(sort).isPresent()
                && group.aggregates().stream()
                        .allMatch(call -> call.function().overDistinct().isEmpty())
                && ScanOrder.keepsTogether(
                        sort, group.keys(), rules, indexes, estimates.generated());
    }

    private PlanNode limited(PlanNode input, Optional<Typed> count, Optional<Typed> offset) {
        PlanNode parts =
                rules.has(Rule.PART_LIMITS) ? PartLimits.limited(input, count, offset) : input;
        return new PlanNode.Limit(parts, count, offset);
    }

    private Planned sort(
            Relation.Sort sort, Optional<Typed> count, Optional<Typed> offset, BitSet needed) {
        List<Typed> keys = sort.keys().stream().map(SortKey::value).toList();
        Optional<Scan> inOrder = scanOrder(sort);
        if (inOrder.isPresent()) {
            Planned input = plan(sort.input(), needed, inOrder.get());
            return count.isEmpty() && offset.isEmpty()
                    ? input
                    : new Planned(limited(input.node(), count, offset), input.places());
        }
        Planned input = plan(sort.input(), with(needed, keys), Scan.ANY);
        List<SortKey> placed =
                sort.keys().stream()
                        .map(key -> new SortKey(input.place(key.value()), key.descending()))
                        .toList();
        PlanNode parts =
                rules.has(Rule.PART_LIMITS)
                        ? PartLimits.sorted(input.node(), placed, count, offset)
                        : input.node();
        return new Planned(new PlanNode.Sort(parts, placed, count, offset), input.places());
    }
}
