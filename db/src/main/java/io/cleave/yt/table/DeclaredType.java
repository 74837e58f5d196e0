package io.cleave.yt.table;

import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.YsonNode;
import io.cleave.yt.format.WireType;

import java.util.List;
import java.util.stream.Collectors;

/// The declared type of a column. Reads and prints `type_v3`: see [TypeReader].
///
/// A composite value is stored as YSON. Its declared type is stored only to be shown to clients.
public sealed interface DeclaredType {
    record Simple(SimpleType type) implements DeclaredType {}

    record Optional(DeclaredType item) implements DeclaredType {}

    record ListOf(DeclaredType item) implements DeclaredType {}

    record Tuple(List<DeclaredType> elements) implements DeclaredType {
        public Tuple {
            elements = List.copyOf(elements);
        }
    }

    record Member(String name, DeclaredType type) {}

    record Struct(List<Member> members) implements DeclaredType {
        public Struct {
            members = List.copyOf(members);
        }
    }

    record Dict(DeclaredType key, DeclaredType value) implements DeclaredType {}

    /// One of several types; `choices` is a [Tuple] or a [Struct].
    record Variant(DeclaredType choices) implements DeclaredType {}

    record Tagged(String tag, DeclaredType item) implements DeclaredType {}

    /// The type without tags and without its outermost Optional.
    default DeclaredType inner() {
        return switch (this) {
            case Tagged(_, DeclaredType item) -> item.inner();
            case Optional(DeclaredType item) -> item.untagged();
            default -> this;
        };
    }

    private DeclaredType untagged() {
        return this instanceof Tagged(_, DeclaredType item) ? item.untagged() : this;
    }

    /// Whether a value may be null.
    default boolean isNullable() {
        return untagged() instanceof Optional;
    }

    /// The type with or without Optional.
    default DeclaredType nullable(boolean wanted) {
        if (isNullable() == wanted) {
            return this;
        }
        return wanted ? new Optional(this) : inner();
    }

    /// The name in `type`, where every composite is `any`.
    default String nameInV1() {
        return inner() instanceof Simple(SimpleType type) ? type.name : SimpleType.ANY.name;
    }

    default WireType wire() {
        return inner() instanceof Simple(SimpleType type) ? type.wire : WireType.ANY;
    }

    /// The type of the column in YQL, without Optional.
    default Type stored() {
        return inner() instanceof Simple(SimpleType type) ? type.stored : Primitive.YSON;
    }

    /// The number of nested types.
    default int depth() {
        return 1
                + switch (this) {
                    case Simple _ -> 0;
                    case Optional(DeclaredType item) -> item.depth();
                    case ListOf(DeclaredType item) -> item.depth();
                    case Tuple(List<DeclaredType> elements) ->
                            elements.stream().mapToInt(DeclaredType::depth).max().orElse(0);
                    case Struct(List<Member> members) ->
                            members.stream()
                                    .mapToInt(member -> member.type().depth())
                                    .max()
                                    .orElse(0);
                    case Dict(DeclaredType key, DeclaredType value) ->
                            Math.max(key.depth(), value.depth());
                    case Variant(DeclaredType choices) -> choices.depth() - 1;
                    case Tagged(_, DeclaredType item) -> item.depth();
                };
    }

    /// The type in messages.
    default String text() {
        return switch (this) {
            case Simple(SimpleType type) -> type.nameInV3;
            case Optional(DeclaredType item) -> "optional<" + item.text() + ">";
            case ListOf(DeclaredType item) -> "list<" + item.text() + ">";
            case Tuple(List<DeclaredType> elements) ->
                    elements.stream()
                            .map(DeclaredType::text)
                            .collect(Collectors.joining(",", "tuple<", ">"));
            case Struct(List<Member> members) ->
                    members.stream()
                            .map(member -> member.name() + ":" + member.type().text())
                            .collect(Collectors.joining(";", "struct<", ">"));
            case Dict(DeclaredType key, DeclaredType value) ->
                    "dict<" + key.text() + "," + value.text() + ">";
            case Variant(DeclaredType choices) -> "variant_" + choices.text();
            case Tagged(String tag, DeclaredType item) ->
                    "tagged<\"" + tag + "\"," + item.text() + ">";
        };
    }

    /// The type as `type_v3`, with the names in alphabetical order.
    default YsonNode node() {
        return switch (this) {
            case Simple(SimpleType type) -> YsonNode.text(type.nameInV3);
            case Optional(DeclaredType item) -> ofItem("optional", item);
            case ListOf(DeclaredType item) -> ofItem("list", item);
            case Tuple(List<DeclaredType> elements) -> elements("tuple", elements);
            case Struct(List<Member> members) -> members("struct", members);
            case Variant(Tuple(List<DeclaredType> elements)) -> elements("variant", elements);
            case Variant(Struct(List<Member> members)) -> members("variant", members);
            case Variant(DeclaredType choices) -> choices.node();
            case Dict(DeclaredType key, DeclaredType value) ->
                    YsonNode.map()
                            .with("key", key.node())
                            .with("type_name", "dict")
                            .with("value", value.node())
                            .build();
            case Tagged(String tag, DeclaredType item) ->
                    YsonNode.map()
                            .with("item", item.node())
                            .with("tag", tag)
                            .with("type_name", "tagged")
                            .build();
        };
    }

    private static YsonNode ofItem(String name, DeclaredType item) {
        return YsonNode.map().with("item", item.node()).with("type_name", name).build();
    }

    private static YsonNode elements(String name, List<DeclaredType> elements) {
        return YsonNode.map()
                .with(
                        "elements",
                        YsonNode.list(
                                elements.stream()
                                        .<YsonNode>map(
                                                type ->
                                                        YsonNode.map()
                                                                .with("type", type.node())
                                                                .build())
                                        .toList()))
                .with("type_name", name)
                .build();
    }

    private static YsonNode members(String name, List<Member> members) {
        return YsonNode.map()
                .with(
                        "members",
                        YsonNode.list(
                                members.stream()
                                        .<YsonNode>map(
                                                member ->
                                                        YsonNode.map()
                                                                .with("name", member.name())
                                                                .with("type", member.type().node())
                                                                .build())
                                        .toList()))
                .with("type_name", name)
                .build();
    }
}
