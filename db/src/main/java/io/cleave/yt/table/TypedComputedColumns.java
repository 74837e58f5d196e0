package io.cleave.yt.table;

import io.cleave.schema.Preset;
import io.cleave.typed.Relation.Field;
import io.cleave.typed.Typed;
import io.cleave.typed.TypedTree;
import io.cleave.value.Type;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;
import io.cleave.ytql.YtExpressionTyping;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Computed columns whose expressions are typed by the query language. Stateless.
public final class TypedComputedColumns implements ComputedColumns {
    private static final Pattern UNDEFINED = Pattern.compile("Undefined reference \"(.*)\"");

    @Override
    public void check(YtSchema schema) {
        List<Field> fields = schema.columns().stream().map(TypedComputedColumns::field).toList();
        for (SchemaColumn column : schema.columns()) {
            if (column.isComputed()) {
                check(schema, column, fields);
            }
        }
    }

    private static Field field(SchemaColumn column) {
        Type type = column.type().stored();
        return new Field(column.name(), column.isRequired() ? type : type.optional());
    }

    private static void check(YtSchema schema, SchemaColumn column, List<Field> fields) {
        Typed expression = typed(column, fields);
        Type type = expression.type().unwrapped();
        // Both are logical types. An int64 is not converted to an int32 implicitly.
        if (!type.equals(column.type().stored())
                || !(column.type().inner() instanceof DeclaredType.Simple)) {
            throw problem(
                    column,
                    "type mismatch: declared type is \"%s\" but expression type is \"%s\""
                            .formatted(
                                    column.type().inner().text(), TableSchemas.shown(type).text()));
        }
        for (int index : TypedTree.inputs(expression)) {
            SchemaColumn source = schema.columns().get(index);
            if (source.isComputed()) {
                throw problem(column, "depends on a computed column \"" + source.name() + "\"");
            }
            // An expression that is computed in a read may use every column that is read.
            if (!source.isKey() && column.materialized()) {
                throw problem(column, "depends on a non-key column \"" + source.name() + "\"");
            }
        }
    }

    private static Typed typed(SchemaColumn column, List<Field> fields) {
        try {
            return YtExpressionTyping.of(column.expression().orElseThrow(), fields);
        } catch (YtException e) {
            Matcher undefined = UNDEFINED.matcher(e.getMessage());
            if (undefined.matches()) {
                throw problem(column, "depends on unknown column \"" + undefined.group(1) + "\"");
            }
            throw e;
        }
    }

    private static YtException problem(SchemaColumn column, String what) {
        return new YtException(
                YtCodes.GENERIC, "Computed column \"%s\" %s".formatted(column.name(), what));
    }

    @Override
    public Map<String, Preset> presets(YtSchema schema) {
        Map<String, Preset> presets = new HashMap<>();
        for (SchemaColumn column : schema.columns()) {
            if (column.isComputed() && column.materialized()) {
                presets.put(
                        column.name(),
                        new Preset.Generated(
                                column.expression().orElseThrow(), Preset.Language.YT));
            }
        }
        return presets;
    }
}
