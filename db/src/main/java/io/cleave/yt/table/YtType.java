package io.cleave.yt.table;

import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.YsonNode;
import io.cleave.yt.format.WireType;

import java.util.List;
import java.util.stream.Collectors;

/// The declared type of a column. Reads and prints `type_v3`: see [TypeReader].
///
/// A composite value is stored as YSON; its declared type is kept for those who ask.
public sealed interface YtType {
    record Simple(SimpleType type) implements YtType {}

    record Optional(YtType item) implements YtType {}

    record ListOf(YtType item) implements YtType {}

    record Tuple(List<YtType> elements) implements YtType {
        public Tuple {
            elements = List.copyOf(elements);
        }
    }

    record Member(String name, YtType type) {}

    record Struct(List<Member> members) implements YtType {
        public Struct {
            members = List.copyOf(members);
        }
    }

    record Dict(YtType key, YtType value) implements YtType {}

    /// One of several types; `choices` is a [Tuple] or a [Struct].
    record Variant(YtType choices) implements YtType {}

    record Tagged(String tag, YtType item) implements YtType {}

    /// The type without tags and without its outermost Optional.
    default YtType inner() {
        return switch (this) {
            case Tagged(_, YtType item) -> item.inner();
            case Optional(YtType item) -> item.untagged();
            default -> this;
        };
    }

    private YtType untagged() {
        return this instanceof Tagged(_, YtType item) ? item.untagged() : this;
    }

    /// Whether a value may be null.
    default boolean isNullable() {
        return untagged() instanceof Optional;
    }

    /// The type with or without Optional.
    default YtType nullable(boolean wanted) {
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
                    case Optional(YtType item) -> item.depth();
                    case ListOf(YtType item) -> item.depth();
                    case Tuple(List<YtType> elements) ->
                            elements.stream().mapToInt(YtType::depth).max().orElse(0);
                    case Struct(List<Member> members) ->
                            members.stream()
                                    .mapToInt(member -> member.type().depth())
                                    .max()
                                    .orElse(0);
                    case Dict(YtType key, YtType value) -> Math.max(key.depth(), value.depth());
                    case Variant(YtType choices) -> choices.depth() - 1;
                    case Tagged(_, YtType item) -> item.depth();
                };
    }

    /// The type in messages.
    default String text() {
        return switch (this) {
            case Simple(SimpleType type) -> type.nameInV3;
            case Optional(YtType item) -> "optional<" + item.text() + ">";
            case ListOf(YtType item) -> "list<" + item.text() + ">";
            case Tuple(List<YtType> elements) ->
                    elements.stream()
                            .map(YtType::text)
                            .collect(Collectors.joining(",", "tuple<", ">"));
            case Struct(List<Member> members) ->
                    members.stream()
                            .map(member -> member.name() + ":" + member.type().text())
                            .collect(Collectors.joining(";", "struct<", ">"));
            case Dict(YtType key, YtType value) ->
                    "dict<" + key.text() + "," + value.text() + ">";
            case Variant(YtType choices) -> "variant_" + choices.text();
            case Tagged(String tag, YtType item) ->
                    "tagged<\"" + tag + "\"," + item.text() + ">";
        };
    }

    /// The type as `type_v3`, with the names in alphabetical order.
    default YsonNode node() {
        return switch (this) {
            case Simple(SimpleType type) -> YsonNode.text(type.nameInV3);
            case Optional(YtType item) -> ofItem("optional", item);
            case ListOf(YtType item) -> ofItem("list", item);
            case Tuple(List<YtType> elements) -> elements("tuple", elements);
            case Struct(List<Member> members) -> members("struct", members);
            case Variant(Tuple(List<YtType> elements)) -> elements("variant", elements);
            case Variant(Struct(List<Member> members)) -> members("variant", members);
            case Variant(YtType choices) -> choices.node();
            case Dict(YtType key, YtType value) ->
                    YsonNode.map()
                            .with("key", key.node())
                            .with("type_name", "dict")
                            .with("value", value.node())
                            .build();
            case Tagged(String tag, YtType item) ->
                    YsonNode.map()
                            .with("item", item.node())
                            .with("tag", tag)
                            .with("type_name", "tagged")
                            .build();
        };
    }

    private static YsonNode ofItem(String name, YtType item) {
        return YsonNode.map().with("item", item.node()).with("type_name", name).build();
    }

    private static YsonNode elements(String name, List<YtType> elements) {
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
