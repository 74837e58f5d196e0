package io.cleave.exec;

import io.cleave.exec.eval.Evaluation;
import io.cleave.exec.eval.Evaluator;
import io.cleave.exec.eval.RunContext;
import io.cleave.exec.spill.ArrayRows;
import io.cleave.exec.spill.RowList;
import io.cleave.exec.spill.Rows;
import io.cleave.plan.PlanNode;
import io.cleave.typed.Typed;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// Compiles nodes to operators. Expressions are compiled once for all runs.
final class Operators {
    private static final Value[] NO_ROW = {};

    private Operators() {}

    static Operator of(PlanNode node) {
        return switch (node) {
            case PlanNode.Once _ -> _ -> new ArrayRows(new Value[][] {NO_ROW});
            case PlanNode.Read read -> TableRead.of(read);
            case PlanNode.ListRows list -> listRows(list);
            case PlanNode.ConstantRows rows -> constantRows(rows);
            case PlanNode.Filter filter -> filtered(filter);
            case PlanNode.Project project -> project(of(project.input()), project.values());
            case PlanNode.HashJoin join -> HashJoin.of(join);
            case PlanNode.MergeJoin join -> MergeJoin.of(join);
            case PlanNode.LookupJoin join -> LookupJoin.of(join);
            case PlanNode.Fetch fetch -> Fetching.of(fetch);
            case PlanNode.Group group ->
                    group.inOrder()
                            ? OrderedGrouping.of(group)
                            : BatchGrouping.of(group, Grouping.of(group));
            case PlanNode.Expand expand -> ExpandRows.of(expand);
            case PlanNode.Window window ->
                    WindowStream.of(window).orElseGet(() -> WindowRows.of(window));
            case PlanNode.Flatten flatten -> FlattenRows.of(flatten);
            case PlanNode.FirstOfKey first -> DistinctRows.of(first);
            case PlanNode.Distinct distinct ->
                    DistinctRows.of(of(distinct.input()), distinct.types());
            case PlanNode.Sort sort -> Sorting.of(sort);
            case PlanNode.Limit limit -> LimitRows.of(limit);
            case PlanNode.PartLimit limit -> PartLimitRows.of(limit);
            case PlanNode.Concat concat -> concat(concat.inputs());
            case PlanNode.Kept kept -> keep(kept);
            case PlanNode.KeptRows rows -> run -> run.kept(rows.number()).rows();
            case PlanNode.Compared compared -> ComparedRows.of(compared);
        };
    }

    private static Operator filtered(PlanNode.Filter node) {
        Operator byRow = filter(of(node.input()), node.predicate());
        return node.input() instanceof PlanNode.Read read
                ? BatchRows.of(read, List.of(node.predicate()), byRow)
                : byRow;
    }

    static Evaluation[] compile(List<Typed> expressions) {
        return expressions.stream().map(Evaluator::compile).toArray(Evaluation[]::new);
    }

    static Value[] evaluate(Evaluation[] expressions, Value[] row, RunContext context) {
        var values = new Value[expressions.length];
        for (int index = 0; index < values.length; index++) {
            values[index] = expressions[index].eval(row, context);
        }
        return values;
    }

    private static Operator listRows(PlanNode.ListRows node) {
        Evaluation list = Evaluator.compile(node.list());
        int[] members = node.members().stream().mapToInt(Integer::intValue).toArray();
        return run -> {
            Value value = list.eval(NO_ROW, run.context());
            List<Value> items = value instanceof Value.Items(List<Value> found) ? found : List.of();
            return new Rows() {
                private final Value[] row = new Value[members.length];
                private int next;

                @Override
                public Value @Nullable [] next() {
                    run.checkpoint().pass();
                    if (next == items.size()) {
                        return null;
                    }
                    List<Value> struct = ((Value.Items) items.get(next++)).items();
                    for (int index = 0; index < members.length; index++) {
                        row[index] = struct.get(members[index]);
                    }
                    return row;
                }
            };
        };
    }

