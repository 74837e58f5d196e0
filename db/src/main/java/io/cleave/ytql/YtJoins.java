package io.cleave.ytql;

import io.cleave.base.Bytes;
import io.cleave.function.yt.UntypedExpression;
import io.cleave.function.yt.YtType;
import io.cleave.schema.Table;
import io.cleave.typed.GeneratedColumn;
import io.cleave.typed.GeneratedColumns;
import io.cleave.typed.JoinKind;
import io.cleave.typed.LambdaFunction;
import io.cleave.typed.Relation;
import io.cleave.typed.Relation.Field;
import io.cleave.typed.ScalarFunction;
import io.cleave.typed.Typed;
import io.cleave.typed.TypedTree;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;
import io.cleave.value.YsonNode;
import io.cleave.value.YsonWriter;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/// JOIN and ARRAY JOIN of one query. The rows of the joined table, which YTsaurus calls the foreign
/// table, are looked up by a prefix of its key.
///
/// YTsaurus runs joins in groups: a join belongs to the group of the join before it, unless its
/// keys use columns that a join of this group has added. An ARRAY JOIN is a group of its own. The
/// groups do not change how a query runs here, but their number has YTsaurus' limit.
final class YtJoins {
    private static final int MAX_GROUPS = 15;

    private final YtSelectTyping select;
    private final YtExpressionTyping typing;
    private final GeneratedColumns generated;
    private final YtQueryOptions options;

    /// The number of groups so far.
    private int groupCount;

    /// The number of fields that rows had before the joins of the current group. -1 if the next
    /// join begins a group.
    private int groupWidth = -1;

    YtJoins(
            YtSelectTyping select,
            YtExpressionTyping typing,
            GeneratedColumns generated,
            YtQueryOptions options) {
        this.select = select;
        this.typing = typing;
        this.generated = generated;
        this.options = options;
    }

    /// The rows of all joins.
    YtRows join(YtRows rows, List<YtQuery.Join> joins) {
        YtRows joined = rows;
        for (YtQuery.Join join : joins) {
            joined =
                    switch (join) {
                        case YtQuery.TableJoin table -> join(joined, table);
                        case YtQuery.ArrayJoin arrays -> join(joined, arrays);
                    };
        }
        if (groupCount > MAX_GROUPS) {
            throw new YtException(
                    YtCodes.GENERIC,
                    "The query has %d groups of joins, and at most %d are allowed; a join begins a group if its keys use columns of the join before it"
                            .formatted(groupCount, MAX_GROUPS));
        }
        return joined;
    }

    /// Counts the group of a join with these keys.
    private void count(YtRows rows, List<Typed> leftKeys) {
        boolean usesGroup =
                leftKeys.stream()
                        .flatMap(key -> TypedTree.inputs(key).stream())
                        .anyMatch(field -> field >= groupWidth);
        if (groupWidth < 0 || usesGroup) {
            groupCount++;
            groupWidth = rows.relation().fields().size();
        }
    }

    private YtRows join(YtRows rows, YtQuery.TableJoin join) {
        Table table = select.table(join.table().path());
        YtRows foreign = YtSelectTyping.rows(table, join.table().alias());
        if (join.isLeft()) {
            foreign = foreign.marked();
        }
        List<YtExpression> left = join.using().isEmpty() ? join.left() : List.copyOf(join.using());
        List<YtExpression> right =
                join.using().isEmpty() ? join.right() : List.copyOf(join.using());
        YtExpressionTyping.checkDepth(left);
        YtExpressionTyping.checkDepth(right);
        if (left.size() != right.size()) {
            throw new YtException(
                    YtCodes.GENERIC,
                    "Tuples of same size are expected but got %d vs %d"
                            .formatted(left.size(), right.size()));
        }
        List<Typed> leftKeys = new ArrayList<>();
        List<Typed> rightKeys = new ArrayList<>();
        for (int index = 0; index < left.size(); index++) {
            UntypedExpression mine = typing.untyped(left.get(index), rows);
            UntypedExpression theirs = typing.untyped(right.get(index), foreign);
            Set<YtType> types = EnumSet.copyOf(mine.types());
            types.retainAll(theirs.types());
            types.remove(YtType.NULL);
            if (types.isEmpty()) {
                throw new YtException(
                        YtCodes.GENERIC,
                        "Column \"%s\" type mismatch in join"
                                .formatted(YtExpressionText.columnName(right.get(index))));
            }
            YtType type = types.iterator().next();
            var keys = YtNarrowing.joinKeys(mine.as(type), theirs.as(type));
            leftKeys.add(keys.left());
            rightKeys.add(keys.right());
        }
        checkIndex(table, rightKeys);
        count(rows, leftKeys);
        select.joinsInGroup(join, groupCount);
        Relation side = foreign.relation();
        if (join.predicate().isPresent()) {
            Typed predicate =
                    typing.predicate(join.predicate().get(), "JOIN-PREDICATE-clause", foreign);
            side = new Relation.Filter(side, YtNarrowing.of(predicate));
        }
        var joined =
                new Relation.Join(
                        join.isLeft() ? JoinKind.LEFT : JoinKind.INNER,
                        rows.relation(),
                        side,
                        leftKeys,
                        rightKeys,
                        nullsMatch(leftKeys, rightKeys));
        return merged(rows, foreign, joined, join);
    }

