package io.cleave.yt.tree;

import io.cleave.schema.ObjectType;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.SequencedMap;

/// A directory of objects in `//sys`.
interface SystemMap {
    ObjectType type();

    Collection<String> keys();

    Optional<SystemObject> find(String key);

    /// All objects, by key. A directory in which [#find] is costly makes them in one go.
    default SequencedMap<String, SystemObject> all() {
        var all = new LinkedHashMap<String, SystemObject>();
        keys().forEach(key -> find(key).ifPresent(object -> all.put(key, object)));
        return all;
    }
}
