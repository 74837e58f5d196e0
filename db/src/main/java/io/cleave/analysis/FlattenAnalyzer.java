package io.cleave.analysis;

import io.cleave.base.Issue.Position;
import io.cleave.function.container.Items;
import io.cleave.typed.Relation;
import io.cleave.typed.Relation.Field;
import io.cleave.typed.ScalarFunction;
import io.cleave.typed.Typed;
import io.cleave.value.Type;
import io.cleave.value.Value;
import io.cleave.yql.Expression;
import io.cleave.yql.Query.Source;
import io.cleave.yql.Query.Source.FlattenKind;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// FLATTEN BY turns the items of containers into rows. FLATTEN COLUMNS turns the members of structs
/// into columns.
final class FlattenAnalyzer {
    private final AnalysisContext context;
    private final @Nullable Bindings bindings;

    FlattenAnalyzer(AnalysisContext context, @Nullable Bindings bindings) {
        this.context = context;
        this.bindings = bindings;
    }

    /// An item replaces the column of the same name, if there is one.
    RowSource by(Source.Flattened flattened, RowSource source) {
        var scope = new RowScope(context, bindings, source);
        List<Typed> containers = new ArrayList<>();
        List<Field> items = new ArrayList<>();
        Map<String, Integer> places = new LinkedHashMap<>();
        for (Expression.Argument value : flattened.values()) {
            Position at = value.value().at();
            String name =
                    value.name()
                            .or(() -> QueryAnalyzer.ownName(value.value()))
                            .orElseThrow(
                                    () ->
                                            AnalysisContext.error(
                                                    at,
                                                    "Unnamed expression after FLATTEN BY is not"
                                                            + " allowed"));
            Typed container = scope.analyze(value.value());
            if (places.put(name, source.columns().size() + items.size()) != null) {
                throw AnalysisContext.error(at, "Duplicate column name found: " + name);
            }
            items.add(new Field(name, itemType(at, name, flattened.kind(), container.type())));
            containers.add(asList(flattened.kind(), container));
        }
        var rows = new Relation.Flatten(source.relation(), containers, items);
        return columns(source, rows, places);
    }

    private static Type itemType(Position at, String name, FlattenKind kind, Type type) {
        Type inner = type.unwrapped();
        boolean list = inner instanceof Type.ListOf || inner == Type.Unit.EMPTY_LIST;
        boolean dict = inner instanceof Type.Dict || inner == Type.Unit.EMPTY_DICT;
        if (kind == FlattenKind.AUTO && type.isOptional() && (list || dict)) {
            throw AnalysisContext.error(
                    at,
                    "Ambiguous 'FLATTEN BY' statement, please choose 'FLATTEN %s BY' or 'FLATTEN"
                                    .formatted(list ? "LIST" : "DICT")
                            + " OPTIONAL BY'");
        }
        boolean fits =
                switch (kind) {
                    case AUTO -> type.isOptional() || list || dict;
                    case LIST -> list;
                    case DICT -> dict;
                    case OPTIONAL -> type.isOptional();
                };
        if (!fits) {
            throw AnalysisContext.error(
                    at,
                    "Expected %s in column '%s' of FLATTEN BY, but got: %s"
                            .formatted(wanted(kind), name, type.text()));
        }
        if (kind == FlattenKind.OPTIONAL || (kind == FlattenKind.AUTO && type.isOptional())) {
            return inner;
        }
        return switch (inner) {
            case Type.ListOf(Type item) -> item;
            case Type.Dict(Type key, Type payload) -> new Type.Tuple(List.of(key, payload));
            default -> Type.Unit.NULL;
        };
    }

    private static String wanted(FlattenKind kind) {
        return switch (kind) {
            case AUTO -> "list, dict or optional type";
            case LIST -> "(optional) list type";
            case DICT -> "(optional) dict type";
            case OPTIONAL -> "optional type";
        };
    }

    /// Converts an Optional to a list of zero or one items. A list or dict is returned unchanged.
    private static Typed asList(FlattenKind kind, Typed container) {
        boolean optional =
                kind == FlattenKind.OPTIONAL
                        || (kind == FlattenKind.AUTO && container.type().isOptional());
        if (!optional) {
            return container;
        }
        Type item = container.type().unwrapped();
        return new Typed.Apply(
                new Type.ListOf(item),
                ScalarFunction.of(
                        "AsList",
                        a ->
                                a[0].isNull()
                                        ? Value.items(List.of())
                                        : Value.items(
                                                List.of(
                                                        a[0] instanceof Value.Just(Value inner)
                                                                ? inner
                                                                : a[0]))),
                List.of(container));
    }

    /// The columns of the source. An item takes the position of the column that it replaces; the
    /// other items come last.
    private static RowSource columns(
            RowSource source, Relation.Flatten rows, Map<String, Integer> items) {
        List<Typed> values = new ArrayList<>();
        List<RowSource.Named> columns = new ArrayList<>();
        Set<String> open = new LinkedHashSet<>(items.keySet());
        for (int index = 0; index < source.columns().size(); index++) {
            RowSource.Named column = source.columns().get(index);
            Integer item = items.get(column.name());
            int from = item == null ? index : item;
            Type type = rows.fields().get(from).type();
            values.add(new Typed.Input(type, from));
            columns.add(
                    new RowSource.Named(
                            column.sources(), column.name(), type, column.twin(), true));
            open.remove(column.name());
        }
        List<String> sources =
                source.columns().stream()
                        .findFirst()
                        .map(RowSource.Named::sources)
                        .orElse(List.of());
        for (String name : open) {
            int from = Optional.ofNullable(items.get(name)).orElseThrow();
            Type type = rows.fields().get(from).type();
            values.add(new Typed.Input(type, from));
            columns.add(new RowSource.Named(sources, name, type, -1, true));
        }
        List<Field> fields =
                columns.stream().map(column -> new Field(column.name(), column.type())).toList();
        return new RowSource(new Relation.Project(rows, values, fields), columns);
    }

    RowSource columns(Source.FlattenedColumns flattened, RowSource source) {
        List<Typed> values = new ArrayList<>();
        List<Field> fields = new ArrayList<>();
        for (int index = 0; index < source.columns().size(); index++) {
            RowSource.Named column = source.columns().get(index);
            if (!(column.type().unwrapped() instanceof Type.Struct(List<Type.Member> members))) {
                throw AnalysisContext.error(
                        flattened.at(),
                        "Expected (optional) struct type in column '%s' of FLATTEN COLUMNS, but"
                                        .formatted(column.name())
                                + " got: "
                                + column.type().text());
            }
            for (Type.Member member : members) {
                Typed value = Items.member(flattened.at(), source.input(index), member.name());
                if (fields.stream().anyMatch(field -> field.name().equals(member.name()))) {
                    throw AnalysisContext.error(
                            flattened.at(), "Duplicated member: " + member.name());
                }
                values.add(value);
                fields.add(new Field(member.name(), value.type()));
            }
        }
        List<String> sources =
                source.columns().isEmpty() ? List.of() : source.columns().getFirst().sources();
        return RowSource.of(new Relation.Project(source.relation(), values, fields), sources);
    }
}