    /// Whether NULL equals NULL in a join. It does, unless comparisons follow SQL.
    private boolean nullsMatch(List<Typed> left, List<Typed> right) {
        if (options.canonicalNulls()) {
            return false;
        }
        for (int index = 0; index < left.size(); index++) {
            if (left.get(index).type().isOptional() && right.get(index).type().isOptional()) {
                return true;
            }
        }
        return false;
    }

    /// The columns of both sides. A column of USING is taken from the left side.
    private static YtRows merged(
            YtRows rows, YtRows foreign, Relation.Join joined, YtQuery.TableJoin join) {
        List<YtRows.Column> columns = new ArrayList<>(rows.columns());
        Set<String> shared = new HashSet<>();
        join.using().forEach(column -> shared.add(YtExpressionText.columnName(column)));
        int width = rows.relation().fields().size();
        for (int index = 0; index < foreign.columns().size(); index++) {
            YtRows.Column column = foreign.columns().get(index);
            if (!shared.contains(column.title())) {
                int place = width + index;
                Typed value =
                        column.isComputed()
                                ? computed(joined, width, column.value())
                                : new Typed.Input(joined.fields().get(place).type(), place);
                columns.add(new YtRows.Column(column.alias(), column.name(), value));
            }
        }
        return new YtRows(joined, columns, rows.order(), true);
    }

    /// The value of a computed column of the right side, over the joined row. It is NULL in a row
    /// without a match, and is computed only if there is one: it may fail.
    private static Typed computed(Relation.Join joined, int width, Typed value) {
        if (joined.kind() != JoinKind.LEFT) {
            return TypedTree.shiftInputs(value, width);
        }
        Typed shifted =
                TypedTree.mapInputs(
                        value,
                        part ->
                                part instanceof Typed.Input(Type type, int index)
                                        ? typed(type, joined, width + index)
                                        : part);
        Type type = value.type().optional();
        int mark = joined.fields().size() - 1;
        var missing =
                new Typed.IsNull(Primitive.BOOL, new Typed.Input(Primitive.BOOL.optional(), mark));
        return new Typed.Choose(
                type,
                List.of(new Typed.Branch(missing, new Typed.Constant(type, Value.Null.NULL))),
                converted(type, shifted));
    }

    /// The field with the type that it has below the join.
    private static Typed typed(Type type, Relation.Join joined, int field) {
        return converted(type, new Typed.Input(joined.fields().get(field).type(), field));
    }

    private static Typed converted(Type type, Typed value) {
        return value.type().equals(type)
                ? value
                : new Typed.Convert(type, value, UnaryOperator.identity());
    }

    /// Throws unless the equations give values to the first column of the foreign key, or to the
    /// columns from which it is computed.
    private void checkIndex(Table table, List<Typed> rightKeys) {
        Set<Integer> given = new HashSet<>();
        for (Typed key : rightKeys) {
            if (YtNarrowing.column(key) instanceof Typed.Input(_, int column)
                    && table.isKey(column)
                    && !given.add(column)) {
                throw new YtException(
                        YtCodes.GENERIC,
                        "Foreign key column \"%s\" occurs more than once in a join clause"
                                .formatted(table.columns().get(column).name()));
            }
        }
        if (!options.allowJoinWithoutIndex() && !hasFirstKey(table, given)) {
            throw new YtException(
                    YtCodes.GENERIC,
                    "Foreign table key is not used in the join clause; the query is inefficient,"
                            + " consider rewriting it");
        }
    }

    private boolean hasFirstKey(Table table, Set<Integer> given) {
        if (given.contains(table.keyColumns().getFirst())) {
            return true;
        }
        if (!GeneratedColumn.isIn(table)) {
            return false;
        }
        for (GeneratedColumn column : generated.of(table)) {
            if (column.keyColumn() == 0) {
                return column.sources().stream()
                        .allMatch(source -> given.contains(table.keyColumns().get(source)));
            }
        }
        return false;
    }

    /// The facts about a join that follow from its text. `alias` is that of the main table.
    static YtQueryFacts.Join facts(
            Optional<Table> main, Optional<String> alias, Table foreign, YtQuery.TableJoin join) {
        Map<String, String> equal = new HashMap<>();
        if (join.using().isEmpty()) {
            for (int index = 0; index < join.right().size(); index++) {
                if (join.right().get(index) instanceof YtExpression.Reference right) {
                    equal.put(
                            right.column(),
                            join.left().get(index) instanceof YtExpression.Reference left
                                            && left.table().equals(alias)
                                    ? left.column()
                                    : "");
                }
            }
        } else {
            join.using().forEach(column -> equal.put(column.column(), column.column()));
        }
        int given = 0;
        int common = 0;
        for (int index = 0; index < foreign.keyColumns().size(); index++) {
            var column = foreign.key().get(index);
            String left = equal.get(column.name());
            boolean computed = GeneratedColumn.isGenerated(column) && !equal.isEmpty();
            if (left == null && !computed) {
                break;
            }
            given++;
            boolean same =
                    left != null
                            && common == index
                            && main.isPresent()
                            && index < main.get().keyColumns().size()
                            && main.get().key().get(index).name().equals(left);
            common += same ? 1 : 0;
        }
        return new YtQueryFacts.Join(common, given);
    }

