package io.cleave.catalog;

import io.cleave.base.ByteReader;
import io.cleave.base.ByteWriter;
import io.cleave.base.Bytes;
import io.cleave.schema.MountState;
import io.cleave.schema.MountStates;
import io.cleave.schema.YtColumn;
import io.cleave.schema.YtTable;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/// The part of a table's description with what YTsaurus' API knows of the table.
///
/// ```
/// byte    1 if the table was created through this API
/// count   columns, by id:
///           id, type (YSON), flags, then for each set flag, in this order:
///           expression, lock, group (texts), max_inline_hunk_size (number)
/// count   settings: name, value (YSON)
/// count   states: first key, number of the state
/// ```
final class YtTableCodec {
    // The flags of a column; stored on disk.
    private static final int EXPRESSION = 1;
    private static final int LOCK = 2;
    private static final int GROUP = 4;
    private static final int HUNK_SIZE = 8;

    /// A computed column whose values are not stored.
    private static final int NOT_MATERIALIZED = 16;

    private YtTableCodec() {}

    static void encode(ByteWriter out, YtTable table) {
        out.putByte(table.made() ? 1 : 0);
        out.putVarLong(table.columns().size());
        new TreeMap<>(table.columns())
                .forEach(
                        (id, column) -> {
                            out.putVarLong(id);
                            putColumn(out, column);
                        });
        out.putVarLong(table.settings().size());
        table.settings()
                .forEach(
                        (name, value) -> {
                            out.putText(name);
                            out.putBytes(value);
                        });
        List<MountStates.Part> parts = table.states().parts();
        out.putVarLong(parts.size());
        for (MountStates.Part part : parts) {
            out.putBytes(part.from());
            out.putByte(part.state().code());
        }
    }

    private static void putColumn(ByteWriter out, YtColumn column) {
        out.putBytes(column.type());
        out.putByte(
                (column.expression().isPresent() ? EXPRESSION : 0)
                        | (column.lock().isPresent() ? LOCK : 0)
                        | (column.group().isPresent() ? GROUP : 0)
                        | (column.maxInlineHunkSize().isPresent() ? HUNK_SIZE : 0)
                        | (column.materialized() ? 0 : NOT_MATERIALIZED));
        column.expression().ifPresent(out::putText);
        column.lock().ifPresent(out::putText);
        column.group().ifPresent(out::putText);
        column.maxInlineHunkSize().ifPresent(out::putVarLong);
    }

    static YtTable decode(ByteReader in) {
        boolean made = in.getByte() != 0;
        Map<Integer, YtColumn> columns = new TreeMap<>();
        for (long left = in.getVarLong(); left > 0; left--) {
            int id = (int) in.getVarLong();
            columns.put(id, column(in));
        }
        SortedMap<String, Bytes> settings = new TreeMap<>();
        for (long left = in.getVarLong(); left > 0; left--) {
            String name = in.getText();
            settings.put(name, in.getBytes());
        }
        List<MountStates.Part> parts = new ArrayList<>();
        for (long left = in.getVarLong(); left > 0; left--) {
            Bytes from = in.getBytes();
            parts.add(new MountStates.Part(from, state(in.getByte())));
        }
        return new YtTable(made, columns, settings, new MountStates(parts));
    }

    private static YtColumn column(ByteReader in) {
        Bytes type = in.getBytes();
        int flags = in.getByte();
        return new YtColumn(
                type,
                text(in, flags & EXPRESSION),
                (flags & NOT_MATERIALIZED) == 0,
                text(in, flags & LOCK),
                text(in, flags & GROUP),
                (flags & HUNK_SIZE) == 0 ? OptionalLong.empty() : OptionalLong.of(in.getVarLong()));
    }

    private static Optional<String> text(ByteReader in, int flag) {
        return flag == 0 ? Optional.empty() : Optional.of(in.getText());
    }

    private static MountState state(int number) {
        return MountState.find(number)
                .orElseThrow(
                        () ->
                                new IllegalStateException(
                                        "a tablet in the unknown state " + number));
    }
}
