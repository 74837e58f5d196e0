package io.cleave.exec;

import io.cleave.exec.eval.Evaluation;
import io.cleave.exec.eval.Evaluator;
import io.cleave.exec.eval.RunContext;
import io.cleave.plan.KeyPredicate;
import io.cleave.plan.KeyRanges;
import io.cleave.plan.KeySpans;
import io.cleave.plan.PlanNode;
import io.cleave.schema.Column;
import io.cleave.schema.KeyRange;
import io.cleave.typed.Typed;
import io.cleave.value.Type;
import io.cleave.value.Value;

import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;

/// Computes the key ranges of a read in a run, from the read's key predicate.
final class SpanSource {
    private static final Value[] NO_ROW = {};

    private final List<Type> types;
    private final KeyPredicate keys;
    private final IdentityHashMap<Typed, Evaluation> values = new IdentityHashMap<>();

    SpanSource(PlanNode.Read read) {
        types = read.table().key().stream().map(Column::type).toList();
        keys = read.keys();
        compile(keys);
    }

    private void compile(KeyPredicate predicate) {
        switch (predicate) {
            case KeyPredicate.Compare(_, _, Typed value) ->
                    values.put(value, Evaluator.compile(value));
            case KeyPredicate.OneOf(_, Typed collection) ->
                    values.put(collection, Evaluator.compile(collection));
            case KeyPredicate.OneOfTuples(_, Typed collection) ->
                    values.put(collection, Evaluator.compile(collection));
            case KeyPredicate.CompareOrNull(_, _, Typed value) ->
                    values.put(value, Evaluator.compile(value));
            case KeyPredicate.Inferring inferring -> compile(inferring.of());
            case KeyPredicate.And(List<KeyPredicate> terms) -> terms.forEach(this::compile);
            case KeyPredicate.Or(List<KeyPredicate> terms) -> terms.forEach(this::compile);
            case KeyPredicate.Any _,
                    KeyPredicate.Never _,
                    KeyPredicate.IsNull _,
                    KeyPredicate.IsNotNull _ -> {}
        }
    }

    KeySpans spans(RunContext context) {
        return KeyRanges.of(
                types,
                keys,
                expression -> {
                    Evaluation value = values.get(expression);
                    return value == null ? null : value.eval(NO_ROW, context);
                });
    }

    /// The key ranges of a scan by batches, in key order. Empty if there are too many ranges, or if
    /// all ranges are single keys. Single keys are looked up instead: a lookup uses key filters and
    /// locks only the keys themselves.
    Optional<List<KeyRange>> batchRanges(Running run) {
        KeySpans found = spans(run.context());
        return found.arePoints() || found.spans().size() > run.options().maxBatchRanges()
                ? Optional.empty()
                : Optional.of(found.spans().stream().map(KeySpans.Span::range).toList());
    }
}