    /// Each row is returned once for every item of its arrays. Shorter arrays are padded with NULL.
    /// With LEFT, a row without items, or without items that match the predicate, is returned once
    /// with NULL.
    private YtRows join(YtRows rows, YtQuery.ArrayJoin join) {
        groupCount++;
        groupWidth = -1;
        List<Typed> arrays = new ArrayList<>();
        List<Type> itemTypes = new ArrayList<>();
        for (YtExpression.Alias array : join.arrays()) {
            YtExpressionTyping.checkDepth(List.of(array));
            UntypedExpression value = typing.untyped(array.expression(), rows);
            if (!value.types().contains(YtType.ANY)) {
                throw YtExpressionTyping.error(
                                "Expected a list in ARRAY JOIN, got \"%s\""
                                        .formatted(value.preferred().text()))
                        .with("source", YtExpressionText.of(array.expression()))
                        .exception();
            }
            arrays.add(value.as(YtType.ANY));
            itemTypes.add(Primitive.YSON.optional());
        }
        var item = new Type.Tuple(itemTypes);
        int place = rows.relation().fields().size();
        List<YtRows.Column> columns = new ArrayList<>(rows.columns());
        for (int index = 0; index < arrays.size(); index++) {
            columns.add(
                    new YtRows.Column(
                            Optional.empty(),
                            join.arrays().get(index).name(),
                            new Typed.ItemOf(
                                    itemTypes.get(index), new Typed.Input(item, place), index)));
        }
        boolean keepsEmpty = join.isLeft();
        Typed zipped =
                new Typed.Apply(
                        new Type.ListOf(item),
                        ScalarFunction.of(
                                "array_join",
                                lists -> zip(lists, keepsEmpty && join.predicate().isEmpty())),
                        arrays);
        YtRows joined = flat(rows, zipped, item, columns);
        if (join.predicate().isEmpty()) {
            return joined;
        }
        Typed predicate =
                typing.predicate(join.predicate().get(), "ARRAY-JOIN-PREDICATE-clause", joined);
        return keepsEmpty
                ? flat(rows, passing(zipped, item, place, predicate), item, columns)
                : joined.with(new Relation.Filter(joined.relation(), predicate));
    }

    private static YtRows flat(YtRows rows, Typed list, Type item, List<YtRows.Column> columns) {
        Relation flat =
                new Relation.Flatten(
                        rows.relation(), List.of(list), List.of(new Field("array_join", item)));
        return new YtRows(flat, columns, rows.order(), true);
    }

    /// The items for which the predicate is true. If there are none, one item of NULLs. The
    /// predicate uses the row, with the item at `place`.
    private static Typed passing(Typed list, Type.Tuple item, int place, Typed predicate) {
        Typed ofItem =
                TypedTree.mapInputs(
                        predicate,
                        part ->
                                part instanceof Typed.Input(_, int index) && index == place
                                        ? new Typed.LambdaArgument(item, 0, 0)
                                        : part);
        Value nothing =
                Value.items(Collections.nCopies(item.items().size(), (Value) Value.Null.NULL));
        return new Typed.ApplyLambdas(
                list.type(),
                LambdaFunction.of(
                        "array_join_filter",
                        (lists, passes) -> {
                            List<Value> kept = new ArrayList<>();
                            for (Value each : ((Value.Items) lists[0]).items()) {
                                if (passes[0].call(each).equals(Value.Bool.TRUE)) {
                                    kept.add(each);
                                }
                            }
                            return Value.items(kept.isEmpty() ? List.of(nothing) : kept);
                        }),
                List.of(list),
                List.of(new Typed.Lambda(0, ofItem)));
    }

    private static Value zip(Value[] lists, boolean keepsEmpty) {
        List<List<YsonNode>> items = new ArrayList<>();
        int longest = keepsEmpty ? 1 : 0;
        for (Value list : lists) {
            List<YsonNode> found =
                    list instanceof Value.Binary(Bytes yson)
                                    && YsonNode.parse(yson).map(YsonNode::bare).orElse(null)
                                            instanceof YsonNode.Items(List<YsonNode> inside)
                            ? inside
                            : List.of();
            items.add(found);
            longest = Math.max(longest, found.size());
        }
        List<Value> rows = new ArrayList<>();
        for (int index = 0; index < longest; index++) {
            List<Value> row = new ArrayList<>();
            for (List<YsonNode> list : items) {
                row.add(index < list.size() ? value(list.get(index)) : Value.Null.NULL);
            }
            rows.add(Value.items(row));
        }
        return Value.items(rows);
    }

    private static Value value(YsonNode node) {
        return node.bare() instanceof YsonNode.Entity
                ? Value.Null.NULL
                : Value.binary(YsonWriter.write(node, YsonWriter.Format.BINARY));
    }
}
