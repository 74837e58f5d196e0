package io.cleave.yt.table;

import io.cleave.base.Bytes;
import io.cleave.value.YsonNode;
import io.cleave.yt.command.CommandParameters;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Reads the types of columns: `type`, a name, and `type_v3`, a name or a map.
final class TypeReader {
    static final int MAX_DEPTH = 32;

    /// Types of YTsaurus that are not supported.
    private static final Set<String> UNSUPPORTED =
            Set.of(
                    "null",
                    "void",
                    "decimal",
                    "tz_date",
                    "tz_datetime",
                    "tz_timestamp",
                    "tz_date32",
                    "tz_datetime64",
                    "tz_timestamp64");

    private TypeReader() {}

    /// The type of a column with this `type`, if the column is not required.
    static DeclaredType v1(String name) {
        return new DeclaredType.Optional(
                new DeclaredType.Simple(SimpleType.named(name).orElseThrow(() -> unknown(name))));
    }

    static DeclaredType v3(YsonNode node) {
        return v3(node, 1);
    }

    private static DeclaredType v3(YsonNode node, int depth) {
        if (depth > MAX_DEPTH) {
            throw problem("Type nesting is deeper than the limit of %d".formatted(MAX_DEPTH));
        }
        return switch (node.bare()) {
            case YsonNode.Text(Bytes name) -> simple(name.utf8());
            case YsonNode.Members members -> composite(members, depth);
            default ->
                    throw problem(
                            "Cannot parse type: expected \"string\" or \"map\", got \"%s\""
                                    .formatted(CommandParameters.typeName(node.bare())));
        };
    }

    private static DeclaredType simple(String name) {
        return new DeclaredType.Simple(SimpleType.namedInV3(name).orElseThrow(() -> unknown(name)));
    }

    private static DeclaredType composite(YsonNode.Members node, int depth) {
        String name = text(node, "type_name");
        return switch (name) {
            case "optional" -> new DeclaredType.Optional(v3(field(node, "item"), depth + 1));
            case "list" -> new DeclaredType.ListOf(v3(field(node, "item"), depth + 1));
            case "tuple" -> tuple(node, depth);
            case "struct" -> struct(node, depth);
            case "dict" ->
                    new DeclaredType.Dict(
                            v3(field(node, "key"), depth + 1), v3(field(node, "value"), depth + 1));
            case "variant" ->
                    new DeclaredType.Variant(
                            node.member("members").isPresent()
                                    ? struct(node, depth)
                                    : tuple(node, depth));
            case "tagged" ->
                    new DeclaredType.Tagged(text(node, "tag"), v3(field(node, "item"), depth + 1));
            default -> simple(name);
        };
    }

    private static DeclaredType tuple(YsonNode.Members node, int depth) {
        List<DeclaredType> elements = new ArrayList<>();
        for (YsonNode element : items(node, "elements")) {
            elements.add(v3(field(element, "type"), depth + 1));
        }
        return new DeclaredType.Tuple(elements);
    }

    private static DeclaredType struct(YsonNode.Members node, int depth) {
        List<DeclaredType.Member> members = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (YsonNode member : items(node, "members")) {
            String name = text(member, "name");
            if (name.isEmpty()) {
                throw problem("Name of struct field #%d is empty".formatted(members.size()));
            }
            if (!names.add(name)) {
                throw problem("Struct field name \"%s\" is used twice".formatted(name));
            }
            members.add(new DeclaredType.Member(name, v3(field(member, "type"), depth + 1)));
        }
        return new DeclaredType.Struct(members);
    }

    private static List<YsonNode> items(YsonNode node, String name) {
        YsonNode items = field(node, name);
        if (items.bare() instanceof YsonNode.Items(List<YsonNode> list)) {
            return list;
        }
        throw problem(
                "Cannot parse \"%s\" of a type: expected \"list\", got \"%s\""
                        .formatted(name, CommandParameters.typeName(items.bare())));
    }

    private static String text(YsonNode node, String name) {
        YsonNode field = field(node, name);
        return field.string()
                .orElseThrow(
                        () ->
                                problem(
                                        "Cannot parse \"%s\" of a type: expected \"string\", got \"%s\""
                                                .formatted(
                                                        name,
                                                        CommandParameters.typeName(field.bare()))));
    }

    private static YsonNode field(YsonNode node, String name) {
        return node.member(name)
                .orElseThrow(() -> problem("\"%s\" is required in a type".formatted(name)));
    }

    private static YtException unknown(String name) {
        return problem(
                UNSUPPORTED.contains(name)
                        ? "Type \"%s\" is not supported".formatted(name)
                        : "Unknown type \"%s\"".formatted(name));
    }

    private static YtException problem(String message) {
        return new YtException(YtCodes.GENERIC, message);
    }
}
