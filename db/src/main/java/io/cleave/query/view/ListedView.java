package io.cleave.query.view;

import io.cleave.schema.Table;
import io.cleave.value.Value;

import java.util.List;
import java.util.function.Supplier;

/// A system view of a list, with one row for each item. The list is made when the view is read.
record ListedView<T>(Table table, List<ViewColumn<T>> columns, Supplier<List<T>> items)
        implements SmallView {
    /// The first `keyCount` columns are the key. No two items may have the same key.
    static <T> ListedView<T> of(
            long tableId,
            String path,
            List<ViewColumn<T>> columns,
            int keyCount,
            Supplier<List<T>> items) {
        return new ListedView<>(ViewColumn.table(tableId, path, columns, keyCount), columns, items);
    }

    @Override
    public List<Value[]> rows() {
        return items.get().stream().map(item -> ViewColumn.row(columns, item)).toList();
    }
}
