package io.cleave.yt.table;

import io.cleave.base.Bytes;
import io.cleave.value.ValueParser;
import io.cleave.value.YsonNode;
import io.cleave.yt.command.CommandParameters;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtError;
import io.cleave.yt.error.YtException;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// Reads a schema from a list of columns with the attributes `strict` and `unique_keys`. Unknown
/// members of a column are ignored. [SchemaRules] checks what a schema means.
final class SchemaReader {
    private SchemaReader() {}

    static YtSchema read(YsonNode node) {
        if (!(node.bare() instanceof YsonNode.Items(List<YsonNode> items))) {
            throw problem(
                    "Cannot parse table schema: expected \"list\", got \"%s\""
                            .formatted(CommandParameters.typeName(node.bare())));
        }
        List<SchemaColumn> columns = new ArrayList<>();
        for (YsonNode item : items) {
            columns.add(named(item));
        }
        return new YtSchema(
                columns,
                flag(node.attribute("strict"), "strict", true),
                flag(node.attribute("unique_keys"), "unique_keys", false));
    }

    private static SchemaColumn named(YsonNode node) {
        if (!(node.bare() instanceof YsonNode.Members)) {
            throw problem(
                    "Cannot parse column schema: expected \"map\", got \"%s\""
                            .formatted(CommandParameters.typeName(node.bare())));
        }
        String name = name(node);
        try {
            return column(name, node);
        } catch (YtException e) {
            throw inColumn(name, e);
        }
    }

    /// Wraps the error of a column in an error that names the column.
    static YtException inColumn(String name, YtException inner) {
        return YtError.of(
                        YtCodes.GENERIC, "Error validating schema of column \"%s\"".formatted(name))
                .with(inner.error())
                .exception();
    }

    private static String name(YsonNode node) {
        Optional<YsonNode> name = node.member("name");
        if (name.isEmpty()) {
            if (node.member("deleted").isPresent()) {
                throw problem("Deleted columns are not supported");
            }
            throw problem("Column name is not specified");
        }
        if (!(name.get().bare() instanceof YsonNode.Text(Bytes bytes))) {
            throw mismatch("name", "string", name.get());
        }
        return ValueParser.utf8(bytes)
                .orElseThrow(() -> problem("Column name is not a valid UTF-8 string"));
    }

    private static SchemaColumn column(String name, YsonNode node) {
        Optional<String> stable = text(node, "stable_name");
        if (stable.isPresent() && !stable.get().equals(name)) {
            throw problem("Renamed columns are not supported");
        }
        boolean isKey = sortOrder(name, node);
        Optional<String> aggregate = text(node, "aggregate");
        if (aggregate.isPresent()) {
            throw problem(
                    isKey
                            ? "Key column cannot be aggregated"
                            : "Aggregating columns are not supported");
        }
        Optional<String> expression = text(node, "expression");
        Optional<YsonNode> materialized = present(node.member("materialized"));
        if (materialized.isPresent() && expression.isEmpty()) {
            throw problem(
                    "Column \"%s\" has \"materialized\" parameter without \"expression\" parameter"
                            .formatted(name));
        }
        return new SchemaColumn(
                name,
                type(node),
                isKey,
                expression,
                flag(materialized, "materialized", true),
                text(node, "lock"),
                text(node, "group"),
                number(node, "max_inline_hunk_size"));
    }

    private static boolean sortOrder(String name, YsonNode node) {
        Optional<String> order = text(node, "sort_order");
        if (order.isEmpty()) {
            return false;
        }
        return switch (order.get()) {
            case "ascending" -> true;
            case "descending" ->
                    throw YtError.of(
                                    YtCodes.INVALID_SCHEMA_VALUE,
                                    "Descending sort order is not available in this context yet")
                            .with("column_name", name)
                            .exception();
            default ->
                    throw problem(
                            "Error parsing \"sort_order\": unknown value \"%s\""
                                    .formatted(order.get()));
        };
    }

    /// Combines `type`, `required` and `type_v3`, which must agree.
    private static DeclaredType type(YsonNode node) {
        Optional<String> name = text(node, "type");
        Optional<YsonNode> v3 = present(node.member("type_v3"));
        Optional<YsonNode> required = present(node.member("required"));
        if (name.isEmpty() && v3.isEmpty()) {
            throw problem("Column type is not specified");
        }
        boolean isRequired = flag(required, "required", false);
        if (v3.isEmpty()) {
            DeclaredType declared = TypeReader.v1(name.orElseThrow());
            if (isRequired && name.get().equals(SimpleType.ANY.name)) {
                throw problem("Column of type \"any\" cannot be required");
            }
            return declared.nullable(!isRequired);
        }
        DeclaredType type = TypeReader.v3(v3.get());
        if (name.isPresent() && !name.get().equals(type.nameInV1())) {
            throw problem(
                    "\"type_v3\" does not match \"type\": \"%s\" is \"%s\" in \"type\", not \"%s\""
                            .formatted(type.text(), type.nameInV1(), name.get()));
        }
        if (required.isPresent() && isRequired == type.isNullable()) {
            throw problem(
                    "\"type_v3\" does not match \"required\": \"%s\" is %srequired"
                            .formatted(type.text(), type.isNullable() ? "not " : ""));
        }
        return type;
    }

    private static Optional<YsonNode> present(Optional<YsonNode> node) {
        return node.filter(value -> !(value.bare() instanceof YsonNode.Entity));
    }

    private static Optional<String> text(YsonNode node, String name) {
        return present(node.member(name))
                .map(value -> value.string().orElseThrow(() -> mismatch(name, "string", value)));
    }

    private static OptionalLong number(YsonNode node, String name) {
        Optional<YsonNode> value = present(node.member(name));
        if (value.isEmpty()) {
            return OptionalLong.empty();
        }
        return switch (value.get().bare()) {
            case YsonNode.Int64(long number) -> OptionalLong.of(number);
            case YsonNode.Uint64(long number) when number >= 0 -> OptionalLong.of(number);
            default -> throw mismatch(name, "int64", value.get());
        };
    }

    private static boolean flag(Optional<YsonNode> value, String name, boolean byDefault) {
        if (value.isEmpty()) {
            return byDefault;
        }
        return switch (value.get().bare()) {
            case YsonNode.Bool(boolean flag) -> flag;
            case YsonNode.Text(Bytes text) when text.utf8().equals("true") -> true;
            case YsonNode.Text(Bytes text) when text.utf8().equals("false") -> false;
            default -> throw mismatch(name, "boolean", value.get());
        };
    }

    private static YtException mismatch(String name, String expected, YsonNode value) {
        return problem(
                "Cannot parse \"%s\": expected \"%s\", got \"%s\""
                        .formatted(name, expected, CommandParameters.typeName(value.bare())));
    }

    private static YtException problem(String message) {
        return new YtException(YtCodes.GENERIC, message);
    }
}
