package io.cleave.analysis;

import io.cleave.typed.AggregateCall;
import io.cleave.typed.Relation;
import io.cleave.typed.Relation.Field;
import io.cleave.typed.Typed;
import io.cleave.typed.TypedTree;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.util.ArrayList;
import java.util.List;

/// Builds the relation of a GROUP BY. With several grouping sets each row belongs to one group of
/// every set. The set without keys has one group even if there are no rows, so it is computed
/// separately.
record GroupedRows(
        Relation input,
        List<Typed> keys,
        List<Field> keyFields,
        GroupingSets sets,
        List<AggregateCall> aggregates) {
    static final Type SET_TYPE = Primitive.UINT32;

    Relation relation() {
        if (sets.isPlain()) {
            return new Relation.Group(input, keys, aggregates, fields(keyFields));
        }
        List<Relation> parts = new ArrayList<>();
        if (sets.sets().stream().anyMatch(set -> !set.isEmpty())) {
            parts.add(byKeys());
        }
        for (int set = 0; set < sets.sets().size(); set++) {
            if (sets.sets().get(set).isEmpty()) {
                parts.add(total(set));
            }
        }
        return parts.size() == 1 ? parts.getFirst() : new Relation.Concat(parts);
    }

    private List<Field> fields(List<Field> first) {
        List<Field> fields = new ArrayList<>(first);
        aggregates.forEach(call -> fields.add(new Field(call.name(), call.type())));
        return fields;
    }

    private List<Field> keysAndSet() {
        List<Field> fields = new ArrayList<>(keyFields);
        fields.add(new Field("grouping set", SET_TYPE));
        return fields;
    }

    private Relation byKeys() {
        List<Field> expanded = keysAndSet();
        int added = expanded.size();
        List<Typed> groupKeys = new ArrayList<>();
        for (int index = 0; index < added; index++) {
            groupKeys.add(new Typed.Input(expanded.get(index).type(), index));
        }
        expanded.addAll(input.fields());
        var rows = new Relation.Expand(input, keys, sets.sets(), expanded);
        List<AggregateCall> shifted =
                aggregates.stream()
                        .map(
                                call ->
                                        call.with(
                                                call.arguments().stream()
                                                        .map(
                                                                argument ->
                                                                        TypedTree.shiftInputs(
                                                                                argument, added))
                                                        .toList()))
                        .toList();
        return new Relation.Group(rows, groupKeys, shifted, fields(keysAndSet()));
    }

    private Relation total(int set) {
        List<Field> fields = fields(keysAndSet());
        List<Typed> values = new ArrayList<>();
        for (Field key : keyFields) {
            values.add(new Typed.Constant(key.type(), Value.Null.NULL));
        }
        values.add(new Typed.Constant(SET_TYPE, Value.of(set)));
        for (int index = 0; index < aggregates.size(); index++) {
            values.add(new Typed.Input(aggregates.get(index).type(), index));
        }
        Relation group =
                new Relation.Group(
                        input,
                        List.of(),
                        aggregates,
                        fields.subList(keyFields.size() + 1, fields.size()));
        return new Relation.Project(group, values, fields);
    }
}
