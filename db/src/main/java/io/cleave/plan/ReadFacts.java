package io.cleave.plan;

import io.cleave.plan.KeySpans.Span;
import io.cleave.schema.Column;
import io.cleave.schema.KeyRange;
import io.cleave.schema.Table;
import io.cleave.schema.Tables;
import io.cleave.value.Type;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// What EXPLAIN shows for one read: how it finds its rows, in which ranges, and on how many
/// tablets.
record ReadFacts(
        String operator,
        String table,
        String because,
        String ranges,
        Optional<String> inferred,
        List<String> columns,
        List<String> families,
        String tablets,
        OptionalLong rows) {
    private static final String KEYS_ALONE = "none but the keys";

    static ReadFacts of(PlanNode.Read read, Tables tables) {
        Table table = read.table();
        List<Type> types = table.key().stream().map(Column::type).toList();
        int all = tables.tabletCount(table, KeyRange.ALL);
        boolean constant = RangeText.isConstant(read.keys());
        KeySpans spans = KeyRanges.of(types, read.keys(), RangeText::constant);
        String because = RangeText.of(read.keys(), table);
        String operator;
        if (read.pointRead() || (constant && !spans.spans().isEmpty() && spans.arePoints())) {
            operator = "TablePointLookup";
        } else if (read.keys() instanceof KeyPredicate.Any || (constant && spans.isAll())) {
            operator = "TableFullScan";
        } else {
            operator = "TableRangeScan";
        }
        String tablets;
        if (constant) {
            tablets = touched(table, spans, tables, all) + " of " + all;
        } else if (read.pointRead()) {
            tablets = "1 of " + all;
        } else {
            tablets = "as many of " + all + " as the parameters say";
        }
        return new ReadFacts(
                operator,
                table.path(),
                because,
                constant ? RangeText.of(spans, types) : because,
                inferred(read, constant),
                read.columns().stream().map(index -> table.columns().get(index).name()).toList(),
                families(table, read.columns()),
                tablets,
                read.pointRead()
                        ? OptionalLong.of(1)
                        : RowEstimates.rows(table, read.keys(), tables));
    }

    /// How the values of generated columns were inferred; empty if the table has none, or if the
    /// values of the predicate are known only in a run.
    private static Optional<String> inferred(PlanNode.Read read, boolean constant) {
        if (!constant || !(read.keys() instanceof KeyPredicate.Inferring inferring)) {
            return Optional.empty();
        }
        List<String> names = read.table().key().stream().map(Column::name).toList();
        return Optional.of(
                String.join(
                        "; ",
                        InferenceText.of(
                                KeyRanges.inferred(inferring, RangeText::constant), names)));
    }

    /// The column families that are read in addition to the keys. Empty if the table has only one
    /// family.
    static List<String> families(Table table, List<Integer> columns) {
        if (table.families().size() < 2) {
            return List.of();
        }
        List<String> families =
                columns.stream()
                        .filter(index -> !table.isKey(index))
                        .map(index -> table.columns().get(index).family())
                        .distinct()
                        .sorted()
                        .toList();
        return families.isEmpty() ? List.of(KEYS_ALONE) : families;
    }

    /// Ranges may share tablets, so their sum is limited by the tablets between the first and the
    /// last range.
    private static int touched(Table table, KeySpans spans, Tables tables, int all) {
        if (spans.spans().isEmpty()) {
            return 0;
        }
        long sum = 0;
        for (Span span : spans.spans()) {
            sum += tables.tabletCount(table, span.range());
        }
        var stretch = new KeyRange(spans.spans().getFirst().from(), spans.spans().getLast().to());
        return (int) Math.min(Math.min(sum, all), tables.tabletCount(table, stretch));
    }
}
