package io.cleave.plan;

import io.cleave.plan.range.ConstraintText;
import io.cleave.plan.range.InferredRanges;
import io.cleave.plan.range.KeyConstraint;
import io.cleave.plan.range.RangeInference;
import io.cleave.plan.range.TupleRange;
import io.cleave.schema.Column;
import io.cleave.schema.Table;
import io.cleave.schema.TableDefinition.TypedValue;
import io.cleave.typed.Typed;
import io.cleave.value.Type;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// How the key ranges of the first table of a query were inferred, in the form of YTsaurus'
/// `explain_query`.
///
/// @param table the table that is read
/// @param constraints what the predicate says about the key, as a tree
/// @param ranges the ranges that are read; empty if only single keys are
/// @param keys the keys that are looked up, if all ranges are single keys
/// @param notes what was inferred for each key column and why inference stopped, in sentences
public record ReadInference(
        Table table, String constraints, List<Ends> ranges, List<String> keys, List<String> notes) {
    /// The ends of a range: `[1]` and `[1, <Max>]`.
    public record Ends(String lower, String upper) {}

    public ReadInference {
        ranges = List.copyOf(ranges);
        keys = List.copyOf(keys);
        notes = List.copyOf(notes);
    }

    /// Empty if the program reads no table. Values that are known only in a run, other than those
    /// of these parameters, are taken as unknown.
    public static Optional<ReadInference> of(Program program, Map<String, TypedValue> parameters) {
        for (Program.Step step : program.steps()) {
            if (step instanceof DataSteps.Select select) {
                return firstRead(select.rows()).map(read -> of(read, parameters));
            }
        }
        return Optional.empty();
    }

    /// Whether the first table is read as a whole.
    public boolean isFullScan() {
        return ranges.size() == 1
                && ranges.getFirst().lower().equals("[]")
                && ranges.getFirst().upper().equals("[<Max>]");
    }

    private static Optional<PlanNode.Read> firstRead(PlanNode node) {
        if (node instanceof PlanNode.Read read) {
            return Optional.of(read);
        }
        for (PlanNode input : Nodes.inputs(node)) {
            Optional<PlanNode.Read> found = firstRead(input);
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private static @Nullable Value value(Typed expression, Map<String, TypedValue> parameters) {
        if (expression instanceof Typed.Parameter(Type type, String name)) {
            TypedValue sent = parameters.get(name);
            return sent != null && sent.type().equals(type) ? sent.value() : null;
        }
        return RangeText.constant(expression);
    }

    private static ReadInference of(PlanNode.Read read, Map<String, TypedValue> parameters) {
        Table table = read.table();
        List<Type> types = table.key().stream().map(Column::type).toList();
        KeyPredicate.Inferring inferring =
                read.keys() instanceof KeyPredicate.Inferring found
                        ? found
                        : new KeyPredicate.Inferring(
                                new RangeInference(types, List.of()),
                                KeyRanges.MAX_COMBINATIONS,
                                read.keys());
        KeyConstraint set =
                KeyConstraints.of(types, inferring.of(), each -> value(each, parameters));
        InferredRanges inferred = inferring.inference().infer(set, inferring.limit());
        List<Ends> ranges = new ArrayList<>();
        List<String> keys = new ArrayList<>();
        boolean single = true;
        for (TupleRange range : inferred.ranges()) {
            single &= range.isKey(types.size());
            ranges.add(
                    new Ends(
                            ConstraintText.of(range.lower(), types),
                            ConstraintText.of(range.upper(), types)));
            keys.add(ConstraintText.of(range.lower(), types));
        }
        single &= !ranges.isEmpty();
        return new ReadInference(
                table,
                ConstraintText.of(set, types),
                single ? List.of() : ranges,
                single ? keys : List.of(),
                InferenceText.of(inferred, table.key().stream().map(Column::name).toList()));
    }
}
