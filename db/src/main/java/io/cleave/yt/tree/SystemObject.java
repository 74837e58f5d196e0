package io.cleave.yt.tree;

import io.cleave.schema.ObjectId;
import io.cleave.schema.ObjectType;
import io.cleave.value.YsonNode;

import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.function.Supplier;

/// An object in `//sys`, such as a cell or a tablet. It is not stored as a node.
///
/// @param attributes each value is computed when a client asks for it
public record SystemObject(
        ObjectId id, ObjectType type, SequencedMap<String, Supplier<YsonNode>> attributes) {
    public static SystemObject of(ObjectId id, ObjectType type) {
        return new SystemObject(id, type, new LinkedHashMap<>());
    }

    /// This object with one more attribute.
    public SystemObject with(String name, Supplier<YsonNode> value) {
        var more = new LinkedHashMap<>(attributes);
        more.put(name, value);
        return new SystemObject(id, type, more);
    }

    public SystemObject with(String name, YsonNode value) {
        return with(name, () -> value);
    }
}
