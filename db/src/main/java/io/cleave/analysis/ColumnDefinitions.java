package io.cleave.analysis;

import io.cleave.base.Issue.Position;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.schema.Column;
import io.cleave.schema.ColumnFamily;
import io.cleave.schema.Preset;
import io.cleave.schema.Sequence;
import io.cleave.schema.TableChange.FamilySettings;
import io.cleave.schema.TableDefinition.NewColumn;
import io.cleave.typed.ConstantValue;
import io.cleave.typed.Typed;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.TzText;
import io.cleave.value.Value;
import io.cleave.yql.Expression;
import io.cleave.yql.Statement.ColumnDefinition;
import io.cleave.yql.Statement.ColumnType;
import io.cleave.yql.Statement.FamilyDefinition;
import io.cleave.yql.Statement.Setting;

import org.jspecify.annotations.Nullable;

import java.util.Locale;
import java.util.Optional;

/// Columns and column families in CREATE TABLE and ALTER TABLE.
final class ColumnDefinitions {
    private ColumnDefinitions() {}

    static NewColumn column(
            ColumnDefinition column, AnalysisContext context, @Nullable Bindings bindings) {
        if (column.type() instanceof ColumnType.Serial(String name)) {
            return serial(column, name);
        }
        Type type = ((ColumnType.Plain) column.type()).type();
        if (column.notNull() && type.isOptional()) {
            throw AnalysisContext.error(
                    column.at(),
                    "Column "
                            + column.name()
                            + " is both Optional and NOT NULL; remove one of them");
        }
        Type bare = type.unwrapped();
        checkStorable(column.at(), column.name(), bare);
        if (column.generated().isPresent()) {
            if (column.preset().isPresent()) {
                throw AnalysisContext.error(
                        column.at(),
                        "Column " + column.name() + " is both generated and has a DEFAULT");
            }
            return new NewColumn(
                    column.name(),
                    bare,
                    column.notNull(),
                    column.family().orElse(Column.DEFAULT_FAMILY),
                    Optional.of(new Preset.Generated(column.generated().get())));
        }
        return new NewColumn(
                column.name(),
                bare,
                column.notNull(),
                column.family().orElse(Column.DEFAULT_FAMILY),
                column.preset()
                        .flatMap(
                                preset ->
                                        preset(
                                                column.name(),
                                                bare,
                                                column.notNull(),
                                                preset,
                                                context,
                                                bindings)));
    }

    /// A serial column is NOT NULL and takes its default from a sequence of its own.
    private static NewColumn serial(ColumnDefinition column, String name) {
        if (column.generated().isPresent()) {
            throw AnalysisContext.error(
                    column.at(), "Serial column " + column.name() + " cannot be generated");
        }
        if (column.preset().isPresent()) {
            throw AnalysisContext.error(
                    column.at(),
                    "Default setting for "
                            + column.name()
                            + " column is already set: DEFAULT_KIND_SEQUENCE");
        }
        Type type =
                switch (name.toLowerCase(Locale.ROOT)) {
                    case "smallserial", "serial2" -> Primitive.INT16;
                    case "serial", "serial4" -> Primitive.INT32;
                    default -> Primitive.INT64;
                };
        return new NewColumn(
                column.name(),
                type,
                true,
                column.family().orElse(Column.DEFAULT_FAMILY),
                Optional.of(new Preset.FromSequence(Sequence.serial(type))));
    }

    static void checkStorable(Position at, String name, Type type) {
        if (TzText.isTz(type)) {
            throw AnalysisContext.error(
                    at,
                    "Type " + type.text() + " of column: " + name + " is not supported by storage");
        }
        if (!(type instanceof Primitive) && !(type instanceof Type.Decimal)) {
            throw AnalysisContext.error(
                    at,
                    "Invalid type for column: "
                            + name
                            + ". Only YQL data types and PG types are currently supported");
        }
    }

    static Optional<Preset> preset(
            String column,
            Type type,
            boolean notNull,
            Expression expression,
            AnalysisContext context,
            @Nullable Bindings bindings) {
        Typed value = new BaseScope(context, bindings).analyze(expression);
        Optional<Value> constant = ConstantValue.of(value);
        if (constant.isEmpty()) {
            throw AnalysisContext.unsupported(
                    expression.at(), "A DEFAULT that is not a constant (column " + column + ")");
        }
        if (constant.get().isNull()) {
            if (!notNull) {
                return Optional.empty();
            }
            throw AnalysisContext.error(
                    expression.at(),
                    "Default expr "
                            + column
                            + " is nullable or optional, but column has not null constraint.");
        }
        try {
            Typed literal = new Typed.Constant(value.type().unwrapped(), constant.get());
            Typed converted = context.convert(expression.at(), literal, type, column);
            Optional<Value> preset = ConstantValue.of(converted);
            if (preset.isPresent() && !preset.get().isNull()) {
                return Optional.of(new Preset.Literal(preset.get()));
            }
        } catch (StatusException _) {
            // Reported below, with the message that YDB has for defaults.
        }
        throw AnalysisContext.error(
                expression.at(),
                "Default expr "
                        + column
                        + " type mismatch, expected: "
                        + type.text()
                        + ", actual: "
                        + value.type().text());
    }

    static FamilySettings family(FamilyDefinition family) {
        Optional<String> data = Optional.empty();
        Optional<String> compression = Optional.empty();
        Optional<String> cacheMode = Optional.empty();
        for (Setting setting : family.settings()) {
            switch (setting.name().toUpperCase(Locale.ROOT)) {
                case "DATA" -> data = Optional.of(SettingsClause.string(setting));
                case "COMPRESSION" -> compression = Optional.of(compression(setting));
                case "CACHE_MODE" -> cacheMode = Optional.of(cacheMode(setting));
                case "COMPRESSION_LEVEL" ->
                        throw AnalysisContext.unsupported(setting.at(), "COMPRESSION_LEVEL");
                default ->
                        throw AnalysisContext.error(
                                setting.at(), "Unknown table setting: " + setting.name());
            }
        }
        return new FamilySettings(family.name(), data, compression, cacheMode);
    }

    private static String compression(Setting setting) {
        return one(setting, "compression", ColumnFamily.UNCOMPRESSED, ColumnFamily.LZ4);
    }

    private static String cacheMode(Setting setting) {
        return one(
                setting,
                "cache mode",
                ColumnFamily.REGULAR,
                ColumnFamily.IN_MEMORY,
                ColumnFamily.IN_MEMORY_COMPRESSED);
    }

    private static String one(Setting setting, String what, String... known) {
        String text = SettingsClause.string(setting);
        String lower = text.toLowerCase(Locale.ROOT);
        for (String word : known) {
            if (word.equals(lower)) {
                return word;
            }
        }
        throw new StatusException(
                Status.BAD_REQUEST,
                "Unknown " + what + " '" + text + "' for a column family",
                setting.at());
    }
}
