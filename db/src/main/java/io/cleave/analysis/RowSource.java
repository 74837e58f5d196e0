package io.cleave.analysis;

import io.cleave.base.Issue.Position;
import io.cleave.function.call.Conversions;
import io.cleave.function.call.Dialect;
import io.cleave.function.call.Suggestion;
import io.cleave.function.container.Items;
import io.cleave.function.document.YsonModule;
import io.cleave.typed.Errors;
import io.cleave.typed.Relation;
import io.cleave.typed.Typed;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The result of FROM: rows, and the names of their columns. The columns are in the order of the
/// relation's fields.
record RowSource(Relation relation, List<Named> columns) {
    /// A column. `sources` are the table names and aliases that may qualify it. Columns of several
    /// join sides are twins if they have the same name and the join conditions make them equal.
    /// `twin` is the index of the first twin; it is -1 for the first twin itself and for a column
    /// without twins. `complete` means that no outer join makes the column NULL where a twin has a
    /// value.
    record Named(List<String> sources, String name, Type type, int twin, boolean complete) {
        boolean belongsTo(String source) {
            return sources.contains(source);
        }
    }

    RowSource {
        columns = List.copyOf(columns);
    }

    static RowSource of(Relation relation, List<String> sources) {
        return new RowSource(
                relation,
                relation.fields().stream()
                        .map(field -> new Named(sources, field.name(), field.type(), -1, true))
                        .toList());
    }

    Typed.Input input(int index) {
        return new Typed.Input(columns.get(index).type(), index);
    }

    /// The column with that name. If there is none, `source.name` may be a member of a column
    /// `source` of type Struct, Yson or Json.
    Typed find(Position at, Optional<String> source, String name, Dialect dialect) {
        if (source.isPresent() && matches(source, name).isEmpty()) {
            List<Integer> structs = matches(Optional.empty(), source.get());
            if (structs.size() == 1) {
                return member(at, input(structs.getFirst()), name, dialect);
            }
        }
        return find(at, source, name);
    }

    Typed find(Position at, Optional<String> source, String name) {
        List<Integer> matches = matches(source, name);
        if (matches.isEmpty()) {
            throw notFound(at, source, name);
        }
        if (matches.size() == 1) {
            return input(matches.getFirst());
        }
        if (matches.stream().allMatch(match -> first(match) == first(matches.getFirst()))) {
            return merged(at, first(matches.getFirst()));
        }
        throw AnalysisContext.error(
                at,
                "Column reference '"
                        + name
                        + "' is ambiguous; qualify it with the name of its source");
    }

    List<Integer> matches(Optional<String> source, String name) {
        List<Integer> matches = new ArrayList<>();
        for (int index = 0; index < columns.size(); index++) {
            Named column = columns.get(index);
            if (column.name().equals(name)
                    && (source.isEmpty() || column.belongsTo(source.get()))) {
                matches.add(index);
            }
        }
        return matches;
    }

    /// The index of the column's first twin, or of the column itself.
    int first(int index) {
        int twin = columns.get(index).twin();
        return twin < 0 ? index : twin;
    }

    /// The merged value of a column and its twins. In an outer join any of them may be NULL.
    Typed merged(Position at, int first) {
        List<Typed> twins = new ArrayList<>();
        for (int index = first; index < columns.size(); index++) {
            if (first(index) == first) {
                if (columns.get(index).complete()) {
                    return input(index);
                }
                twins.add(input(index));
            }
        }
        if (twins.size() == 1) {
            return twins.getFirst();
        }
        Type type = Conversions.common(at, twins);
        return new Typed.Coalesce(
                type, twins.stream().map(twin -> Conversions.to(at, twin, type)).toList());
    }

    private static Typed member(Position at, Typed struct, String name, Dialect dialect) {
        if (YsonModule.isNode(struct.type().unwrapped())) {
            return Items.member(at, struct, name, dialect);
        }
        if (struct.type().unwrapped() instanceof Type.Struct type && type.indexOf(name) >= 0) {
            int index = type.indexOf(name);
            Type member = type.members().get(index).type();
            return new Typed.ItemOf(
                    struct.type().isOptional() ? member.optional() : member, struct, index);
        }
        throw Errors.type(at, "Member not found: " + name + ".");
    }

    private RuntimeException notFound(Position at, Optional<String> source, String name) {
        if (source.isPresent()
                && columns.stream().noneMatch(column -> column.belongsTo(source.get()))) {
            return AnalysisContext.error(at, "Unknown correlation name: " + source.get());
        }
        List<String> names = columns.stream().map(Named::name).distinct().toList();
        return Errors.type(at, "Member not found: " + name + "." + Suggestion.of(name, names));
    }

    /// Whether the column exists only for GROUP BY and is hidden in results.
    private static boolean isHidden(String name) {
        return SessionWindows.isColumn(name) || HoppingWindows.isColumn(name);
    }

    /// The whole row as a struct: `TableRow()`, or with `named` `JoinTableRow()`, where the rows of
    /// a join have member names prefixed with their source.
    Typed struct(Position at, boolean named) {
        boolean joined =
                columns.stream()
                                .filter(column -> !isHidden(column.name()))
                                .map(Named::sources)
                                .distinct()
                                .count()
                        > 1;
        List<Type.Member> members = new ArrayList<>();
        List<Typed> items = new ArrayList<>();
        for (int index = 0; index < columns.size(); index++) {
            Named column = columns.get(index);
            if (isHidden(column.name())) {
                continue;
            }
            String prefix =
                    named && joined && !column.sources().isEmpty()
                            ? column.sources().getFirst() + "."
                            : "";
            String name = prefix + column.name();
            if (members.stream().anyMatch(member -> member.name().equals(name))) {
                throw AnalysisContext.error(at, "Duplicated member: " + name);
            }
            members.add(new Type.Member(name, column.type()));
            items.add(input(index));
        }
        return new Typed.ItemsOf(new Type.Struct(members), items);
    }

    /// Checks a predicate. It must be a Bool or Optional Bool; a NULL literal is a predicate that
    /// is never true.
    static Typed predicate(Position at, String clause, Typed predicate) {
        Type type = predicate.type().unwrapped();
        if (type != Primitive.BOOL && type != Type.Unit.NULL) {
            throw Errors.type(
                    at,
                    "Expected bool or optional bool in "
                            + clause
                            + ", but got: "
                            + predicate.type().text());
        }
        return type == Type.Unit.NULL
                ? new Typed.Constant(Primitive.BOOL.optional(), Value.Null.NULL)
                : predicate;
    }
}
