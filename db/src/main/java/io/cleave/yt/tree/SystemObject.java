package io.cleave.yt.tree;

import io.cleave.schema.ObjectId;
import io.cleave.schema.ObjectType;
import io.cleave.value.YsonNode;

import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.Supplier;

/// An object in `//sys`, such as a cell or a tablet. It is not stored as a node.
///
/// @param attributes each value is computed when a client asks for it
/// @param opaque the attributes that a list of all attributes shows as `#`, because they are long
///   or costly
public record SystemObject(
        ObjectId id,
        ObjectType type,
        SequencedMap<String, Supplier<YsonNode>> attributes,
        Set<String> opaque) {
    public static Builder of(ObjectId id, ObjectType type) {
        return new Builder(id, type);
    }

    /// An object to which attributes are added.
    public static final class Builder {
        private final ObjectId id;
        private final ObjectType type;
        private final SequencedMap<String, Supplier<YsonNode>> attributes = new LinkedHashMap<>();
        private final Set<String> opaque = new HashSet<>();

        private Builder(ObjectId id, ObjectType type) {
            this.id = id;
            this.type = type;
        }

        public Builder with(String name, Supplier<YsonNode> value) {
            attributes.put(name, value);
            return this;
        }

        public Builder with(String name, YsonNode value) {
            return with(name, () -> value);
        }

        /// Adds the attribute if there is a value.
        public Builder with(String name, Optional<? extends YsonNode> value) {
            value.ifPresent(node -> with(name, node));
            return this;
        }

        /// Adds an attribute that is shown only if a client asks for it by name.
        public Builder withOpaque(String name, Supplier<YsonNode> value) {
            opaque.add(name);
            return with(name, value);
        }

        public SystemObject build() {
            return new SystemObject(
                    id,
                    type,
                    Collections.unmodifiableSequencedMap(attributes),
                    Collections.unmodifiableSet(opaque));
        }
    }
}
