package io.cleave.query.view;

import io.cleave.schema.Column;
import io.cleave.schema.ColumnFamily;
import io.cleave.schema.Table;
import io.cleave.schema.TableOptions;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

/// A column of a system view, and its value for an item.
record ViewColumn<T>(String name, Type type, Function<T, Value> shown) {
    static <T> ViewColumn<T> number(String name, ToLongFunction<T> number) {
        return new ViewColumn<>(name, Primitive.UINT64, item -> Value.of(number.applyAsLong(item)));
    }

    /// NULL if the number is not known.
    static <T> ViewColumn<T> known(String name, Function<T, OptionalLong> number) {
        return new ViewColumn<>(
                name,
                Primitive.UINT64,
                item -> {
                    OptionalLong shown = number.apply(item);
                    return shown.isPresent() ? Value.of(shown.getAsLong()) : Value.Null.NULL;
                });
    }

    static <T> ViewColumn<T> text(String name, Function<T, String> text) {
        return new ViewColumn<>(name, Primitive.UTF8, item -> Value.text(text.apply(item)));
    }

    /// NULL if the event has not happened yet.
    static <T> ViewColumn<T> time(String name, ToLongFunction<T> micros) {
        return new ViewColumn<>(
                name,
                Primitive.TIMESTAMP,
                item -> {
                    long time = micros.applyAsLong(item);
                    return time == 0 ? Value.Null.NULL : Value.of(time);
                });
    }

    static <T> ViewColumn<T> span(String name, ToLongFunction<T> micros) {
        return new ViewColumn<>(
                name, Primitive.INTERVAL, item -> Value.of(micros.applyAsLong(item)));
    }

    /// Always NULL: the value is not measured, which is different from 0.
    static <T> ViewColumn<T> unmeasured(String name, Type type) {
        return new ViewColumn<>(name, type, _ -> Value.Null.NULL);
    }

    static <T> Value[] row(List<ViewColumn<T>> columns, T item) {
        return columns.stream().map(column -> column.shown.apply(item)).toArray(Value[]::new);
    }

    /// A table with these columns. The first `keyCount` columns are its key.
    static <T> Table table(long id, String path, List<ViewColumn<T>> columns, int keyCount) {
        List<Column> described = new ArrayList<>();
        for (ViewColumn<T> column : columns) {
            described.add(
                    new Column(
                            described.size() + 1,
                            column.name,
                            column.type,
                            false,
                            Column.DEFAULT_FAMILY,
                            Optional.empty()));
        }
        return new Table(
                id,
                1,
                path,
                described,
                IntStream.range(0, keyCount).boxed().toList(),
                described.size() + 1,
                List.of(ColumnFamily.DEFAULT),
                TableOptions.DEFAULT,
                Map.of(),
                0,
                List.of(),
                0);
    }
}
