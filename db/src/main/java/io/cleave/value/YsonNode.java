package io.cleave.value;

import io.cleave.base.Bytes;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;

/// A YSON value as a tree.
public sealed interface YsonNode {
    /// The value `#`.
    record Entity() implements YsonNode {}

    record Bool(boolean value) implements YsonNode {}

    record Int64(long value) implements YsonNode {}

    record Uint64(long value) implements YsonNode {}

    record Real(double value) implements YsonNode {}

    record Text(Bytes value) implements YsonNode {}

    record Items(List<YsonNode> items) implements YsonNode {
        public Items {
            items = List.copyOf(items);
        }
    }

    /// Members by name; each name occurs once.
    record Members(SequencedMap<Bytes, YsonNode> members) implements YsonNode {
        public static final Members EMPTY = new Members(new LinkedHashMap<>());

        public Members {
            members = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(members));
        }
    }

    /// A value with attributes, such as `<a=1>value`.
    record Attributed(Members attributes, YsonNode value) implements YsonNode {}

    /// The value in the bytes, in the text or the binary form; empty if they are not exactly one
    /// value.
    static Optional<YsonNode> parse(Bytes data) {
        try {
            return Optional.of(YsonReader.read(data));
        } catch (YsonException _) {
            return Optional.empty();
        }
    }

    static YsonNode entity() {
        return new Entity();
    }

    static YsonNode bool(boolean value) {
        return new Bool(value);
    }

    static YsonNode of(long value) {
        return new Int64(value);
    }

    /// An unsigned number; the sign bit of the argument is its highest bit.
    static YsonNode uint(long value) {
        return new Uint64(value);
    }

    static YsonNode real(double value) {
        return new Real(value);
    }

    static YsonNode text(String value) {
        return new Text(Bytes.utf8(value));
    }

    static YsonNode text(Bytes value) {
        return new Text(value);
    }

    static Items list(YsonNode... items) {
        return new Items(List.of(items));
    }

    static Items list(List<YsonNode> items) {
        return new Items(items);
    }

    /// A list of strings.
    static Items texts(Collection<String> texts) {
        return new Items(texts.stream().map(YsonNode::text).toList());
    }

    /// Begins a map. Its members keep the order in which they are added.
    static MapBuilder map() {
        return new MapBuilder();
    }

    /// The value without its attributes.
    default YsonNode bare() {
        return this instanceof Attributed(_, YsonNode value) ? value : this;
    }

    /// The attributes; an empty map if there are none.
    default Members attributes() {
        return this instanceof Attributed(Members attributes, _) ? attributes : Members.EMPTY;
    }

    /// The value with these attributes instead of its own. An empty map leaves it bare.
    default YsonNode withAttributes(Members attributes) {
        return attributes.members().isEmpty() ? bare() : new Attributed(attributes, bare());
    }

    /// A member of a map; empty if this is no map, or has no such member.
    default Optional<YsonNode> member(String name) {
        return bare() instanceof Members(var members)
                ? Optional.ofNullable(members.get(Bytes.utf8(name)))
                : Optional.empty();
    }

    /// An attribute of this value.
    default Optional<YsonNode> attribute(String name) {
        return attributes().member(name);
    }

    /// The string of a string, decoded as UTF-8; empty if this is no string.
    default Optional<String> string() {
        return bare() instanceof Text(Bytes value) ? Optional.of(value.utf8()) : Optional.empty();
    }

    /// The name that YTsaurus has for the type of the value.
    default String typeName() {
        return switch (this) {
            case Entity _ -> "entity";
            case Bool _ -> "boolean";
            case Int64 _ -> "int64";
            case Uint64 _ -> "uint64";
            case Real _ -> "double";
            case Text _ -> "string";
            case Items _ -> "list";
            case Members _ -> "map";
            case Attributed(_, YsonNode value) -> value.typeName();
        };
    }

    /// The text form on one line, for messages and tests.
    default String print() {
        return YsonWriter.write(this, YsonWriter.Format.TEXT).utf8();
    }

    /// Builds a map. A name that is given twice keeps its place and takes the later value.
    ///
    /// Threads: one at a time.
    final class MapBuilder {
        private final LinkedHashMap<Bytes, YsonNode> members = new LinkedHashMap<>();

        private MapBuilder() {}

        public MapBuilder with(Bytes name, YsonNode value) {
            members.put(name, value);
            return this;
        }

        public MapBuilder with(String name, YsonNode value) {
            return with(Bytes.utf8(name), value);
        }

        public MapBuilder with(String name, String value) {
            return with(name, text(value));
        }

        public MapBuilder with(String name, long value) {
            return with(name, of(value));
        }

        public MapBuilder with(String name, boolean value) {
            return with(name, bool(value));
        }

        public MapBuilder withUint(String name, long value) {
            return with(name, uint(value));
        }

        public MapBuilder withAll(Members others) {
            members.putAll(others.members());
            return this;
        }

        /// Adds the member if there is a value.
        public MapBuilder withPresent(String name, Optional<? extends YsonNode> value) {
            value.ifPresent(node -> with(name, node));
            return this;
        }

        public Members build() {
            return new Members(members);
        }
    }
}
