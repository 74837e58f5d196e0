package io.cleave.plan;

import io.cleave.base.Check;
import io.cleave.typed.Relation;
import io.cleave.typed.Relation.Field;
import io.cleave.typed.Relation.SortKey;
import io.cleave.typed.Typed;
import io.cleave.typed.TypedTree;
import io.cleave.value.Type;

import java.util.List;
import java.util.stream.Stream;

/// Checks that the parts of a relation fit together, as [PlanCheck] does for nodes. It is called
/// before a relation is planned, and after a rule has rewritten it. Every expression reads existing
/// fields with their types. Join keys come in pairs. A rewritten relation has the fields of the
/// original. Whether a type is Optional is not checked.
///
/// Called by an `assert`, so it costs nothing if assertions are off.
final class RelationCheck {
    private RelationCheck() {}

    /// Returns true, or fails a check.
    static boolean holds(Relation relation) {
        switch (relation) {
            case Relation.Single _, Relation.TableRows _, Relation.IndexRows _ -> {}
            case Relation.ListRows rows -> check(List.of(rows.list()), List.of());
            case Relation.ConstantRows rows -> {
                for (List<Typed> row : rows.rows()) {
                    Check.that(row.size() == rows.fields().size(), "a row of %d", row.size());
                    check(row, List.of());
                }
            }
            case Relation.Filter filter -> below(filter.input(), List.of(filter.predicate()));
            case Relation.Project project -> {
                Check.that(
                        project.values().size() == project.fields().size(),
                        "%d values of %d fields",
                        project.values().size(),
                        project.fields().size());
                below(project.input(), project.values());
            }
            case Relation.Join join -> {
                Check.that(
                        join.leftKeys().size() == join.rightKeys().size(), "keys without a match");
                below(join.left(), join.leftKeys());
                below(join.right(), join.rightKeys());
            }
            case Relation.Group group ->
                    below(
                            group.input(),
                            Stream.concat(
                                            group.keys().stream(),
                                            group.aggregates().stream()
                                                    .flatMap(call -> call.arguments().stream()))
                                    .toList());
            case Relation.Expand expand -> below(expand.input(), expand.keys());
            case Relation.Window window -> {
                below(window.input(), window.partition());
                check(values(window.order()), window.input().fields());
            }
            case Relation.Flatten flatten -> below(flatten.input(), flatten.containers());
            case Relation.FirstOfKey first -> below(first.input(), first.keys());
            case Relation.Distinct(Relation input) -> holds(input);
            case Relation.Sort sort -> below(sort.input(), values(sort.keys()));
            case Relation.Limit limit -> {
                holds(limit.input());
                limit.count().ifPresent(count -> check(List.of(count), List.of()));
                limit.offset().ifPresent(offset -> check(List.of(offset), List.of()));
            }
            case Relation.Kept kept -> {
                holds(kept.input());
                kept.outputs().forEach(RelationCheck::holds);
                kept.outputs().forEach(output -> checkFields(kept.fields(), output.fields()));
            }
            case Relation.KeptRows _ -> {}
            case Relation.Concat concat -> {
                concat.inputs().forEach(RelationCheck::holds);
                concat.inputs().forEach(input -> checkFields(concat.fields(), input.fields()));
            }
            case Relation.Compared compared -> {
                holds(compared.left());
                holds(compared.right());
                checkFields(compared.left().fields(), compared.right().fields());
            }
        }
        return true;
    }

    /// Returns true if `after` can replace `before`; otherwise fails a check.
    static boolean isSame(Relation before, Relation after) {
        checkFields(before.fields(), after.fields());
        return holds(after);
    }

    private static void below(Relation input, List<Typed> expressions) {
        holds(input);
        check(expressions, input.fields());
    }

    private static List<Typed> values(List<SortKey> keys) {
        return keys.stream().map(SortKey::value).toList();
    }

    private static void checkFields(List<Field> some, List<Field> others) {
        Check.that(some.size() == others.size(), "%d fields and %d", some.size(), others.size());
        for (int index = 0; index < some.size(); index++) {
            Type type = some.get(index).type();
            Type other = others.get(index).type();
            Check.that(
                    type.unwrapped().equals(other.unwrapped()),
                    "field %d is %s and %s",
                    index,
                    type.text(),
                    other.text());
        }
    }

    private static void check(List<Typed> expressions, List<Field> fields) {
        for (Typed expression : expressions) {
            TypedTree.walk(
                    expression,
                    part -> {
                        if (part instanceof Typed.Input(Type type, int index)) {
                            checkInput(type, index, fields);
                        }
                    });
        }
    }

    private static void checkInput(Type type, int index, List<Field> fields) {
        Check.that(index >= 0 && index < fields.size(), "field %d of %d", index, fields.size());
        Type below = fields.get(index).type();
        Check.that(
                below.unwrapped().equals(type.unwrapped()),
                "field %d as %s, where it is %s",
                index,
                type.text(),
                below.text());
    }
}
