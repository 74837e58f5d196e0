package io.cleave.yt.table;

import io.cleave.base.Bytes;
import io.cleave.schema.Column;
import io.cleave.schema.Preset;
import io.cleave.schema.Table;
import io.cleave.schema.TableDefinition.NewColumn;
import io.cleave.schema.YtColumn;
import io.cleave.schema.YtTable;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.YsonNode;
import io.cleave.value.YsonWriter;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/// Translates between schemas and tables. A table that was created by YQL has a schema, too. Pure.
public final class TableSchemas {
    private TableSchemas() {}

    /// The schema of a table: first the key columns in the order of the key, then the others.
    public static YtSchema of(Table table) {
        List<SchemaColumn> columns = new ArrayList<>();
        for (Column column : table.key()) {
            columns.add(column(table, column, true));
        }
        for (int index = 0; index < table.columns().size(); index++) {
            if (!table.isKey(index)) {
                columns.add(column(table, table.columns().get(index), false));
            }
        }
        return new YtSchema(columns, true, true);
    }

    private static SchemaColumn column(Table table, Column column, boolean isKey) {
        YtColumn known =
                table.options().yt().map(YtTable::columns).orElse(Map.of()).get(column.id());
        if (known == null) {
            return new SchemaColumn(
                    column.name(),
                    shown(column.type()).nullable(!column.notNull()),
                    isKey,
                    expression(column),
                    true,
                    Optional.empty(),
                    Optional.empty(),
                    OptionalLong.empty());
        }
        YsonNode type =
                YsonNode.parse(known.type())
                        .orElseThrow(() -> new IllegalStateException("a stored type is no YSON"));
        return new SchemaColumn(
                column.name(),
                // YQL may have changed whether the column can be NULL.
                TypeReader.v3(type).nullable(!column.notNull()),
                isKey,
                known.expression(),
                known.materialized(),
                known.lock(),
                known.group(),
                known.maxInlineHunkSize());
    }

    /// The expression of a column that was created by YQL, if it is an expression of YTsaurus'
    /// language.
    private static Optional<String> expression(Column column) {
        return column.preset().isPresent()
                        && column.preset().get()
                                instanceof Preset.Generated(String text, Preset.Language language)
                        && language == Preset.Language.YT
                ? Optional.of(text)
                : Optional.empty();
    }

    /// The type that YTsaurus' clients see for a column of YQL.
    static DeclaredType shown(Type type) {
        for (SimpleType simple : SimpleType.values()) {
            if (simple.stored == type) {
                return new DeclaredType.Simple(simple);
            }
        }
        return new DeclaredType.Simple(
                type == Primitive.JSON_DOCUMENT ? SimpleType.JSON : SimpleType.STRING);
    }

    /// The columns of a new table.
    static List<NewColumn> columns(YtSchema schema, Map<String, Preset> presets) {
        return schema.columns().stream()
                .map(column -> column(column, Optional.ofNullable(presets.get(column.name()))))
                .toList();
    }

    static NewColumn column(SchemaColumn column, Optional<Preset> preset) {
        return new NewColumn(
                column.name(), column.type().stored(), column.isRequired(), family(column), preset);
    }

    /// The family of a column. A key column has no family of its own.
    static String family(SchemaColumn column) {
        return column.isKey()
                ? Column.DEFAULT_FAMILY
                : column.group().orElse(Column.DEFAULT_FAMILY);
    }

    /// The additional properties of the columns of a new table, by column id. The ids begin at 1.
    static Map<Integer, YtColumn> kept(YtSchema schema) {
        Map<Integer, YtColumn> kept = new LinkedHashMap<>();
        for (SchemaColumn column : schema.columns()) {
            kept.put(kept.size() + 1, kept(column));
        }
        return kept;
    }

    static YtColumn kept(SchemaColumn column) {
        Bytes type = YsonWriter.write(column.type().node(), YsonWriter.Format.BINARY);
        return new YtColumn(
                type,
                column.expression(),
                column.materialized(),
                column.lock(),
                column.group(),
                column.maxInlineHunkSize());
    }
}