    private static Operator constantRows(PlanNode.ConstantRows node) {
        Evaluation[][] rows =
                node.rows().stream().map(Operators::compile).toArray(Evaluation[][]::new);
        return run ->
                new Rows() {
                    private int next;

                    @Override
                    public Value @Nullable [] next() {
                        run.checkpoint().pass();
                        return next == rows.length
                                ? null
                                : evaluate(rows[next++], NO_ROW, run.context());
                    }
                };
    }

    private static Operator filter(Operator input, Typed expression) {
        Evaluation predicate = Evaluator.compile(expression);
        return run -> {
            Rows rows = input.open(run);
            return new Rows() {
                @Override
                public Value @Nullable [] next() {
                    Value[] row = rows.next();
                    while (row != null
                            && !predicate.eval(row, run.context()).equals(Value.Bool.TRUE)) {
                        run.checkpoint().pass();
                        row = rows.next();
                    }
                    return row;
                }

                @Override
                public void close() {
                    rows.close();
                }
            };
        };
    }

    private static Operator project(Operator input, List<Typed> values) {
        Evaluation[] evaluations = compile(values);
        return run -> {
            Rows rows = input.open(run);
            return new Rows() {
                @Override
                public Value @Nullable [] next() {
                    run.checkpoint().pass();
                    Value[] row = rows.next();
                    return row == null ? null : evaluate(evaluations, row, run.context());
                }

                @Override
                public void close() {
                    rows.close();
                }
            };
        };
    }

    /// Appends the values to each row.
    static Operator withValues(Operator input, Evaluation[] values) {
        return run -> {
            Rows rows = input.open(run);
            return new Rows() {
                @Override
                public Value @Nullable [] next() {
                    Value[] row = rows.next();
                    if (row == null) {
                        return null;
                    }
                    Value[] longer = Arrays.copyOf(row, row.length + values.length);
                    for (int index = 0; index < values.length; index++) {
                        longer[row.length + index] = values[index].eval(row, run.context());
                    }
                    return longer;
                }

                @Override
                public void close() {
                    rows.close();
                }
            };
        };
    }

    private static Operator concat(List<PlanNode> nodes) {
        List<Operator> inputs = nodes.stream().map(Operators::of).toList();
        return run ->
                new Rows() {
                    private int next = 1;
                    private Rows current = inputs.getFirst().open(run);

                    @Override
                    public Value @Nullable [] next() {
                        while (true) {
                            Value[] row = current.next();
                            if (row != null || next == inputs.size()) {
                                return row;
                            }
                            current.close();
                            current = inputs.get(next++).open(run);
                        }
                    }

                    @Override
                    public void close() {
                        current.close();
                    }
                };
    }

    private static Operator keep(PlanNode.Kept node) {
        Operator input = of(node.input());
        Operator outputs = concat(node.outputs());
        return run -> {
            RowList kept = run.keep(node.number());
            try (Rows rows = input.open(run)) {
                for (Value[] row = rows.next(); row != null; row = rows.next()) {
                    run.checkpoint().pass();
                    kept.add(row);
                }
            }
            Rows rows = outputs.open(run);
            return new Rows() {
                @Override
                public Value @Nullable [] next() {
                    return rows.next();
                }

                @Override
                public void close() {
                    rows.close();
                    kept.close();
                }
            };
        };
    }

    /// Evaluates a LIMIT or OFFSET. Returns `absent` if there is none or its value is NULL.
    static long rowCount(Optional<Evaluation> count, RunContext context, long absent) {
        if (count.isEmpty()) {
            return absent;
        }
        Value value = count.get().eval(NO_ROW, context);
        // A Uint64 beyond the range of long counts as the largest long. So does a negative number,
        // because YDB reads its bits as a Uint64.
        return value instanceof Value.Int(long number)
                ? number < 0 ? Long.MAX_VALUE : number
                : absent;
    }
}
