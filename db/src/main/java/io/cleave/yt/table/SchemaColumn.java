package io.cleave.yt.table;

import io.cleave.value.YsonNode;
import io.cleave.yt.format.WireType;

import java.util.Optional;
import java.util.OptionalLong;

/// A column of a schema, as YTsaurus' API describes it.
///
/// @param isKey whether the column has a `sort_order`, which is always ascending
/// @param expression the expression of a computed column
/// @param materialized whether the values of a computed column are stored; true for other columns
public record SchemaColumn(
        String name,
        DeclaredType type,
        boolean isKey,
        Optional<String> expression,
        boolean materialized,
        Optional<String> lock,
        Optional<String> group,
        OptionalLong maxInlineHunkSize) {
    public boolean isRequired() {
        return !type.isNullable();
    }

    public boolean isComputed() {
        return expression.isPresent();
    }

    /// The wire type of the column's values.
    public WireType wire() {
        return type.wire();
    }

    /// The column in `@schema`, with the names in alphabetical order.
    YsonNode node() {
        var node = YsonNode.map();
        expression.ifPresent(text -> node.with("expression", text));
        group.ifPresent(text -> node.with("group", text));
        lock.ifPresent(text -> node.with("lock", text));
        if (!materialized) {
            node.with("materialized", false);
        }
        maxInlineHunkSize.ifPresent(size -> node.with("max_inline_hunk_size", size));
        node.with("name", name);
        node.with("required", isRequired());
        if (isKey) {
            node.with("sort_order", "ascending");
        }
        node.with("type", type.nameInV1());
        node.with("type_v3", type.node());
        return node.build();
    }
}
