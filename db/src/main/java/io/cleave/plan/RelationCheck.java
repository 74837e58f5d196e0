package io.cleave.plan;

import io.cleave.analysis.Relation;
import io.cleave.analysis.Relation.Field;
import io.cleave.analysis.Relation.SortKey;
import io.cleave.analysis.Typed;
import io.cleave.analysis.TypedTree;
import io.cleave.base.Check;
import io.cleave.value.Type;

import java.util.List;
import java.util.stream.Stream;

/// Holds a relation to what relations promise each other, as [PlanCheck] does with nodes: before it
/// is planned, and whenever a rule has made another of it. Every expression reads fields that are
/// there, as the types they have, Optional or not; keys of joins come in pairs; and what a rule has
/// made has the fields of what it was.
///
/// Asked by an `assert`, so it costs nothing where those are off.
final class RelationCheck {
    private RelationCheck() {}

    /// True, or a failed check.
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

    /// True if `after` can stand in the place of `before`, or a failed check.
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
